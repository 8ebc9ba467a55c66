/** Sizes and number formats of a heatmap: as many digits as its cells have room for. */
import { formatFor, type NumberFormat } from "./format.js";
import { VirtualAxis } from "./virtual-axis.js";

export interface HeatmapLayout {
  readonly rows: VirtualAxis;
  readonly cols: VirtualAxis;
  readonly headWidth: number;
  readonly headHeight: number;
  /** Smaller type, for phones. */
  readonly tight: boolean;
  readonly statWidths: readonly number[];
  readonly format: NumberFormat;
  readonly statFormats: readonly NumberFormat[];
}

/** All in units of the reader's font size. */
const ROW_HEIGHT = 2;
/** Few rows may stand taller. */
const TALL_ROW = 2.4;
const FEW_ROWS = 8;
const NARROWEST = 1.5;
const WIDEST = 4;
const HEAD_HEIGHT = 1.8;
const FONT = 0.66;
const TIGHT_FONT = 0.62;
/** Widths from which there is room for normal type, for taller rows, and for more digits beside the matrix. */
const NORMAL = 19.5;
const ROOMY = 26;
/** Width of a digit of common monospace fonts over the font size. */
const DIGIT = 0.605;
const PADDING = 0.2;
const TIGHT_PADDING = 0.22;
const MOST_DIGITS = 4;
const FEWEST_DIGITS = 2;
const SCROLLED_DIGITS = 3;

interface Measures {
  readonly rows: number;
  readonly cols: number;
  /** The largest absolute value of the cells, and of each statistics column. */
  readonly scale: number;
  readonly statScales: readonly number[];
  /** Pixels: of the element, and of the reader's font size. */
  readonly width: number;
  readonly unit: number;
}

export function layoutHeatmap({ rows, cols, scale, statScales, width, unit }: Measures): HeatmapLayout {
  const tight = width < NORMAL * unit;
  const textWidth = (characters: number): number => (characters * DIGIT * (tight ? TIGHT_FONT : FONT) + (tight ? TIGHT_PADDING : PADDING)) * unit;
  const needed = (format: NumberFormat, largest: number): number => textWidth(Math.max(format(-largest).length, format(0).length));
  const headWidth = textWidth(String(rows - 1).length) + (tight ? 0 : 0.35 * unit);
  const statFormats = statScales.map((largest) => formatFor(largest, width > ROOMY * unit || largest >= 10 ? 3 : FEWEST_DIGITS));
  const statWidths = statFormats.map((format, i) => needed(format, statScales[i]!) + 0.4 * unit);
  const room = width - headWidth - statWidths.reduce((sum, w) => sum + w, 0);
  const fair = Math.max(NARROWEST * unit, Math.min(WIDEST * unit, room / cols));
  let digits = MOST_DIGITS;
  while (digits > FEWEST_DIGITS && needed(formatFor(scale, digits), scale) > fair) digits--;
  // A matrix that has to be scrolled anyway may as well have wider cells.
  if (needed(formatFor(scale, digits), scale) * cols > room) digits = Math.max(digits, SCROLLED_DIGITS);
  const format = formatFor(scale, digits);
  // Where it all fits, fractions of a pixel are no harm; where it scrolls, whole pixels keep the lines sharp.
  const size = Math.max(fair, needed(format, scale));
  return {
    rows: new VirtualAxis(rows, Math.round((rows <= FEW_ROWS && !tight ? TALL_ROW : ROW_HEIGHT) * unit)),
    cols: new VirtualAxis(cols, size * cols > room ? Math.ceil(size) : Math.floor(size * 4) / 4),
    headWidth, statWidths, format, statFormats, tight, headHeight: Math.round(HEAD_HEIGHT * unit),
  };
}
