/** Values that a program gives to an element's properties: taken over as the state has them, or refused in plain words. */
import { MATRIX_LIMIT, lineOf, type StateKey } from "../../state/schema.js";
import type { Matrix } from "../../state/matrix.js";
import type { Notice } from "../../state/reconcile.js";

const isNumbers = (value: unknown): value is ArrayLike<number> =>
  (ArrayBuffer.isView(value) && !(value instanceof DataView)) || (Array.isArray(value) && value.every((entry) => typeof entry === "number"));

const quote = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `${value.constructor.name} of ${(value as ArrayLike<unknown>).length}`;
  return typeof value === "object" && value !== null ? `an object (${value.constructor?.name ?? "no class"})` : String(value);
};

function expected(key: StateKey): string {
  const { kind, choices, members, min, max } = lineOf(key);
  switch (kind) {
    case "choice": return choices!.map((choice) => JSON.stringify(choice)).join(" or ");
    case "choices": return `an array of 1 to ${max} of ${members!.map((member) => JSON.stringify(member)).join(", ")}, each once`;
    case "integer": return `a whole number from ${min} to ${max}`;
    case "number": return `a number from ${min} to ${max}`;
    case "numbers": return "a finite number, or an array of them";
    case "edits": return "an array of { row, col, value }";
    case "table": return "rows parted by semicolons, values by commas";
    case "node": return 'the id of a node of the chain, such as "post.sum1"';
  }
}

/** What a property was set to, as the state holds it: texts are read as the attribute is, typed arrays become arrays. */
export function valueFrom(element: string, key: StateKey, given: unknown): unknown {
  const { kind, parse, accepts } = lineOf(key);
  let value = given;
  if (typeof given === "string") value = parse(given);
  else if (kind === "numbers") value = typeof given === "number" ? [given] : isNumbers(given) ? Array.from(given) : given;
  else if (kind === "edits" && Array.isArray(given)) value = given.map((edit) => ({ ...edit, value: Math.fround(edit?.value) }));
  else if (Array.isArray(given)) value = [...given];
  if (accepts(value)) return value;
  const rightType = kind === "numbers" ? isNumbers(value) || typeof given === "string" : typeof given === "string" || typeof given === typeof lineOf(key).initial;
  const Fault = rightType ? RangeError : TypeError;
  throw new Fault(`${element}: ${key} is ${quote(given)}, expected ${expected(key)}`);
}

/** Rows of numbers, { rows, cols, data }, or numbers in one row after the other, `cols` to a row. */
export function matrixFrom(element: string, given: unknown, cols: number): Matrix {
  const wrong = (what: string): TypeError =>
    new TypeError(`${element}: x is ${what}, expected an array of rows, { rows, cols, data }, or numbers row after row, as many to a row as features says`);
  if (isNumbers(given)) return shaped(element, given, given.length / cols, cols);
  if (Array.isArray(given)) {
    if (!given.every(isNumbers)) throw wrong("an array with other things than numbers");
    const width = given[0]?.length ?? 0;
    const odd = given.findIndex((row) => row.length !== width);
    if (odd >= 0) throw new RangeError(`${element}: row ${odd} of x has ${given[odd]!.length} values, row 0 has ${width}`);
    return shaped(element, given.flatMap((row) => Array.from(row)), given.length, width);
  }
  if (typeof given === "object" && given !== null && "data" in given && isNumbers(given.data)) {
    const { rows, cols: width, data } = given as Matrix;
    return shaped(element, data, rows, width);
  }
  throw wrong(quote(given));
}

function shaped(element: string, values: ArrayLike<number>, rows: number, cols: number): Matrix {
  if (!(Number.isInteger(rows) && Number.isInteger(cols) && rows > 0 && cols > 0 && rows * cols === values.length)) {
    throw new RangeError(`${element}: x has ${values.length} values, which do not make whole rows of ${cols}`);
  }
  if (values.length > MATRIX_LIMIT) throw new RangeError(`${element}: x has ${values.length} values, at most ${MATRIX_LIMIT} are taken`);
  if (typeof values[0] === "bigint") throw new TypeError(`${element}: x holds BigInts, expected numbers`);
  return { rows, cols, data: Float32Array.from(values) };
}

/** Why a value that is right by itself does not go with the others. */
export function refusal(element: string, { key, reason, used }: Notice, given: unknown): RangeError {
  const why: Record<Notice["reason"], string> = {
    value: "is no value of it",
    unknown: "is no key",
    size: `makes more than ${MATRIX_LIMIT} numbers`,
    length: "is neither one value nor one a feature",
    range: "lies outside the matrix",
    wide: "needs at most 1024 features",
    large: "needs at most 64 tokens and 64 features",
    lost: "needs x first",
  };
  return new RangeError(`${element}: ${key} is ${quote(given)}, which ${why[reason]}; it stays at ${used === "" ? "nothing" : used}`);
}
