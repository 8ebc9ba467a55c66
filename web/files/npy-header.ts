// The dictionary in a .npy header, which is a Python literal: {'descr': '<f4', 'fortran_order': False, 'shape': (13, 8), }

import { FileError } from "./errors.js";

export interface NpyHeader {
  /** The dtype as NumPy describes it; a structured dtype comes as its source text. */
  descr: string;
  fortranOrder: boolean;
  shape: number[];
}

/**
 * @param text the header's characters, @param offset where in the file they begin (for messages).
 * @throws FileError bad-header with the byte at which reading stopped.
 */
export function parseNpyHeader(text: string, offset: number): NpyHeader {
  const found = new Map<string, string | boolean | number[]>();
  const cursor = new LiteralCursor(text, offset);
  cursor.expect("{");
  while (!cursor.accept("}")) {
    const keyAt = cursor.at;
    const key = cursor.string();
    if (found.has(key)) cursor.fail("each key once", `${JSON.stringify(key)} again`, keyAt);
    cursor.expect(":");
    if (key === "descr") found.set(key, cursor.peek("[") ? cursor.list() : cursor.string());
    else if (key === "fortran_order") found.set(key, cursor.boolean());
    else if (key === "shape") found.set(key, cursor.tuple());
    else cursor.fail("the keys descr, fortran_order and shape", JSON.stringify(key), keyAt);
    if (!cursor.accept(",") && !cursor.peek("}")) cursor.fail('"," or "}"');
  }
  if (!cursor.ended()) cursor.fail("the end of the header");
  for (const key of ["descr", "fortran_order", "shape"]) {
    if (!found.has(key)) cursor.fail(`the key ${key}`, "none");
  }
  return {
    descr: found.get("descr") as string,
    fortranOrder: found.get("fortran_order") as boolean,
    shape: found.get("shape") as number[],
  };
}

/** Reads the few Python literals that numpy.lib.format writes. */
class LiteralCursor {
  at = 0;

  constructor(private readonly text: string, private readonly offset: number) {}

  fail(expected: string, got = this.next(), at = this.at): never {
    throw new FileError("bad-header", { format: ".npy", offset: this.offset + at, expected, got });
  }

  ended(): boolean {
    this.skipSpace();
    return this.at === this.text.length;
  }

  peek(character: string): boolean {
    this.skipSpace();
    return this.text[this.at] === character;
  }

  accept(character: string): boolean {
    if (!this.peek(character)) return false;
    this.at++;
    return true;
  }

  expect(character: string): void {
    if (!this.accept(character)) this.fail(JSON.stringify(character));
  }

  string(): string {
    return this.match(/(?:'([^'\\]*)'|"([^"\\]*)")/y, "a string");
  }

  boolean(): boolean {
    return this.match(/(True|False)\b/y, "True or False") === "True";
  }

  /** (13, 8), (13,), () and Python 2's (13L, 8L). */
  tuple(): number[] {
    const sizes: number[] = [];
    this.expect("(");
    while (!this.accept(")")) {
      sizes.push(Number(this.match(/(\d+)L?/y, "a size")));
      if (!this.accept(",") && !this.peek(")")) this.fail('"," or ")"');
    }
    return sizes;
  }

  /** The source text of a bracketed list, to name a structured dtype. */
  list(): string {
    const start = this.at;
    let depth = 0;
    do {
      const character = this.text[this.at];
      if (character === undefined) this.fail('"]"');
      if (character === "[") depth++;
      if (character === "]") depth--;
      this.at++;
    } while (depth > 0);
    return this.text.slice(start, this.at);
  }

  private match(pattern: RegExp, expected: string): string {
    this.skipSpace();
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) this.fail(expected);
    this.at = pattern.lastIndex;
    return match[1] ?? match[2];
  }

  private skipSpace(): void {
    while (this.at < this.text.length && " \t\r\n".includes(this.text[this.at])) this.at++;
  }

  private next(): string {
    return this.at < this.text.length ? JSON.stringify(this.text.slice(this.at, this.at + 12)) : "the end of the header";
  }
}
