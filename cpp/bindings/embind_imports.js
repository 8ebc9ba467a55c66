// What the module imports of embind is given by web/lib/load/embind.ts; this tells the linker that it exists.
mergeInto(LibraryManager.library, { _embind_register_function() {} });
