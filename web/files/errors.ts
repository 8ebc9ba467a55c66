// The one error of the readers: a stable code, the facts, and the English sentence made from them.

/** A cell: row and column count from 1, as a spreadsheet does; index counts from 0, as NumPy does (arrays only). */
export interface Place {
  row: number;
  column: number;
  index?: number[];
}

/** The facts that each code carries. A page translates by code and puts these in. */
export interface FileErrorDetails {
  "empty-file": { got: number };
  "too-large": { got: number; limit: number };
  "out-of-memory": { got: number };
  "unknown-format": { offset: number; got: string };
  "unsupported-format": { format: string };
  "wrong-magic": { format: string; offset: number; expected: string; got: string };
  "unsupported-version": { format: string; got: string; expected: string };
  "bad-header": { format: string; offset: number; expected: string; got: string };
  truncated: { offset: number; expected: number; got: number };
  "unsupported-dtype": { value: string; kind: string };
  "bad-shape": { value: string; expected: string };
  "zero-size": { shape: number[] };
  "zero-dimensions": { value: string };
  "duplicate-name": { value: string };
  "bad-offsets": { begin: number; end: number; expected: string };
  "archive-too-large": { got: number; limit: number };
  "bad-archive": { offset: number; expected: string; got: string };
  "corrupt-data": { expected: string; got: string };
  "no-arrays": { format: string };
  "bad-json": { row: number; column: number; offset: number; expected: string; got: string };
  "json-not-an-array": { got: string };
  "ragged-nesting": { index: number[]; expected: string; got: string };
  "no-numbers": { got: number };
  "ragged-rows": { row: number; got: number; firstRow: number; expected: number };
  "empty-row": { row: number };
  "empty-cell": Place;
  "not-a-number": Place & { value: string };
  "thousands-separator": Place & { value: string };
  "mixed-decimal": Place & { value: string };
  "unclosed-quote": Place;
  "stray-quote": Place & { value: string };
  "non-finite": Place & { value: string };
  overflow: Place & { value: string };
}

export type FileErrorCode = keyof FileErrorDetails;

/** A matrix of at most two dimensions is placed by row and column alone, a larger array also by its slice. */
export function formatPlace({ row, column, index }: Place): string {
  const slice = index && index.length > 2 ? ` of slice [${index.slice(0, -2).join(", ")}]` : "";
  return `row ${row}, column ${column}${slice}`;
}

export function formatShape(shape: number[]): string {
  return shape.length === 0 ? "()" : shape.join(" x ");
}

const indexPath = (index: number[]) => index.map((i) => `[${i}]`).join("");
const cells = (count: number) => `${count} ${count === 1 ? "cell" : "cells"}`;
const bytes = (count: number) => `${count} ${count === 1 ? "byte" : "bytes"}`;
const quote = (value: string) => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
const size = (count: number) => (count < 2 ** 20 ? bytes(count) : `${Math.ceil((count / 2 ** 20) * 10) / 10} MiB`);

const messages: { [C in FileErrorCode]: (details: FileErrorDetails[C]) => string } = {
  "empty-file": () => "the file is empty (0 bytes)",
  "too-large": (d) => `${size(d.got)} is more than the limit of ${size(d.limit)}`,
  "out-of-memory": (d) => `there is not enough memory to read ${size(d.got)}`,
  "unknown-format": (d) =>
    `not a kind of file that is read here: byte ${d.offset} on is ${d.got}; ` +
    ".npy, .npz, .safetensors, .json and tables of text (.csv, .tsv, .txt) are",
  "unsupported-format": (d) => `this is ${d.format}; save the array as .npy, .npz, .safetensors, .csv or .json instead`,
  "wrong-magic": (d) => `not a ${d.format} file: byte ${d.offset} on should be ${d.expected}, it is ${d.got}`,
  "unsupported-version": (d) => `${d.format} version ${d.got} is not read, only ${d.expected}`,
  "bad-header": (d) => `the ${d.format} header cannot be read at byte ${d.offset}: expected ${d.expected}, got ${d.got}`,
  truncated: (d) =>
    `the file is cut off: ${bytes(d.expected)} should follow from byte ${d.offset} on, ` +
    `${d.got} ${d.got === 1 ? "is" : "are"} there`,
  "unsupported-dtype": (d) => `values of type ${quote(d.value)} (${d.kind}) cannot be shown as float32 numbers`,
  "bad-shape": (d) => `shape ${d.value}: expected ${d.expected}`,
  "zero-size": (d) => `the shape is ${formatShape(d.shape)}: there is nothing to show`,
  "zero-dimensions": (d) => `a single number (${d.value}) has no rows and columns to show`,
  "duplicate-name": (d) => `the name ${quote(d.value)} occurs twice`,
  "bad-offsets": (d) => `the data offsets [${d.begin}, ${d.end}] are wrong: expected ${d.expected}`,
  "archive-too-large": (d) => `unpacked, the archive would hold ${size(d.got)}, the limit is ${size(d.limit)}`,
  "bad-archive": (d) => `the archive cannot be read at byte ${d.offset}: expected ${d.expected}, got ${d.got}`,
  "corrupt-data": (d) => `the packed data is damaged: expected ${d.expected}, got ${d.got}`,
  "no-arrays": (d) => `the ${d.format} file holds no arrays`,
  "bad-json": (d) => `line ${d.row}, column ${d.column}: expected ${d.expected}, got ${d.got}`,
  "json-not-an-array": (d) => `expected an array of numbers, got ${d.got}`,
  "ragged-nesting": (d) => `${indexPath(d.index)}: expected ${d.expected}, got ${d.got}`,
  "no-numbers": () => "the text holds no numbers",
  "ragged-rows": (d) => `row ${d.row} has ${cells(d.got)}, row ${d.firstRow} has ${d.expected}`,
  "empty-row": (d) => `row ${d.row} is empty`,
  "empty-cell": (d) => `${formatPlace(d)} is empty`,
  "not-a-number": (d) => `${formatPlace(d)}: ${quote(d.value)} is not a number`,
  "thousands-separator": (d) => `${formatPlace(d)}: ${quote(d.value)} has a thousands separator; write the digits without one`,
  "mixed-decimal": (d) => `${formatPlace(d)}: ${quote(d.value)} and cells before it use different decimal marks`,
  "unclosed-quote": (d) => `${formatPlace(d)}: the quotation mark that opens here is never closed`,
  "stray-quote": (d) => `${formatPlace(d)}: ${quote(d.value)} follows a closing quotation mark`,
  "non-finite": (d) => `${formatPlace(d)}: ${d.value} is not a finite number`,
  overflow: (d) => `${formatPlace(d)}: ${d.value} is beyond the largest float32, 3.4028235e+38`,
};

/**
 * What is wrong with a person's file or pasted text. `code` is stable, `details` holds the facts for a translation,
 * `tensor` names the array when the file has several, `message` says all of it in English.
 */
export class FileError<C extends FileErrorCode = FileErrorCode> extends Error {
  override readonly name = "FileError";
  readonly code: C;
  readonly details: FileErrorDetails[C];
  readonly tensor: string | undefined;

  constructor(code: C, details: FileErrorDetails[C], tensor?: string) {
    super((tensor === undefined ? "" : `${tensor}: `) + messages[code](details));
    this.code = code;
    this.details = details;
    this.tensor = tensor;
  }

  /** The same fault, told of one array among several. */
  within(tensor: string): FileError<C> {
    return new FileError(this.code, this.details, tensor);
  }
}
