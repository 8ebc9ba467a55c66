/** Numbers as text for links and fields: read strictly, written as short as they survive. */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const SPECIAL: Readonly<Record<string, number>> = {
  nan: NaN, inf: Infinity, "+inf": Infinity, "-inf": -Infinity,
  infinity: Infinity, "+infinity": Infinity, "-infinity": -Infinity, "∞": Infinity, "-∞": -Infinity,
};

/** The finite number that the text spells (the true minus sign counts as "-"), or undefined. */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace("\u2212", "-");
  if (!NUMBER.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** Like parseNumber, rounded to float32, and also NaN and the infinities; undefined where float32 overflows. */
export function parseFloat32(text: string): number | undefined {
  const plain = text.trim().replace("\u2212", "-").toLowerCase();
  if (Object.hasOwn(SPECIAL, plain)) return SPECIAL[plain];
  const value = parseNumber(plain);
  if (value === undefined) return undefined;
  const rounded = Math.fround(value);
  return Number.isFinite(rounded) ? rounded : undefined;
}

/** Shortest text that reads back as the same double. */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Shortest text that reads back as the same float32; "nan", "inf" and "-inf" for the others. */
export function float32Text(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return doubleText(value);
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return doubleText(short);
  }
  return doubleText(Number(value.toPrecision(9)));
}
