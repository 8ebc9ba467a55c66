// The entry "addnorm/elements": the kernels come from the entry "addnorm", so that a page with both runs one wasm.
import { load } from "../lib/index.js";
import { give } from "./given-load.js";

give(load);
export * from "../elements/index.js";
