/** What a worked-out number is written with: pieces in their colour roles, and the letters of the chain's nodes. */
import type { ChainNode } from "../../state/compute.js";
import { formatFor, scaleOf } from "../parts/format.js";
import { halfOf, nameOf, wiringOf } from "./labels.js";

export interface Piece {
  readonly text: string;
  readonly role?: "stream" | "branch" | "statistic" | "parameter" | "result";
}

export interface WorkedNode {
  readonly tex: string;
  readonly numbers: readonly Piece[];
}

export interface Entry {
  readonly row: number;
  readonly col: number;
}

export const DIGITS = 5;
/** Products of a row of W that are written out; longer sums show their beginning and their end. */
const MOST_TERMS = 4;

export const classed = (role: string, tex: string): string => String.raw`\class{${role}}{${tex}}`;

export const text = (value: string): Piece => ({ text: value });
/** "−3" inside a longer expression is "(−3)". */
export const guarded = (value: string): string => (value.startsWith("\u2212") ? `(${value})` : value);
export const valueAt = ({ data, cols }: ChainNode, { row, col }: Entry): number => data[row * cols + col]!;
export const rowOf = ({ data, cols }: ChainNode, row: number): Float32Array => data.subarray(row * cols, (row + 1) * cols);

/** The letter for a node's numbers in formulas. `real`: the sublayers are attention and feed-forward. */
export function letter(id: string, real = false): string {
  const name = nameOf(id);
  if (name === "x") return "x";
  if (name.startsWith("f") && real) return String.raw`\mathrm{${halfOf(id) === 1 ? "Attn" : "FFN"}}`;
  if (name.startsWith("f")) return `F_${halfOf(id)}`;
  if (name === "branches") return "b";
  if (wiringOf(id) === "parallel") return name === "norm1" ? "n" : "y";
  if (wiringOf(id) === "post") return { sum1: "s", norm1: "h", sum2: "t", norm2: "y" }[name as "sum1"];
  return { norm1: "n", sum1: "h", norm2: "m", sum2: "y" }[name as "sum1"];
}

/** The entry of token t and feature i, in symbols. */
export function symbol(id: string, role = "", real = false): string {
  const base = letter(id, real);
  const tex = `${id.includes(".f") && !real ? `(${base})` : base}_{t,i}`;
  return role ? classed(role, tex) : tex;
}

/** "h[3, 2] = ", which says whose numbers follow. */
export const named = (id: string, { row, col }: Entry): Piece => text(`${letter(id).replace("_", "")}[${row}, ${col}] = `);

interface Factors {
  readonly values: Float32Array;
  readonly role: NonNullable<Piece["role"]>;
}

/** The sum of the products of two rows, written out. */
export function products(a: Factors, b: Factors): Piece[] {
  const [formatA, formatB] = [formatFor(scaleOf(a.values), 4), formatFor(scaleOf(b.values), 4)];
  const count = a.values.length;
  const shown = count <= MOST_TERMS ? [...a.values.keys()] : [0, 1, 2, count - 1];
  return shown.flatMap((k, i): Piece[] => [
    ...(i ? [text(i === 3 && count > MOST_TERMS ? " + … + " : " + ")] : []),
    { text: guarded(formatA(a.values[k]!)), role: a.role }, text("·"), { text: guarded(formatB(b.values[k]!)), role: b.role },
  ]);
}
