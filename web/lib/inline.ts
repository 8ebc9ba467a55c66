// The entry "addnorm/inline": the same package with the wasm inside.
export type * from "./api.js";
export { load } from "./load/inline.js";
