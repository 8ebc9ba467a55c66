// Reads a table of numbers from text: pasted from a spreadsheet, or a .csv, .tsv or .txt file.

import { FileError, type Place } from "./errors.js";
import { GrowingFloats } from "./growing-floats.js";
import { comma, isInexactInteger, nonFiniteValue, point, scanNumber, type DecimalMark } from "./numbers.js";
import { defaultMaxBytes, refusingOutOfMemory, type ReadOptions } from "./options.js";
import { findSeparator, TableRows, type Separator } from "./table-rows.js";
import type { Matrix } from "./tensor.js";
import { fileWarning, type FileWarning } from "./warnings.js";

export interface Table extends Matrix {
  /** The cells of a first row of text, null when the first row holds numbers. */
  header: string[] | null;
  separator: Separator;
  warnings: FileWarning[];
}

const digitGroups = /^[+\-\u2212]?\d{1,3}(?:[,.'\u2019 \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?$/;
const commaGroup = /^[+\-\u2212]?[1-9]\d{0,2},\d{3}$/;
const missingValue = /^(?:n\/?a|null|none|nil)$/i;

/**
 * Rows of cells: separated by tabs, semicolons, commas or spaces (found by looking), with or without quotation marks,
 * any line ends, U+2212 or "-" as minus. In tables with tabs or semicolons the decimal mark may be a comma. A first row
 * of text is the header; leading "# " lines are left out; both are reported in the result. Values are rounded to float32.
 * @throws FileError no-numbers, ragged-rows, empty-row, empty-cell, not-a-number, thousands-separator, mixed-decimal,
 * unclosed-quote, stray-quote, non-finite, overflow, too-large. Rows and columns count from 1, the header included.
 */
export function readTable(text: string, options: Omit<ReadOptions, "onRefused"> = {}): Table {
  const limit = options.maxBytes ?? defaultMaxBytes;
  if (text.length > limit) throw new FileError("too-large", { got: text.length, limit });
  return refusingOutOfMemory(text.length, () => new TableReader(text.replace(/^\ufeff/, ""), options).read());
}

class TableReader {
  readonly #text: string;
  readonly #allowNonFinite: boolean;
  readonly #separator: Separator;
  readonly #rows: TableRows;
  readonly #values = new GrowingFloats();
  #mark: DecimalMark = point;
  #dataStart = 0;
  #firstComma: (Place & { value: string }) | undefined;
  #onlyCommaGroups = true;
  #inexact: (Place & { value: string }) | undefined;
  #inexactCount = 0;

  constructor(text: string, options: ReadOptions) {
    this.#text = text;
    this.#allowNonFinite = options.allowNonFinite ?? false;
    this.#separator = findSeparator(text);
    this.#rows = new TableRows(text, this.#separator);
  }

  read(): Table {
    const rows = this.#rows;
    let header: string[] | null = null;
    let firstRow = 0;
    let cols = 0;
    let count = 0;
    let blankRow = 0;
    let firstComment = 0;
    let comments = 0;

    while (rows.next()) {
      if (rows.blank) {
        if (count > 0) blankRow ||= rows.row;
        continue;
      }
      if (firstRow === 0) {
        if (rows.comment) {
          firstComment ||= rows.row;
          comments++;
          continue;
        }
        firstRow = rows.row;
        cols = rows.cells;
        this.#dataStart = rows.rowStart;
        if (isHeader(rows)) {
          header = Array.from({ length: cols }, (_, column) => rows.cell(column));
          this.#dataStart = rows.at;
          continue;
        }
      }
      if (blankRow) throw new FileError("empty-row", { row: blankRow });
      if (rows.cells !== cols) throw new FileError("ragged-rows", { row: rows.row, got: rows.cells, firstRow, expected: cols });
      this.#readRow();
      count++;
    }
    if (count === 0) throw nothingToShow(header, firstRow, this.#text);

    const warnings: FileWarning[] = [];
    if (comments) warnings.push(fileWarning("comment-lines", { row: firstComment, count: comments }));
    if (header) warnings.push(fileWarning("header-row", { row: firstRow, cells: header }));
    if (this.#firstComma) {
      warnings.push(fileWarning(this.#onlyCommaGroups ? "ambiguous-comma" : "decimal-comma", this.#firstComma));
    }
    if (this.#inexact) warnings.push(fileWarning("inexact-integers", { ...this.#inexact, count: this.#inexactCount }));
    return { rows: count, cols, data: this.#values.finish(), header, separator: this.#separator, warnings };
  }

  #readRow(): void {
    const { starts, ends, cells } = this.#rows;
    for (let column = 0; column < cells; column++) {
      let value = scanNumber(this.#text, starts[column], ends[column], this.#mark);
      if (value !== value) value = this.#readUnusual(column);
      const rounded = Math.fround(value);
      if (rounded !== value || rounded - rounded !== 0) this.#checkRounding(column, value, rounded);
      if (this.#onlyCommaGroups && this.#mark === comma) this.#checkCommaGroup(column);
      this.#values.push(rounded);
    }
  }

  /** A cell that is no number in the table's decimal mark: an allowed NaN or infinity, a decimal comma, or an error. */
  #readUnusual(column: number): number {
    const at = this.#at(column);
    const value = this.#rows.cell(column);
    if (value === "") throw new FileError("empty-cell", at);
    const nonFinite = nonFiniteValue(value);
    if (nonFinite !== undefined) {
      if (this.#allowNonFinite) return nonFinite;
      throw new FileError("non-finite", { ...at, value });
    }
    if (this.#separator === "\t" || this.#separator === ";") {
      const number = scanNumber(value, 0, value.length, this.#mark === point ? comma : point);
      if (!Number.isNaN(number)) {
        const earlierPoint = this.#text.indexOf(".", this.#dataStart);
        if (this.#mark === comma || (earlierPoint >= 0 && earlierPoint < this.#rows.starts[column])) {
          throw new FileError("mixed-decimal", { ...at, value });
        }
        this.#mark = comma;
        this.#firstComma = { ...at, value };
        return number;
      }
    }
    throw new FileError(digitGroups.test(value) ? "thousands-separator" : "not-a-number", { ...at, value });
  }

  #checkRounding(column: number, value: number, rounded: number): void {
    if (!Number.isFinite(rounded)) {
      const cell = this.#rows.cell(column);
      if (nonFiniteValue(cell) === undefined) throw new FileError("overflow", { ...this.#at(column), value: cell });
    } else if (isInexactInteger(value) && this.#inexactCount++ === 0) {
      this.#inexact = { ...this.#at(column), value: this.#rows.cell(column) };
    }
  }

  #checkCommaGroup(column: number): void {
    const value = this.#rows.cell(column);
    if (value.includes(",")) this.#onlyCommaGroups = commaGroup.test(value);
  }

  #at(column: number): Place {
    return { row: this.#rows.row, column: column + 1 };
  }
}

/** A row of names: none of its cells is a number or the mark of a missing one, and some cell has a letter. */
function isHeader(rows: TableRows): boolean {
  let letters = false;
  for (let column = 0; column < rows.cells; column++) {
    const cell = rows.cell(column);
    if (isNumberLike(cell) || missingValue.test(cell)) return false;
    letters ||= /\p{L}/u.test(cell);
  }
  return letters;
}

function isNumberLike(cell: string): boolean {
  return (
    !Number.isNaN(scanNumber(cell, 0, cell.length, point)) ||
    !Number.isNaN(scanNumber(cell, 0, cell.length, comma)) ||
    nonFiniteValue(cell) !== undefined ||
    digitGroups.test(cell)
  );
}

function nothingToShow(header: string[] | null, row: number, text: string): FileError {
  if (!header) return new FileError("no-numbers", { got: text.length });
  const column = header.findIndex((cell) => cell !== "");
  return new FileError("not-a-number", { row, column: column + 1, value: header[column] });
}
