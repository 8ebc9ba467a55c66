// Splits the text of a table into rows of cells, without cutting the text: a cell is a range of positions.

import { FileError } from "./errors.js";

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quotationMark = 0x22;
const noBreakSpace = 0xa0;

export type Separator = "\t" | ";" | "," | " ";

/**
 * The separator of a table: the first of tab, semicolon and comma that stands outside quotation marks in its first two
 * rows, else runs of spaces. Blank rows and comments do not count.
 */
export function findSeparator(text: string): Separator {
  let seen = "";
  for (let start = 0, found = 0; start < text.length && found < 2; ) {
    let quoted = false;
    let outside = "";
    let end = start;
    for (; end < text.length && (quoted || !isLineEnd(text.charCodeAt(end))); end++) {
      const character = text[end];
      if (character === '"') quoted = !quoted;
      else if (!quoted && "\t;,".includes(character) && !outside.includes(character)) outside += character;
    }
    if (!isComment(text, start) && text.slice(start, end).trim() !== "") {
      seen += outside;
      found++;
    }
    start = end + 1;
  }
  return (["\t", ";", ","] as const).find((separator) => seen.includes(separator)) ?? " ";
}

/** Whether a row that starts here is as numpy.savetxt writes its header: "# " and text. */
function isComment(text: string, start: number): boolean {
  return /^[ \t]*#(\s|$)/.test(text.slice(start, start + 80));
}

/** A cursor over rows: after next(), cell c is text[starts[c], ends[c]), without quotation marks and outer space. */
export class TableRows {
  /** Counts from 1 and counts every row of the text, as a spreadsheet does. */
  row = 0;
  cells = 0;
  rowStart = 0;
  at = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  #quoted = false;
  readonly #separator: number;

  constructor(private readonly text: string, separator: Separator) {
    this.#separator = separator.charCodeAt(0);
  }

  get blank(): boolean {
    return this.cells === 0 || (this.cells === 1 && !this.#quoted && this.starts[0] === this.ends[0]);
  }

  get comment(): boolean {
    return isComment(this.text, this.rowStart);
  }

  /** A cell's text as the person sees it. */
  cell(index: number): string {
    return this.text.slice(this.starts[index], this.ends[index]).replaceAll('""', '"');
  }

  /**
   * Moves to the next row; false at the end of the text.
   * @throws FileError unclosed-quote, stray-quote.
   */
  next(): boolean {
    const { text } = this;
    const { length } = text;
    if (this.at >= length) return false;
    this.row++;
    this.rowStart = this.at;
    this.cells = 0;
    this.#quoted = false;
    while (this.#cell());
    if (this.at < length) this.at += text.startsWith("\r\n", this.at) ? 2 : 1;
    return true;
  }

  /** Reads one cell and the separator after it; false when the row ended instead. */
  #cell(): boolean {
    const { text } = this;
    const separator = this.#separator;
    const { length } = text;
    let at = this.at;
    let code = 0;
    while (at < length && isPadding((code = text.charCodeAt(at))) && (code !== separator || separator === space)) at++;
    if (separator === space && (at >= length || isLineEnd(code))) {
      this.at = at;
      return false;
    }
    const start = at;
    if (code === quotationMark) return this.#quotedCell(start);
    let last = start;
    for (; at < length; at++) {
      code = text.charCodeAt(at);
      if (code === separator || isLineEnd(code)) break;
      if (!isPadding(code)) last = at + 1;
    }
    return this.#finishCell(start, last, at);
  }

  #quotedCell(open: number): boolean {
    const { text } = this;
    let close = open;
    do {
      close = text.indexOf('"', close + 1);
      if (close < 0) throw new FileError("unclosed-quote", { row: this.row, column: this.cells + 1 });
    } while (text.charCodeAt(close + 1) === quotationMark && ++close);
    this.#quoted = true;
    let at = close + 1;
    while (at < text.length && isPadding(text.charCodeAt(at)) && text.charCodeAt(at) !== this.#separator) at++;
    const code = at < text.length ? text.charCodeAt(at) : lineFeed;
    if (code !== this.#separator && !isLineEnd(code)) {
      const value = text.slice(at, at + 41).split(/[\r\n]/, 1)[0];
      throw new FileError("stray-quote", { row: this.row, column: this.cells + 1, value });
    }
    return this.#finishCell(open + 1, close, at);
  }

  #finishCell(start: number, end: number, at: number): boolean {
    this.starts[this.cells] = start;
    this.ends[this.cells] = end;
    this.cells++;
    const ended = at >= this.text.length || this.text.charCodeAt(at) !== this.#separator;
    this.at = ended ? at : at + 1;
    return !ended;
  }
}

function isPadding(code: number): boolean {
  return code === space || code === tab || code === noBreakSpace;
}

function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}
