// The entry "addnorm" for Node, Deno and Bun.
export type * from "./api.js";
export { load } from "./load/disk.node.js";
