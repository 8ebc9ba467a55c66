// What a reader noticed and read all the same: code, facts and English sentence, as for errors.

import { formatPlace, type Place } from "./errors.js";

/** The facts that each code carries. */
export interface FileWarningDetails {
  /** Integers of more than 24 bits that float32 rounds; one of `count` stands at the place. */
  "inexact-integers": Place & { value: string; count: number };
  /** A first row of text was taken as names of the columns. */
  "header-row": { row: number; cells: string[] };
  /** `count` leading lines that begin with "# " were left out, as numpy.savetxt writes them. */
  "comment-lines": { row: number; count: number };
  /** Commas were read as decimal marks; the first stands at the place. */
  "decimal-comma": Place & { value: string };
  /** As decimal-comma, but every one of them could be a thousands separator too. */
  "ambiguous-comma": Place & { value: string };
  /** Bytes after the data were left out. */
  "trailing-bytes": { offset: number; got: number };
  /** The text is no UTF-8 from `offset` on; it was read as `encoding`. */
  "not-utf8": { offset: number; encoding: string };
}

export type FileWarningCode = keyof FileWarningDetails;

const messages: { [C in FileWarningCode]: (details: FileWarningDetails[C]) => string } = {
  "inexact-integers": (d) =>
    `${d.count} ${d.count === 1 ? "integer is" : "integers are"} too long for float32 and rounded, ` +
    `such as ${d.value} at ${formatPlace(d)}`,
  "header-row": (d) => {
    const more = d.cells.length > 8 ? ", …" : "";
    return `row ${d.row} was read as names of columns: ${d.cells.slice(0, 8).join(", ")}${more}`;
  },
  "comment-lines": (d) =>
    d.count === 1
      ? `row ${d.row} begins with # and was left out`
      : `${d.count} rows from row ${d.row} on begin with # and were left out`,
  "decimal-comma": (d) => `commas were read as decimal marks, the first at ${formatPlace(d)}: ${d.value}`,
  "ambiguous-comma": (d) =>
    "commas were read as decimal marks, but could be thousands separators: " +
    `${d.value} at ${formatPlace(d)} was read as ${d.value.replace(",", ".")}`,
  "trailing-bytes": (d) => `${d.got} ${d.got === 1 ? "byte" : "bytes"} after the data, from byte ${d.offset} on, were left out`,
  "not-utf8": (d) => `byte ${d.offset} is no UTF-8; the text was read as ${d.encoding}`,
};

export interface FileWarning<C extends FileWarningCode = FileWarningCode> {
  code: C;
  details: FileWarningDetails[C];
  message: string;
}

export function fileWarning<C extends FileWarningCode>(code: C, details: FileWarningDetails[C]): FileWarning<C> {
  return { code, details, message: messages[code](details) };
}
