// The entry "addnorm" for browsers, workers and bundlers.
export type * from "./api.js";
export { load } from "./load/web.js";
