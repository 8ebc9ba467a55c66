/** The kinds of value a state key can hold: each knows how to read, write and check itself. */
import { parseTable, TABLE_TEXT_LIMIT } from "./matrix.js";
import { doubleText, float32Text, parseFloat32, parseNumber } from "./number-text.js";

/** One line of the state table. */
export interface Key<T> {
  readonly kind: "choice" | "choices" | "integer" | "number" | "numbers" | "edits" | "table" | "node";
  readonly initial: T;
  /** What the key means, for the documentation. */
  readonly meaning: string;
  readonly choices?: readonly T[];
  /** What a list of choices may hold. */
  readonly members?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  /** undefined when the text is no value of this key. */
  parse(text: string): T | undefined;
  format(value: T): string;
  accepts(value: unknown): value is T;
}

/** One changed number of x; value is a float32. */
export interface Edit {
  readonly row: number;
  readonly col: number;
  readonly value: number;
}

const LIST_LIMIT = 4096;
const isFiniteNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

export function choice<const T extends string | number>(choices: readonly T[], initial: NoInfer<T>, meaning: string, alias?: (text: string) => string): Key<T> {
  return {
    kind: "choice", initial, meaning, choices,
    parse: (text) => choices.find((candidate) => String(candidate) === (alias ? alias(text) : text)),
    format: String,
    accepts: (value): value is T => choices.includes(value as T),
  };
}

/** Some of a few, at least one and at most `most`, in the order of `all`; commas between them. */
export function choices<const T extends string>(all: readonly T[], most: number, initial: readonly NoInfer<T>[], meaning: string): Key<readonly T[]> {
  const accepts = (value: unknown): value is readonly T[] =>
    Array.isArray(value) && value.length > 0 && value.length <= most && value.every((entry) => all.includes(entry as T)) && new Set(value).size === value.length;
  return {
    kind: "choices", initial, meaning, members: all, max: most, accepts,
    parse: (text) => {
      const named = text.split(",", all.length + 1);
      const value = all.filter((entry) => named.includes(entry));
      return value.length === named.length && accepts(value) ? value : undefined;
    },
    format: (value) => value.join(","),
  };
}

export function integer(initial: number, min: number, max: number, meaning: string): Key<number> {
  const accepts = (value: unknown): value is number => isFiniteNumber(value) && Number.isInteger(value) && value >= min && value <= max;
  return {
    kind: "integer", initial, meaning, min, max, format: (value) => String(value), accepts,
    parse: (text) => {
      const value = parseNumber(text);
      return accepts(value) ? value + 0 : undefined;
    },
  };
}

export function number(initial: number, min: number, max: number, meaning: string): Key<number> {
  const accepts = (value: unknown): value is number => isFiniteNumber(value) && value >= min && value <= max;
  return {
    kind: "number", initial, meaning, min, max, format: doubleText, accepts,
    parse: (text) => {
      const value = parseNumber(text);
      return accepts(value) ? value : undefined;
    },
  };
}

/** A list of finite numbers, one value for all features or one a feature; commas or spaces between them. */
export function numbers(initial: readonly number[], meaning: string): Key<readonly number[]> {
  return {
    kind: "numbers", initial, meaning,
    parse: (text) => {
      const values = text.trim().split(/[\s,;]+/, LIST_LIMIT + 1).map(parseNumber);
      return values.length <= LIST_LIMIT && values.every((value) => value !== undefined) ? values : undefined;
    },
    format: (values) => values.map(doubleText).join(","),
    accepts: (value): value is readonly number[] => Array.isArray(value) && value.length > 0 && value.length <= LIST_LIMIT && value.every(isFiniteNumber),
  };
}

const isIndex = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
const isEdit = (value: Edit): boolean =>
  typeof value === "object" && value !== null && isIndex(value.row) && isIndex(value.col) &&
  typeof value.value === "number" && (Number.isNaN(value.value) || Math.fround(value.value) === value.value);

function parseEdit(text: string): Edit | undefined {
  const found = /^(\d{1,9})\.(\d{1,9}):(.+)$/.exec(text);
  const value = found ? parseFloat32(found[3]!) : undefined;
  return found && value !== undefined ? { row: Number(found[1]), col: Number(found[2]), value } : undefined;
}

/** Changed numbers of x as row.col:value, commas between them. */
export function edits(meaning: string): Key<readonly Edit[]> {
  return {
    kind: "edits", initial: [], meaning,
    parse: (text) => {
      if (text === "") return [];
      const list = text.split(",", LIST_LIMIT + 1).map(parseEdit);
      return list.length <= LIST_LIMIT && list.every((edit) => edit !== undefined) ? list : undefined;
    },
    format: (list) => list.map(({ row, col, value }) => `${row}.${col}:${float32Text(value)}`).join(","),
    accepts: (value): value is readonly Edit[] => Array.isArray(value) && value.length <= LIST_LIMIT && value.every(isEdit),
  };
}

function text(kind: "table" | "node", meaning: string, valid: (value: string) => boolean): Key<string> {
  const accepts = (value: unknown): value is string => typeof value === "string" && (value === "" || valid(value));
  return { kind, initial: "", meaning, accepts, format: (value) => value, parse: (value) => (accepts(value) ? value : undefined) };
}

/** A small table of own numbers, see matrix.ts. */
export const table = (meaning: string): Key<string> =>
  text("table", meaning, (value) => value.length <= TABLE_TEXT_LIMIT && parseTable(value) !== undefined);

/** The id of a node of the chain, such as post.sum1. */
export const node = (meaning: string): Key<string> => text("node", meaning, (value) => /^(?:(?:post|pre)\.(?:x|f[12]|sum[12]|norm[12])|parallel\.(?:x|norm1|f[12]|branches|sum1))$/.test(value));
