// The border: every argument of the package is checked here, before wasm is entered.
import { outOfMemory, type Heap } from "./heap.js";
import { ResidentMatrix } from "./resident-matrix.js";
import type { FloatArray, MatrixOutput, Values } from "./types.js";

const MATRIX = "a Float32Array, Float64Array, number[], number[][] or a matrix of an.matrix";
const VECTOR = "a Float32Array, Float64Array, number[] or a matrix of an.matrix";
const OUTPUT = "a Float32Array or a matrix of an.matrix";

/** Names of options that stand for a flag of the kernels: off, then on. */
const FLAGS = {
  epsPlacement: ["inside", "outside"],
  variance: ["population", "sample"],
  norm: ["layer", "rms"],
} as const;

interface Bounds {
  whole: boolean;
  least: number;
  most: number;
  says: string;
}
const SIZE: Bounds = { whole: true, least: 1, most: Number.MAX_SAFE_INTEGER, says: "a whole number of at least 1" };
const COUNT: Bounds = { whole: true, least: 0, most: Number.MAX_SAFE_INTEGER, says: "a whole number of at least 0" };
const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;
const FACTOR: Bounds = { whole: false, least: -LARGEST_FLOAT, most: LARGEST_FLOAT, says: "a finite float32" };

/** What each number may be; messages say it. */
const NUMBERS = {
  cols: SIZE,
  dModel: SIZE,
  inFeatures: SIZE,
  outFeatures: SIZE,
  groups: SIZE,
  dInput: SIZE,
  dFf: SIZE,
  heads: SIZE,
  sequences: SIZE,
  layers: { whole: true, least: 1, most: 128, says: "a whole number from 1 to 128" },
  rows: COUNT,
  count: COUNT,
  units: COUNT,
  sliceMs: { whole: false, least: 0, most: Number.MAX_VALUE, says: "a finite number of at least 0" },
  alpha: FACTOR,
  beta: FACTOR,
  gain: FACTOR,
  scale: FACTOR,
  gateBias: FACTOR,
  initGain: FACTOR,
  eps: { whole: false, least: 0, most: Number.MAX_VALUE, says: "a finite number of at least 0" },
  gammaOffset: { whole: true, least: 0, most: 1, says: "0 or 1" },
  seed: { whole: true, least: 0, most: 2 ** 32 - 1, says: "a whole number from 0 to 4294967295" },
} satisfies Record<string, Bounds>;

/** What came, in words, for an error message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "string") return `the string ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)}`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object") return `the ${typeof value} ${String(value)}`;
  if (Array.isArray(value)) return `an array of ${value.length} values`;
  if (ArrayBuffer.isView(value) && "length" in value) return `${tag(value).startsWith("I") ? "an" : "a"} ${tag(value)} of ${value.length} values`;
  return tag(value) === "Object" ? "a plain object" : `an object of the class ${tag(value)}`;
}

function tag(value: object): string {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return name === "Object" ? (value.constructor?.name ?? name) : name;
}

/** A number within the bounds that the table gives its name. */
export function number(call: string, name: keyof typeof NUMBERS, value: unknown): number {
  const bounds = NUMBERS[name];
  if (typeof value !== "number") {
    const came = value === undefined ? "missing" : describe(value);
    throw new TypeError(`${call}: ${name} is ${came}, expected ${bounds.says}`);
  }
  if (!(value >= bounds.least && value <= bounds.most) || (bounds.whole && !Number.isInteger(value))) {
    throw new RangeError(`${call}: ${name} is ${value}, expected ${bounds.says}`);
  }
  return value;
}

/** The place of a named choice in the list of all. */
export function choice(call: string, name: string, value: unknown, choices: readonly string[]): number {
  const place = choices.indexOf(value as string);
  if (place >= 0) return place;
  const quoted = choices.map((other) => `"${other}"`);
  const expected = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  if (typeof value !== "string") throw new TypeError(`${call}: ${name} is ${describe(value)}, expected ${expected}`);
  throw new RangeError(`${call}: ${name} is ${JSON.stringify(value)}, expected ${expected}`);
}

/** The flag that a named choice stands for. */
export function flag(call: string, name: keyof typeof FLAGS, value: unknown): boolean {
  return choice(call, name, value, FLAGS[name]) === 1;
}

export function boolean(call: string, name: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw new TypeError(`${call}: ${name} is ${describe(value)}, expected true or false`);
  return value;
}

/** The options of a call that cannot do without them. */
export function options<T extends object>(call: string, value: T, needed: string): T {
  if (typeof value !== "object" || value === null) {
    const came = value === undefined ? "missing" : describe(value);
    throw new TypeError(`${call}: the options are ${came}, expected { ${needed} }`);
  }
  return value;
}

/** Nothing but `known` keys: leaving another out silently would give other numbers than the caller meant. */
export function keys(call: string, holder: string, given: object, known: readonly string[]): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const meant = known.find((name) => name.toLowerCase() === key.toLowerCase());
    throw new TypeError(`${call}: the ${holder} a key "${key}", ${meant ? `meant is ${meant}` : `there are ${known.join(", ")}`}`);
  }
}

/**
 * A matrix with rows of `cols` values (0: of any width), flat; messages call the width `colsName`.
 * A view of wasm memory is copied, since the call may make memory grow and so invalidate it.
 */
export function matrix(heap: Heap, call: string, name: string, value: unknown, cols: number, colsName = "cols"): Values {
  const values = flat(heap, call, name, value, cols, colsName);
  if (cols > 0 && values.length % cols !== 0) {
    throw new RangeError(`${call}: ${name} has ${values.length} values, not a multiple of ${colsName}, which is ${cols}`);
  }
  return values;
}

/** A matrix that must have as many values as x, which messages call `xName`. */
export function matching(
  heap: Heap, call: string, name: string, value: unknown, cols: number, x: Values, xName = "x",
): Values {
  const values = flat(heap, call, name, value, cols, "cols");
  if (values.length !== x.length) {
    throw new RangeError(`${call}: ${name} has ${values.length} values, ${xName} has ${x.length}`);
  }
  return values;
}

/** A vector of `expected` values, a number that messages call `lengthName`; null when absent. */
export function vector(
  heap: Heap, call: string, name: string, value: unknown, expected: number, lengthName: string,
): Values | null {
  if (value === undefined || value === null) return null;
  const values = typed(heap, call, name, value) ?? numbers(call, name, value, VECTOR);
  length(call, name, values, expected, lengthName);
  return values;
}

/** As many values as `lengthName`, which is `expected`. */
export function length(call: string, name: string, values: Values, expected: number, lengthName: string): void {
  if (values.length !== expected) {
    throw new RangeError(`${call}: ${name} has ${values.length} values, ${lengthName} is ${expected}`);
  }
}

/** One byte a place, not 0 where the mask says so; null when absent. */
export function mask(call: string, name: string, value: unknown, expected: number, lengthName: string): Uint8Array | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) && !(value instanceof Uint8Array)) {
    throw new TypeError(`${call}: ${name} is ${describe(value)}, expected a Uint8Array, boolean[] or number[]`);
  }
  if (value.length !== expected) {
    throw new RangeError(`${call}: ${name} has ${value.length} values, ${lengthName} is ${expected}`);
  }
  return Uint8Array.from(value as ArrayLike<unknown>, (set, i) => {
    if (typeof set === "boolean" || typeof set === "number") return set ? 1 : 0;
    throw new TypeError(`${call}: ${name}[${i}] is ${describe(set)}, expected a boolean or a number`);
  });
}

/** Where to write `length` values; null when a fresh array is wanted. */
export function output(heap: Heap, call: string, name: string, value: unknown, length: number): MatrixOutput | null {
  if (value === undefined || value === null) return null;
  if (value instanceof ResidentMatrix) {
    value.address(call);
    if (!value.livesIn(heap)) throw new TypeError(`${call}: ${name} is a matrix of another load(), expected one of this`);
  } else if (isFloat32Array(value)) {
    refuseDetached(call, name, value);
    if (value.buffer === heap.buffer) {
      throw new TypeError(`${call}: ${name} is a view of wasm memory, which growing would invalidate; give the matrix itself`);
    }
  } else {
    throw new TypeError(`${call}: ${name} is ${describe(value)}, expected ${OUTPUT}`);
  }
  if (value.length !== length) throw new RangeError(`${call}: ${name} has ${value.length} values, x has ${length}`);
  return value;
}

/** Two outputs of one call must not share memory. */
export function disjoint(call: string, a: MatrixOutput | null, aName: string, b: MatrixOutput | null, bName: string): void {
  if (a === null || b === null) return;
  const shared = a instanceof ResidentMatrix || b instanceof ResidentMatrix
    ? a === b
    : a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
  if (shared && a.length > 0) throw new RangeError(`${call}: ${aName} and ${bName} overlap, but each takes a result of its own`);
}

/** What the caller's sublayer F gave for x: as many values, so that they can be added. */
export function sublayerResult(call: string, value: unknown, expected: number): Float32Array {
  if (!isFloat32Array(value)) throw new TypeError(`${call}: F returned ${describe(value)}, expected a Float32Array`);
  refuseDetached(call, "what F returned", value);
  if (value.length !== expected) {
    throw new RangeError(
      `${call}: F returned ${value.length} values, x has ${expected}; to be added they must be equally wide, ` +
      "so let F end in a projection to the width of x (for instance an.linear)",
    );
  }
  return value;
}

/** The caller's sublayer F. */
export function sublayer<F>(call: string, value: F): F {
  if (typeof value === "function") return value;
  throw new TypeError(`${call}: F is ${describe(value)}, expected a function from Float32Array to Float32Array`);
}

export function isFloat32Array(value: unknown): value is Float32Array {
  return value instanceof Float32Array || (ArrayBuffer.isView(value) && tag(value) === "Float32Array");
}

function isFloatArray(value: unknown): value is FloatArray {
  return isFloat32Array(value) || value instanceof Float64Array || (ArrayBuffer.isView(value) && tag(value) === "Float64Array");
}

function flat(heap: Heap, call: string, name: string, value: unknown, cols: number, colsName: string): Values {
  if (cols > 0 && value instanceof ResidentMatrix && value.cols !== cols) {
    throw new RangeError(`${call}: ${name} is a ${value.rows} x ${value.cols} matrix, ${colsName} is ${cols}`);
  }
  const values = typed(heap, call, name, value);
  if (values !== null) return values;
  const nested = Array.isArray(value) && (Array.isArray(value[0]) || isFloatArray(value[0]));
  return nested ? rows(call, name, value, cols, colsName) : numbers(call, name, value, MATRIX);
}

/** What needs no conversion; null when the value is of another kind. */
function typed(heap: Heap, call: string, name: string, value: unknown): Values | null {
  if (isFloatArray(value)) {
    refuseDetached(call, name, value);
    return value.buffer === heap.buffer ? value.slice() : value;
  }
  if (!(value instanceof ResidentMatrix)) return null;
  value.address(call);
  return value.livesIn(heap) ? value : value.data;
}

function numbers(call: string, name: string, value: unknown, expected: string): Float32Array {
  if (!Array.isArray(value)) throw new TypeError(`${call}: ${name} is ${describe(value)}, expected ${expected}`);
  const result = floats(call, value.length);
  for (let i = 0; i < value.length; i++) {
    if (typeof value[i] !== "number") throw notANumber(call, `${name}[${i}]`, value[i]);
    result[i] = value[i];
  }
  return result;
}

function rows(call: string, name: string, value: readonly unknown[], cols: number, colsName: string): Float32Array {
  const first = (value[0] as ArrayLike<number>).length;
  const width = cols > 0 ? cols : first;
  const result = floats(call, value.length * width);
  for (let r = 0; r < value.length; r++) {
    const row = value[r];
    if (!Array.isArray(row) && !isFloatArray(row)) {
      throw new TypeError(`${call}: row ${r} of ${name} is ${describe(row)}, expected an array of numbers`);
    }
    if (row.length !== width) {
      const wanted = cols > 0 ? `${colsName} is ${cols}` : `row 0 has ${first}`;
      throw new RangeError(`${call}: row ${r} of ${name} has ${row.length} values, ${wanted}`);
    }
    for (let c = 0; c < width; c++) {
      if (typeof row[c] !== "number") throw notANumber(call, `${name}[${r}][${c}]`, row[c]);
      result[r * width + c] = row[c];
    }
  }
  return result;
}

/** NaN and infinities are numbers: they poison their row, which is for the caller to see. */
function notANumber(call: string, place: string, value: unknown): TypeError {
  return new TypeError(`${call}: ${place} is ${describe(value)}, expected a number`);
}

/** Zeros. */
export function floats(call: string, count: number): Float32Array {
  try {
    return new Float32Array(count);
  } catch (cause) {
    throw outOfMemory(call, count * Float32Array.BYTES_PER_ELEMENT, cause);
  }
}

/** A detached array looks empty; only using its buffer tells it from an empty one. */
function refuseDetached(call: string, name: string, value: FloatArray): void {
  if (value.length > 0) return;
  try {
    new Uint8Array(value.buffer);
  } catch {
    throw new TypeError(`${call}: the ArrayBuffer of ${name} is detached (transferred, or a view of wasm memory that has grown)`);
  }
}
