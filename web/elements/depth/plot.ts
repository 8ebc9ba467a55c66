/** Draws the curves with Observable Plot: RMS on a logarithmic axis over the places in the stack. */
import { axisY, dot, line, plot, ruleX, ruleY, text, type Markish } from "@observablehq/plot";
import type { DepthVariant } from "../../state/depth-variants.js";
import { formatNumber } from "../parts/format.js";
import { paint } from "../parts/theme.js";
import { decadesOf, placesOf, powerText } from "./decades.js";
import { drawNames, roomFor, type LineName } from "./line-names.js";
import { lineStyles } from "./line-styles.js";

export interface DepthSeries {
  readonly variant: DepthVariant;
  readonly name: string;
  /** One a place: layers + 1. */
  readonly values: readonly number[];
}

export interface DepthFrame {
  readonly width: number;
  readonly height: number;
  /** Where the lines end and are named: at the left for gradients. */
  readonly ends: "left" | "right";
  /** What is said under the plot: at its ends, and between them which way the signal goes. */
  readonly under: readonly [first: string, flow: string, last: string];
}

export interface DrawnDepth {
  readonly svg: Element;
  /** Pixels from a place and a value, and the place from a pixel. */
  readonly x: (place: number) => number;
  readonly y: (value: number) => number;
  readonly place: (pixel: number) => number;
  /** The plot's own top and bottom. */
  readonly top: number;
  readonly bottom: number;
}

const FONT = 10.5;
const AXIS = 44;
const TOP = 10;
/** The places, and under them what lies at both ends. */
const BOTTOM = 42;
/** The strip for what has no place on the axis: 0 below it, ∞ and NaN above it. */
const STRIP = 24;
const NARROW = 520;
const TICK_ROOM = 34;
/** Markers closer than this would run into one band. */
const MARKER_ROOM = 10;

const fits = (value: number): boolean => value > 0 && value < Infinity;
/** NaN has the place of ∞: both come from numbers that are too large. */
const isBeyond = (value: number): boolean => !(value < Infinity);

export function drawDepth(series: readonly DepthSeries[], { width, height, ends, under }: DepthFrame): DrawnDepth {
  const layers = series[0]!.values.length - 1;
  const all = series.flatMap(({ values }) => values);
  const [hasZero, hasBeyond] = [all.includes(0), all.some(isBeyond)];
  const narrow = width < NARROW;
  const toLeft = ends === "left";
  const endPlace = toLeft ? 0 : layers;
  const unplaced = series.map(({ variant, name, values }): LineName =>
    ({ name, value: narrow ? "" : formatNumber(values[endPlace]!, 2), colour: lineStyles[variant].colour, y: 0 }));
  const room = roomFor(unplaced);
  const [marginLeft, marginRight] = toLeft ? [room, AXIS] : [AXIS, room];
  const marginTop = TOP + (hasBeyond ? STRIP : 0);
  const marginBottom = BOTTOM + (hasZero ? STRIP : 0);
  const [left, right, top, bottom] = [marginLeft, width - marginRight, marginTop, height - marginBottom];
  const { low, high, ticks } = decadesOf(all, Math.floor((bottom - top) / TICK_ROOM));

  const x = (place: number): number => left + (place / layers) * (right - left);
  const y = (value: number): number =>
    value === 0 ? bottom + STRIP / 2 : isBeyond(value) ? top - STRIP / 2 : top + ((high - Math.log10(value)) / (high - low)) * (bottom - top);

  const share = Math.max(1, Math.ceil((layers * MARKER_ROOM) / (right - left)));
  /** Lines that lie on each other take turns in being marked. */
  const marked = (i: number): number[] => {
    const turn = Math.floor((i * share) / series.length);
    return Array.from({ length: layers + 1 }, (_, place) => place).filter((place) => place % share === turn || place === endPlace);
  };
  const powers = ticks.map((power) => 10 ** power);

  const curve = ({ variant, values }: DepthSeries, i: number): Markish[] => {
    const { colour: role, dash, marker } = lineStyles[variant];
    const look = { symbol: marker, r: 3.5, fill: paint(role), stroke: paint("card"), strokeWidth: 0.75 };
    const at = (wanted: (value: number) => boolean): number[] => marked(i).filter((place) => wanted(values[place]!));
    return [
      line(values, { x: (_: number, place: number) => place, y: (value: number) => (fits(value) ? value : NaN), stroke: paint(role), strokeWidth: 1.75, strokeDasharray: dash }),
      dot(at(fits), { ...look, x: (place: number) => place, y: (place: number) => values[place]! }),
      dot(at((value) => value === 0), { ...look, x: (place: number) => place, frameAnchor: "bottom", dy: STRIP / 2 }),
      dot(at(isBeyond), { ...look, x: (place: number) => place, frameAnchor: "top", dy: -STRIP / 2 }),
    ];
  };
  const edge = (words: string, where: "top" | "bottom"): Markish =>
    text([words], { frameAnchor: `${where}-${toLeft ? "right" : "left"}`, dx: toLeft ? 7 : -7, dy: where === "top" ? -STRIP / 2 : STRIP / 2, textAnchor: toLeft ? "start" : "end", lineAnchor: "middle", fill: paint("ink") });

  const svg = plot({
    width, height, marginLeft, marginRight, marginTop, marginBottom,
    style: { background: "none", color: paint("muted"), fontSize: `${FONT}px`, fontFamily: "inherit", overflow: "visible" },
    x: { domain: [0, layers], axis: null },
    y: { type: "log", domain: [10 ** low, 10 ** high], axis: null },
    marks: [
      ruleY(powers, { stroke: paint("hairline") }),
      ruleY([1], { stroke: paint("outline") }),
      axisY(powers, { anchor: toLeft ? "right" : "left", tickSize: 0, label: null, tickFormat: (value: number) => powerText(Math.round(Math.log10(value))), fill: paint("muted") }),
      ruleX([0, layers], { stroke: paint("hairline") }),
      hasZero ? edge("0", "bottom") : null,
      hasBeyond ? edge("∞ NaN", "top") : null,
      ...series.flatMap(curve),
      text(placesOf(layers, narrow ? 5 : 10), { x: (place: number) => place, frameAnchor: "bottom", text: String, lineAnchor: "middle", dy: marginBottom - 27, fill: paint("muted") }),
      text([0, layers / 2, layers], {
        x: (place: number) => place, frameAnchor: "bottom", text: (_: number, i: number) => under[i], lineAnchor: "middle", dy: marginBottom - 9,
        fontFamily: "var(--sans)", fontSize: FONT + 1, fill: paint("muted"),
      }),
    ],
  });
  svg.querySelectorAll("style").forEach((style) => style.remove());
  const named = unplaced.map((name, i) => ({ ...name, y: y(series[i]!.values[endPlace]!) }));
  svg.append(drawNames(named, { x: x(endPlace), side: toLeft ? -1 : 1, top: 8, bottom: bottom + STRIP / 2 }));
  return { svg, x, y, top, bottom, place: (pixel) => Math.max(0, Math.min(layers, Math.round(((pixel - left) / (right - left)) * layers))) };
}
