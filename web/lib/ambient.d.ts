// Modules that exist only after the wasm build or through the bundler.

/** A `data:` URL of the file. */
declare module "*.wasm?url&inline" {
  const dataUrl: string;
  export default dataUrl;
}

declare module "*/package.json" {
  export const version: string;
}
