/** Holds the one state and tells its listeners what changed; knows nothing of a page. */
import { formatTable, parseTable, type Matrix, type Shape } from "./matrix.js";
import { difference, reconcile, shapeOf, type Notice } from "./reconcile.js";
import { initialState, type State } from "./schema.js";

/**
 * What a change means for the history: "push" a new entry, "replace" the present one, or "preview",
 * which is written nowhere until a later push or replace (a drag previews, its end pushes).
 * "load" comes from the history itself.
 */
export type How = "push" | "replace" | "preview" | "load";

export interface Change {
  readonly state: State;
  /** The keys that changed. */
  readonly patch: Partial<State>;
  readonly how: How;
}

export type Listener = (change: Change) => void;

/** What takes a person's own table into the state: as text where that is short enough for a link. */
export const ownPatch = (matrix: Matrix): Partial<State> => ({ source: "own", data: formatTable(matrix), edits: [] });

export class Store {
  #state: State = initialState;
  #notices: readonly Notice[] = [];
  #memory: Matrix | undefined;
  #table: { text: string; matrix: Matrix | undefined } = { text: "", matrix: undefined };
  readonly #listeners = new Set<Listener>();

  constructor(initial: Partial<State> = {}) {
    this.load(initial);
  }

  get state(): State {
    return this.#state;
  }

  /** Values that were not taken, since the last load or dismissal. */
  get notices(): readonly Notice[] {
    return this.#notices;
  }

  /** The person's own table: from the link when it is there, else the one kept in memory. */
  get own(): Matrix | undefined {
    return this.#ownFor(this.#state.data);
  }

  get shape(): Shape {
    return shapeOf(this.#state, this.own);
  }

  set(patch: Partial<State>, how: "push" | "replace" | "preview" = "push"): void {
    const { state, notices } = reconcile(this.#state, patch, (data) => this.#ownFor(data));
    const given = new Set([...Object.keys(patch), ...notices.map(({ key }) => key)]);
    this.#move(state, [...this.#notices.filter(({ key }) => !given.has(key)), ...notices], how);
  }

  /** What would not be taken of a patch, or of a person's own table. */
  refused(patch: Partial<State>, own?: Matrix): readonly Notice[] {
    return reconcile(this.#state, patch, (data) => own ?? this.#ownFor(data)).notices;
  }

  /** Takes a person's own table; a small one goes into the link as text, a large one stays in memory. */
  setOwn(matrix: Matrix, how: "push" | "replace" = "push"): void {
    this.#memory = matrix;
    const patch = ownPatch(matrix);
    const { state, notices } = reconcile(this.#state, patch, (data) => this.#ownFor(data));
    this.#move(state, notices, how, true);
  }

  /** A whole state from outside (link, history): what is not named is at its default. */
  load(patch: Partial<State>, notices: readonly Notice[] = []): void {
    const fresh = reconcile(initialState, patch, (data) => this.#ownFor(data));
    this.#move(fresh.state, [...notices, ...fresh.notices], "load");
  }

  dismissNotices(): void {
    this.#move(this.#state, [], "replace", this.#notices.length > 0);
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #move(state: State, notices: readonly Notice[], how: How, always = false): void {
    const patch = difference(this.#state, state);
    const silent = Object.keys(patch).length === 0 && notices.length === this.#notices.length && how !== "push";
    this.#state = state;
    this.#notices = notices;
    if (silent && !always) return;
    for (const listener of [...this.#listeners]) listener({ state, patch, how });
  }

  #ownFor(text: string): Matrix | undefined {
    if (text === "") return this.#memory;
    if (this.#table.text !== text) this.#table = { text, matrix: parseTable(text) };
    return this.#table.matrix;
  }
}
