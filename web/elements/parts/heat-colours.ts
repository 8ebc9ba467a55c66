/** The diverging scale centred on 0: colours interpolated in OKLab, and for each the text colour that can be read on it. */
import { colour, type Theme } from "./theme.js";

type Triple = readonly [number, number, number];

export interface HeatColour {
  readonly fill: string;
  readonly text: string;
  /** The fill as bytes, for canvas. */
  readonly bytes: Triple;
}

const READABLE = 4.5;
const HALF = 128;
/** How far the rows that are not chosen are drawn towards the card. */
const DIMMED = 0.68;

const toLinear = (byte: number): number => (byte <= 10.31475 ? byte / 3294.6 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const toByte = (linear: number): number =>
  Math.round(255 * Math.min(1, Math.max(0, linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055)));

export function bytesOf(hex: string): Triple {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const hexOf = (bytes: Triple): string => `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/** Björn Ottosson's OKLab, https://bottosson.github.io/posts/oklab/ */
function toLab([red, green, blue]: Triple): Triple {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

const mix = (from: Triple, to: Triple, part: number): Triple =>
  [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part, from[2] + (to[2] - from[2]) * part];

const luminance = ([red, green, blue]: Triple): number => 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);

/** WCAG's contrast ratio of two #rrggbb colours. */
export function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(bytesOf(a)), luminance(bytesOf(b))].sort((p, q) => p - q);
  return (light! + 0.05) / (dark! + 0.05);
}

function shade(lab: Triple, candidates: readonly string[]): HeatColour {
  const bytes = fromLab(lab);
  const fill = hexOf(bytes);
  // Black or white always reaches 4.5:1, so one of the candidates does.
  return { fill, bytes, text: candidates.find((candidate) => contrast(candidate, fill) >= READABLE)! };
}

export class HeatColours {
  readonly #strong: readonly HeatColour[];
  readonly #dimmed: readonly HeatColour[];

  constructor(theme: Theme) {
    const [negative, zero, positive, card] = (["heatNegative", "heatZero", "heatPositive", "card"] as const).map((name) => toLab(bytesOf(colour(name, theme))));
    const quiet = hexOf(fromLab(mix(toLab(bytesOf(colour("muted", theme))), toLab(bytesOf(colour("ink", theme))), 0.35)));
    const texts = [colour("ink", theme), colour("card", theme), colour("ground", theme), "#000000", "#ffffff"];
    const scale = Array.from({ length: 2 * HALF + 1 }, (_, i) => mix(zero!, i < HALF ? negative! : positive!, Math.abs(i - HALF) / HALF));
    this.#strong = scale.map((lab) => shade(lab, texts));
    this.#dimmed = scale.map((lab) => shade(mix(lab, card!, DIMMED), [colour("muted", theme), quiet, ...texts]));
  }

  /** The colour of a finite value on a scale from -largest to largest. */
  at(value: number, largest: number, dimmed = false): HeatColour {
    const part = largest > 0 ? Math.max(-1, Math.min(1, value / largest)) : 0;
    return (dimmed ? this.#dimmed : this.#strong)[HALF + Math.round(part * HALF)]!;
  }

  /** The whole scale as a CSS gradient, negative to positive. */
  get gradient(): string {
    return `linear-gradient(to right, ${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => this.#strong[(i * HALF) / 4]!.fill).join(", ")})`;
  }
}

const made = new Map<Theme, HeatColours>();

export function heatColours(theme: Theme): HeatColours {
  let colours = made.get(theme);
  if (!colours) made.set(theme, (colours = new HeatColours(theme)));
  return colours;
}
