/**
 * The one rounding rule for numbers on screen. A column, chart or heatmap shares one number of decimals, so that
 * its largest value has the asked significant digits; very large and very small scales are written scientifically.
 * The minus is the true minus sign, and what rounds to nothing is "0" without a sign.
 */
import { float32Text } from "../../state/number-text.js";

export type NumberFormat = (value: number) => string;

const MINUS = "\u2212";
const SMALLEST = 1e-3;
const LARGEST = 1e5;

const trueMinus = (text: string): string => text.replaceAll("-", MINUS);
const isZeroText = (text: string): boolean => !/[1-9]/.test(text);

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : `${MINUS}∞`;
  return undefined;
}

function scientific(value: number, significant: number): string {
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(significant - 1).split("e");
  return trueMinus(`${mantissa}e${Number(exponent)}`);
}

/** Decimals that give `scale` the asked significant digits, undefined where it has to be written scientifically. */
export function decimalsFor(scale: number, significant: number): number | undefined {
  if (scale === 0 || !Number.isFinite(scale)) return significant - 1;
  // 0.9999996 is written 1.00, so it counts as 1.
  const written = Number(scale.toPrecision(significant));
  if (written < SMALLEST || written >= LARGEST) return undefined;
  return Math.max(0, significant - 1 - Math.floor(Math.log10(written)));
}

/** A format for numbers that stand together; `scale` is the largest of their absolute values. */
export function formatFor(scale: number, significant = 3): NumberFormat {
  const decimals = decimalsFor(scale, significant);
  if (decimals === undefined) return (value) => special(value) ?? scientific(value, significant);
  return (value) => {
    const text = special(value) ?? value.toFixed(decimals);
    return isZeroText(text) && text.startsWith("-") ? text.slice(1) : trueMinus(text);
  };
}

/** A number that stands alone, at its own scale. */
export function formatNumber(value: number, significant = 3): string {
  return value === 0 ? "0" : formatFor(Math.abs(value), significant)(value);
}

/** A statistic: shown shorter when nothing is lost, so that 0 and 1 are not dressed up as 0.00 and 1.00. */
export function formatPlain(value: number, significant = 6): string {
  const text = formatNumber(value, significant);
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}

const FULL_LIMIT = 10_000;
const full = new Map<number, string>();

/** Every digit that the float32 has; for titles and labels. Remembered, since a scrolled matrix asks for many again. */
export function fullPrecision(value: number): string {
  if (value === 0) return trueMinus(float32Text(value)); // a Map takes 0 and −0 for one key
  let text = full.get(value);
  if (text === undefined) {
    text = special(value) ?? trueMinus(float32Text(value));
    if (full.size >= FULL_LIMIT) full.clear();
    full.set(value, text);
  }
  return text;
}

/** A parameter as a person wrote it: 1e-5 stays 1e-5. */
export function formatParameter(value: number): string {
  if (value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6)) return trueMinus(value.toExponential().replace("e+", "e"));
  return trueMinus(String(value));
}

/** The largest finite absolute value, 0 when there is none: the scale of a set of numbers. */
export function scaleOf(values: ArrayLike<number>): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > largest && size !== Infinity) largest = size;
  }
  return largest;
}
