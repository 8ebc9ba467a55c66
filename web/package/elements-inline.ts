// The entry "addnorm/elements" for bundlers that leave the wasm files behind: the kernels come from "addnorm/inline".
import { load } from "../lib/inline.js";
import { give } from "./given-load.js";

give(load);
export * from "../elements/index.js";
