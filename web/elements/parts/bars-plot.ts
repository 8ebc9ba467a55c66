/** Draws one token's numbers with Observable Plot: bars, the mean line and the band of one sigma. */
import { axisY, plot, rect, ruleY, text } from "@observablehq/plot";
import { formatFor, scaleOf, type NumberFormat } from "./format.js";
import { paint } from "./theme.js";

export interface BarsData {
  readonly values: Float32Array;
  /** Absent where the norm takes no mean away. */
  readonly mean: number | undefined;
  readonly spread: number;
  /** What the spread is called: σ or RMS. */
  readonly spreadName: string;
}

export interface BarsFrame {
  readonly width: number;
  readonly height: number;
  readonly chosen: number;
  readonly domain: readonly [number, number];
  /** The result of a step is drawn smaller, without the axis. */
  readonly slim: boolean;
}

export interface DrawnBars {
  readonly svg: Element;
  /** Pixels from values and back. */
  readonly y: (value: number) => number;
  readonly value: (pixel: number) => number;
  readonly x: (feature: number) => number;
  readonly feature: (pixel: number) => number;
  /** Pixels of one bar. */
  readonly barWidth: number;
}

const FONT = 10;
const DIGIT = 6.1;
const LINE = 12;
const LEFT = 36;
/** Beside the spread's name: its sign, a space and a number. */
const SIDE_CHARACTERS = 7;
/** A bar's part of its place, and the pixels that it never exceeds. */
const BAR = 0.6;
const WIDEST = 48;
const EDGE = 20;
/** Below this many pixels a feature, several features share one mark. */
const FINEST = 1.5;

/** A domain with air around all that is drawn; 0 is always inside. */
export function domainOf({ values, mean, spread }: BarsData): [number, number] {
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0);
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, finite(value));
    high = Math.max(high, finite(value));
  }
  const center = finite(mean ?? 0);
  low = Math.min(low, center - finite(spread));
  high = Math.max(high, center + finite(spread));
  const air = 0.16 * (high - low) || 1;
  return [low - air, high + air];
}

/** Marks for the values: one a feature while there is room, else one for several, from their lowest to their highest. */
function marksOf(values: Float32Array, across: number, bar: number): { from: number; to: number; low: number; high: number }[] {
  const share = Math.max(1, Math.ceil((values.length * FINEST) / across));
  const marks = [];
  for (let first = 0; first < values.length; first += share) {
    const end = Math.min(values.length, first + share);
    let [low, high] = [0, 0];
    for (let i = first; i < end; i++) {
      const value = values[i]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const half = share === 1 ? bar / 2 : share / 2;
    const middle = (first + end - 1) / 2;
    marks.push({ from: middle - half, to: middle + half, low, high });
  }
  return marks;
}

/** The format with the most digits that has room over a bar, or undefined when none has. */
function labelFormat(values: Float32Array, room: number, most: number): NumberFormat | undefined {
  const scale = scaleOf(values);
  for (let digits = most; digits >= 2; digits--) {
    const format = formatFor(scale, digits);
    if (format(-scale).length * DIGIT + 2 <= room) return format;
  }
  return undefined;
}

/** Moves the labels of mean and band apart where they would overlap; pixels grow downwards. */
function spreadApart(pixels: readonly number[]): number[] {
  const [top, middle, bottom] = pixels as [number, number, number];
  return [Math.min(top, middle - LINE), middle, Math.max(bottom, middle + LINE)];
}

export function drawBars(data: BarsData, { width, height, chosen, domain, slim }: BarsFrame): DrawnBars {
  const { values, mean, spread, spreadName } = data;
  const center = mean ?? 0;
  const valid = Number.isFinite(center) && Number.isFinite(spread);
  const side = formatFor(Math.abs(center) + spread, 3);
  const sideTexts = valid
    ? [[center + spread, `+${spreadName} ${side(center + spread)}`], ...(mean === undefined ? [] : [[center, `μ ${side(center)}`]]), [center - spread, `−${spreadName} ${side(center - spread)}`]] as [number, string][]
    : [];
  // The same for all charts of a token, whatever their numbers, so that their columns stand in line and do not jump.
  const right = 8 + DIGIT * (spreadName.length + SIDE_CHARACTERS);
  const across = width - LEFT - right;
  const room = across / values.length;
  const bar = Math.min(BAR, WIDEST / room);
  const ink = paint("ink");
  const muted = paint("muted");
  const card = paint("card");
  const statistic = paint("statistic");
  const fitting = labelFormat(values, room, slim ? 3 : 4);
  const format = fitting ?? formatFor(scaleOf(values), slim ? 3 : 4);
  const labels = fitting ? Array.from(values.keys()) : [chosen];
  const end = values.length - 0.5;
  const shown = (value: number): number => (Number.isFinite(value) ? value : 0);
  // A single label near an edge is written inwards.
  const labelAnchor = fitting ? "middle" : chosen * room < EDGE ? "start" : (values.length - chosen) * room < EDGE ? "end" : "middle";
  const axisColumns = room >= 16 ? Array.from(values.keys()) : [chosen];
  const marginTop = slim ? LINE + 3 : LINE;
  const marginBottom = slim ? LINE + 3 : 2 * LINE;
  const yPixel = (value: number): number => marginTop + ((domain[1] - value) / (domain[1] - domain[0])) * (height - marginTop - marginBottom);
  const sidePixels = sideTexts.length === 3 ? spreadApart(sideTexts.map(([value]) => yPixel(value))) : sideTexts.map(([value]) => yPixel(value));
  const toValue = (pixel: number): number => domain[1] - ((pixel - marginTop) / (height - marginTop - marginBottom)) * (domain[1] - domain[0]);

  const svg = plot({
    width, height, marginLeft: LEFT, marginRight: right, marginTop, marginBottom,
    style: { background: "none", color: muted, fontSize: `${FONT}px`, fontFamily: "inherit", overflow: "visible" },
    x: { domain: [-0.5, end], axis: null },
    y: { domain: [...domain], axis: null },
    marks: [
      valid ? rect([0], { x1: -0.5, x2: end, y1: center - spread, y2: center + spread, fill: paint("band") }) : null,
      slim ? null : axisY({ ticks: 5, tickSize: 0, label: null, tickFormat: (value: number) => formatFor(Math.max(...domain.map(Math.abs)), 2)(value), fill: muted }),
      ruleY([0], { x1: -0.5, x2: end, stroke: paint("hairline") }),
      rect(marksOf(values, across, bar), { x1: "from", x2: "to", y1: "low", y2: "high", fill: paint("bar"), rx: 1 }),
      rect([shown(values[chosen]!)], { x1: chosen - Math.max(bar / 2, 1 / room), x2: chosen + Math.max(bar / 2, 1 / room), y1: 0, y2: (value: number) => value, fill: paint("stream"), rx: 1 }),
      valid && mean !== undefined ? ruleY([center], { x1: -0.5, x2: end, stroke: statistic, strokeDasharray: "4 3", strokeWidth: 1.5 }) : null,
      text(labels.filter((feature) => values[feature]! >= 0), { x: (feature) => feature, y: (feature) => shown(values[feature]!), text: (feature) => format(values[feature]!), dy: -5, lineAnchor: "bottom", textAnchor: labelAnchor, fill: ink, stroke: card, strokeWidth: 3 }),
      text(labels.filter((feature) => !(values[feature]! >= 0)), { x: (feature) => feature, y: (feature) => shown(values[feature]!), text: (feature) => format(values[feature]!), dy: 5, lineAnchor: "top", textAnchor: labelAnchor, fill: ink, stroke: card, strokeWidth: 3 }),
      text(sideTexts.map(([, label], i) => ({ label, at: toValue(sidePixels[i]!) })), { x: end, y: "at", text: "label", dx: 6, textAnchor: "start", fill: statistic }),
      slim ? null : text(axisColumns, { x: (feature) => feature, frameAnchor: "bottom", text: String, dy: LINE + 6, fill: muted }),
    ],
  });
  svg.querySelectorAll("style").forEach((style) => style.remove());
  const xScale = (feature: number): number => LEFT + ((feature + 0.5) / values.length) * across;
  return {
    svg, y: yPixel, value: toValue, x: xScale, barWidth: Math.max(2, room * bar),
    feature: (pixel) => Math.max(0, Math.min(values.length - 1, Math.floor((pixel - LEFT) / room))),
  };
}
