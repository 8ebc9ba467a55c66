/** The part of a batch that the small multiples show: a page of tokens of every sequence, and a page of features. */
import type { Batch } from "../../state/compute-compare.js";
import type { Place } from "../parts/grid-keys.js";

export const PAGE = 8;

export interface MapWindow {
  readonly sequences: number;
  /** Rows of a whole sequence. */
  readonly length: number;
  readonly firstToken: number;
  /** Shown rows of each sequence. */
  readonly tokens: number;
  readonly firstCol: number;
  readonly cols: number;
}

const pageOf = (index: number, count: number): { first: number; size: number } => {
  const first = Math.floor(index / PAGE) * PAGE;
  return { first, size: Math.min(PAGE, count - first) };
};

/** The pages that hold a token and a feature. */
export function windowAround({ sequences, tokens: length, cols }: Batch, token: number, feature: number): MapWindow {
  const rows = pageOf(token, length);
  const columns = pageOf(feature, cols);
  return { sequences, length, firstToken: rows.first, tokens: rows.size, firstCol: columns.first, cols: columns.size };
}

/** Rows and columns of the window to those of the batch, and back. */
export const toBatch = ({ length, firstToken, tokens, firstCol }: MapWindow, { row, col }: Place): Place =>
  ({ row: Math.floor(row / tokens) * length + firstToken + (row % tokens), col: firstCol + col });

export function toWindow({ length, firstToken, tokens, firstCol, cols }: MapWindow, { row, col }: Place): Place | undefined {
  const [token, column] = [(row % length) - firstToken, col - firstCol];
  if (token < 0 || token >= tokens || column < 0 || column >= cols) return undefined;
  return { row: Math.floor(row / length) * tokens + token, col: column };
}

/** CSS grid lines: the first track holds the heads, and a thin one stands between two sequences. */
export const rowLine = ({ tokens }: MapWindow, row: number): number => 2 + row + Math.floor(row / tokens);
export const colLine = (col: number): number => 2 + col;
