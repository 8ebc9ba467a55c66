/** A matrix of a person's own numbers, and its text form for links: rows by ";", values by ",". */
import { float32Text, parseFloat32 } from "./number-text.js";

export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** tokens x features, row-major float32. */
export interface Matrix extends Shape {
  readonly data: Float32Array;
}

/** Longer tables stay out of the link: browsers and chat programs cut long addresses. */
export const TABLE_TEXT_LIMIT = 4000;

export function parseTable(text: string): Matrix | undefined {
  const lines = text.split(";").map((line) => line.split(","));
  const rows = lines.length;
  const cols = lines[0]!.length;
  const data = new Float32Array(rows * cols);
  for (const [row, line] of lines.entries()) {
    if (line.length !== cols) return undefined;
    for (const [col, cell] of line.entries()) {
      const value = parseFloat32(cell);
      if (value === undefined) return undefined;
      data[row * cols + col] = value;
    }
  }
  return { rows, cols, data };
}

/** The table as text, or "" when it is too long for a link. */
export function formatTable({ rows, cols, data }: Matrix): string {
  if (rows * cols * 2 > TABLE_TEXT_LIMIT) return "";
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    lines.push(Array.from(data.subarray(row * cols, (row + 1) * cols), float32Text).join(","));
  }
  const text = lines.join(";");
  return text.length > TABLE_TEXT_LIMIT ? "" : text;
}
