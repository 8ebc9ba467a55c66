// load() as the elements of the package call it: the one that their entry has given before any of them asks.
import type { Load } from "../lib/index.js";

let given: Load;

export function give(load: Load): void {
  given = load;
}

export const load: Load = (options) => given(options);
