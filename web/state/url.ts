/** The state in the URL's hash: read, written, and bound to the history. */
import { shorten, type Notice } from "./reconcile.js";
import { lineOf, sameValue, initialState, schema, stateKeys, type State, type StateKey } from "./schema.js";
import type { Store } from "./store.js";

const encode = (text: string): string => encodeURIComponent(text).replace(/%(?:2C|3A|3B)/g, decodeURIComponent);

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** "#view=chain&seed=7", or a query of the same form -> the keys that it names; what cannot be read becomes a notice. */
export function parseHash(hash: string): { patch: Partial<State>; notices: Notice[] } {
  const patch: Partial<Record<StateKey, unknown>> = {};
  const notices: Notice[] = [];
  for (const pair of hash.replace(/^[#?]/, "").split("&")) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const name = decode(cut < 0 ? pair : pair.slice(0, cut)) ?? pair;
    const text = decode(cut < 0 ? "" : pair.slice(cut + 1));
    if (!Object.hasOwn(schema, name)) {
      notices.push({ reason: "unknown", key: shorten(name), given: shorten(text ?? ""), used: "" });
      continue;
    }
    const key = name as StateKey;
    const { parse, format, initial } = lineOf(key);
    const value = text === undefined ? undefined : parse(text);
    if (value === undefined) notices.push({ reason: "value", key, given: shorten(text ?? pair.slice(cut + 1)), used: format(initial) });
    else patch[key] = value;
  }
  return { patch: patch as Partial<State>, notices };
}

/** The hash for a state, keys in the table's order, those at their default left out; "" for the default state. */
export function formatHash(state: State): string {
  const pairs = stateKeys
    .filter((key) => !sameValue(key, state[key], initialState[key]))
    .map((key) => `${key}=${encode(lineOf(key).format(state[key]))}`);
  return pairs.length ? `#${pairs.join("&")}` : "";
}

/** Loads the store from the address, then keeps both in step; returns the function that ends it. */
export function bindUrl(store: Store, page: Window): () => void {
  let written: string | undefined;
  const read = (): void => {
    const { hash } = page.location;
    // A plain fragment such as #main is a place on the page, not a state.
    if (hash === written || (hash.length > 1 && !hash.includes("="))) return;
    written = hash;
    const { patch, notices } = parseHash(hash);
    store.load(patch, notices);
  };
  const unsubscribe = store.subscribe(({ state, how }) => {
    const hash = formatHash(state);
    if (how === "preview" || how === "load" || hash === written) return;
    written = hash;
    const address = page.location.pathname + page.location.search + hash;
    try {
      page.history[how === "push" ? "pushState" : "replaceState"](null, "", address);
    } catch {
      // Sandboxed frames and browsers that limit the rate refuse; the page works on without the address.
    }
  });
  read();
  page.addEventListener("popstate", read);
  page.addEventListener("hashchange", read);
  return () => {
    unsubscribe();
    page.removeEventListener("popstate", read);
    page.removeEventListener("hashchange", read);
  };
}
