// Modules that exist only after the wasm build or through the bundler.

declare module "*/addnorm_wasm.js" {
  const createAddnorm: import("./load/wasm-module.js").CreateModule;
  export default createAddnorm;
}

/** A `data:` URL of the file. */
declare module "*.wasm?url&inline" {
  const dataUrl: string;
  export default dataUrl;
}

declare module "*/package.json" {
  export const version: string;
}
