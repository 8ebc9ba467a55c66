/** Remembers the last few results of a costly function, by key. */
export class Memo<T> {
  readonly #entries = new Map<string, T>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string, make: () => T): T {
    const known = this.#entries.get(key);
    const value = known ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value!);
    return value;
  }
}

const identities = new WeakMap<object, string>();
let count = 0;

/** A key for an object that is never changed in place. */
export function identityKey(object: object): string {
  let key = identities.get(object);
  if (key === undefined) {
    key = `#${count++}`;
    identities.set(object, key);
  }
  return key;
}
