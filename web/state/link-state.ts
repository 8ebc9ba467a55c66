/** What of a state a link can carry. */
import { initialState, type State } from "./schema.js";
import { Store } from "./store.js";

/** A person's numbers that are in no link, because they are too many for one. */
export const staysHere = ({ source, data }: State): boolean => source === "own" && data === "";

/** The state for a link: numbers that must stay here give way to the article's. */
export function linkState(state: State): State {
  if (!staysHere(state)) return state;
  const { source, tokens, features, seed, scale, edits } = initialState;
  return new Store({ ...state, source, tokens, features, seed, scale, edits }).state;
}
