// Decimal text to number in place, without cutting the text into pieces: most of the time of reading a table.

const minus = 0x2d;
const trueMinus = 0x2212; // U+2212, which this project's own page prints
const plus = 0x2b;
const zero = 0x30;
const nine = 0x39;

export const point = 0x2e;
export const comma = 0x2c;
export type DecimalMark = typeof point | typeof comma;

const powersOfTen = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The number that text[start, end) spells, or NaN when it spells none: digits with an optional sign (+, - or U+2212),
 * one decimal mark and an exponent. Correctly rounded to double; a value beyond double's range comes out as infinity.
 *
 * Up to 15 digits and a power of ten up to 22 are both exact in double, so one multiplication or division rounds once
 * (W. D. Clinger, "How to read floating point numbers accurately", 1990); the engine's own parser takes the rest.
 */
export function scanNumber(text: string, start: number, end: number, mark: DecimalMark): number {
  let at = start;
  let code = at < end ? text.charCodeAt(at) : 0;
  const negative = code === minus || code === trueMinus;
  let spelledPlainly = code !== trueMinus && mark === point;
  if (negative || code === plus) at++;

  let mantissa = 0;
  let digits = 0;
  let fraction = 0;
  let markAt = -1;
  for (; at < end; at++) {
    code = text.charCodeAt(at);
    if (code >= zero && code <= nine) {
      mantissa = mantissa * 10 + (code - zero);
      digits++;
    } else if (code === mark && markAt < 0) {
      markAt = at;
    } else {
      break;
    }
  }
  if (digits === 0) return NaN;
  if (markAt >= 0) fraction = at - markAt - 1;

  let exponent = 0;
  if (at < end) {
    if ((code | 0x20) !== 0x65) return NaN;
    at++;
    code = at < end ? text.charCodeAt(at) : 0;
    const down = code === minus || code === trueMinus;
    spelledPlainly &&= code !== trueMinus;
    if (down || code === plus) at++;
    if (at === end) return NaN;
    for (; at < end; at++) {
      code = text.charCodeAt(at);
      if (code < zero || code > nine) return NaN;
      exponent = exponent * 10 + (code - zero);
    }
    if (down) exponent = -exponent;
  }

  const scale = exponent - fraction;
  if (digits > 15 || scale > 22 || scale < -22) {
    const spelling = text.slice(start, end);
    return Number(spelledPlainly ? spelling : spelling.replaceAll("\u2212", "-").replace(",", "."));
  }
  const value = scale < 0 ? mantissa / powersOfTen[-scale] : mantissa * powersOfTen[scale];
  return negative ? -value : value;
}

const nonFiniteWord = /^[+-]?(nan|inf|infinity)$/i;

/** NaN, Infinity or -Infinity when the cell spells one of them as Python, R or a spreadsheet writes it. */
export function nonFiniteValue(cell: string): number | undefined {
  const word = cell.replace("\u2212", "-");
  if (!nonFiniteWord.test(word)) return undefined;
  if (/nan/i.test(word)) return NaN;
  return word.startsWith("-") ? -Infinity : Infinity;
}

/** Whether the value is an integer that float32, with its 24 bits, has to round. */
export function isInexactInteger(value: number): boolean {
  return Math.fround(value) !== value && (value > 0x1000000 || value < -0x1000000) && Number.isInteger(value);
}
