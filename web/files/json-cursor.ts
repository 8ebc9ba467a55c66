// Walks over JSON text with the place of every fault; also reads the NaN and Infinity that Python's json writes.

import { FileError } from "./errors.js";
import { point, scanNumber } from "./numbers.js";

const quotationMark = 0x22;
const backslash = 0x5c;
const maxDepth = 64;

export type JsonValue = number | string | boolean | null | JsonValue[] | Map<string, JsonValue>;

export class JsonCursor {
  at = 0;
  depth = 0;

  constructor(readonly text: string) {}

  fail(expected: string, at = this.at): never {
    const before = this.text.slice(0, at);
    const lineStart = before.lastIndexOf("\n") + 1;
    throw new FileError("bad-json", {
      row: before.split("\n").length, column: at - lineStart + 1, offset: at, expected, got: this.describe(at),
    });
  }

  /** What stands at a place, for messages: "an object", "text", … */
  describe(at = this.at): string {
    const character = this.text[at];
    if (character === undefined) return "the end of the text";
    if (character === "{") return "an object";
    if (character === "[") return "an array";
    if (character === '"') return "text";
    return /^[\w.+-]{1,40}/.exec(this.text.slice(at, at + 40))?.[0] ?? JSON.stringify(character);
  }

  skipSpace(): void {
    for (; this.at < this.text.length; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    }
  }

  peek(): string | undefined {
    this.skipSpace();
    return this.text[this.at];
  }

  /** Skips space and the character, when it comes next. */
  accept(character: string): boolean {
    this.skipSpace();
    if (this.text.charCodeAt(this.at) !== character.charCodeAt(0)) return false;
    this.at++;
    return true;
  }

  /** Calls `item` at each element of an array; the cursor must stand at "[". */
  array(item: (index: number) => void): number {
    return this.items("[", "]", item);
  }

  /** Calls `member` at each value of an object; the cursor must stand at "{". @throws FileError duplicate-name. */
  object(member: (key: string) => void): void {
    const keys = new Set<string>();
    this.items("{", "}", () => {
      if (this.peek() !== '"') this.fail("a name in quotation marks");
      const key = this.string();
      if (keys.has(key)) throw new FileError("duplicate-name", { value: key });
      keys.add(key);
      if (!this.accept(":")) this.fail('":"');
      this.skipSpace();
      member(key);
    });
  }

  string(): string {
    const start = this.at;
    for (this.at++; ; this.at++) {
      const code = this.text.charCodeAt(this.at);
      if (code === backslash) this.at++;
      else if (code === quotationMark) break;
      else if (!(code >= 0x20)) this.fail("a closing quotation mark", Math.min(this.at, this.text.length));
    }
    this.at++;
    try {
      return JSON.parse(this.text.slice(start, this.at)) as string;
    } catch {
      return this.fail("text with valid escapes", start);
    }
  }

  /** The number here; NaN and ±Infinity for Python's words, undefined when no number stands here. */
  number(): number | undefined {
    const start = this.at;
    let end = start;
    for (; end < this.text.length; end++) {
      if (!isNumberCharacter(this.text.charCodeAt(end))) break;
    }
    const value = scanNumber(this.text, start, end, point);
    if (value === value) {
      this.at = end;
      return value;
    }
    for (const word of ["NaN", "Infinity", "-Infinity"]) {
      if (!this.text.startsWith(word, start)) continue;
      this.at += word.length;
      return Number(word);
    }
    return undefined;
  }

  /** Any value as a tree; for small texts such as headers. */
  value(): JsonValue {
    const next = this.peek();
    if (next === '"') return this.string();
    if (next === "[") {
      const list: JsonValue[] = [];
      this.array(() => list.push(this.value()));
      return list;
    }
    if (next === "{") {
      const map = new Map<string, JsonValue>();
      this.object((key) => map.set(key, this.value()));
      return map;
    }
    for (const [word, meaning] of [["true", true], ["false", false], ["null", null]] as const) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return meaning;
    }
    return this.number() ?? this.fail("a value");
  }

  end(): void {
    if (this.peek() !== undefined) this.fail("the end of the text");
  }

  private items(open: string, close: string, item: (index: number) => void): number {
    if (!this.accept(open)) this.fail(JSON.stringify(open));
    if (++this.depth > maxDepth) this.fail(`at most ${maxDepth} levels`);
    let count = 0;
    if (!this.accept(close)) {
      do {
        this.skipSpace();
        item(count++);
      } while (this.accept(","));
      if (!this.accept(close)) this.fail(`"," or ${JSON.stringify(close)}`);
    }
    this.depth--;
    return count;
  }
}

/** Digits, sign, point and e. */
function isNumberCharacter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e || code === 0x2b || (code | 0x20) === 0x65;
}
