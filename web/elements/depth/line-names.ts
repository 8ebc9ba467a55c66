/** The names of the lines at their ends, moved apart where they would overlap, each tied to its end. */
import { paint, type Colour } from "../parts/theme.js";

export interface LineName {
  readonly name: string;
  /** Written behind the name; "" where there is no room. */
  readonly value: string;
  readonly colour: Colour;
  /** Where the line ends. */
  readonly y: number;
}

export interface NamesFrame {
  /** Where the lines end. */
  readonly x: number;
  readonly side: -1 | 1;
  /** The names stay between these. */
  readonly top: number;
  readonly bottom: number;
}

const SVG = "http://www.w3.org/2000/svg";
const FONT = 11.5;
const LETTER = 6.3;
const DIGIT = 6.8;
const LINE = 16;
const GAP = 6;
const LEADER = 14;

const widthOf = (words: string): number => [...words].reduce((sum, letter) => sum + (letter > "\u2e80" ? FONT : LETTER), 0);

/** Pixels beside the plot that the names need. */
export const roomFor = (names: readonly LineName[]): number =>
  Math.ceil(LEADER + 6 + Math.max(...names.map(({ name, value }) => widthOf(name) + (value ? GAP + value.length * DIGIT : 0))));

/** Each as near as it gets to where it should be, in order, LINE apart. */
export function spreadApart(pixels: readonly number[], top: number, bottom: number): number[] {
  const order = pixels.map((pixel, i) => ({ i, at: pixel })).sort((a, b) => a.at - b.at);
  let bound = top;
  for (const entry of order) {
    entry.at = Math.max(entry.at, bound);
    bound = entry.at + LINE;
  }
  bound = bottom;
  for (const entry of order.reverse()) {
    entry.at = Math.min(entry.at, bound);
    bound = entry.at - LINE;
  }
  const result = new Array<number>(pixels.length);
  for (const { i, at } of order) result[i] = at;
  return result;
}

function element(name: string, attributes: Record<string, string | number>, content: readonly Node[] = [], words = ""): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content, words);
  return made;
}

export function drawNames(names: readonly LineName[], { x, side, top, bottom }: NamesFrame): SVGElement {
  const places = spreadApart(names.map(({ y }) => y), top, bottom);
  const parts = names.flatMap(({ name, value, colour: role, y }, i) => {
    const at = places[i]!;
    const tip = x + side * LEADER;
    const leader = element("path", { d: `M${x + side * 5} ${y}L${tip - side * 2} ${at}`, stroke: paint(role), fill: "none" });
    const words = [element("tspan", { "font-family": "var(--sans)" }, [], name)];
    if (value) words.push(element("tspan", { dx: GAP, "font-weight": 600 }, [], value));
    const label = element("text", { x: tip + side * 2, y: at, dy: "0.34em", "text-anchor": side < 0 ? "end" : "start", "font-size": FONT, fill: paint("ink") }, words);
    return [leader, label];
  });
  return element("g", {}, parts);
}
