/** How each wiring's line looks, everywhere: colour, dash and marker; any one of colour or marker would do. */
import { css, html, type TemplateResult } from "lit";
import { depthVariants, type DepthVariant } from "../../state/depth-variants.js";
import { type Colour } from "../parts/theme.js";

export interface LineStyle {
  readonly colour: Colour;
  readonly dash: string;
  readonly marker: Marker;
}

/** What d3 and Plot take as a symbol. */
export interface Marker {
  readonly draw: (context: Pen, size: number) => void;
}

interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** A polygon on the unit circle; with `inner`, every second corner lies that far from the middle. */
function polygon(corners: number, turn: number, inner = 1): [number, number][] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((i + turn) / corners) * 2 * Math.PI - Math.PI / 2;
    const radius = i % 2 ? inner : 1;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

const ARM = 0.36;
const plus: [number, number][] = [[-ARM, -1], [ARM, -1], [ARM, -ARM], [1, -ARM], [1, ARM], [ARM, ARM], [ARM, 1], [-ARM, 1], [-ARM, ARM], [-1, ARM], [-1, -ARM], [-ARM, -ARM]];

const shapes: Readonly<Record<DepthVariant, readonly [number, number][]>> = {
  plain: polygon(24, 0),
  plainNorm: polygon(3, 1.5),
  skip: polygon(3, 0),
  post: polygon(4, 0.5),
  pre: polygon(4, 0),
  preRms: polygon(10, 0, 0.45),
  deepNorm: plus,
  reZero: plus.map(([x, y]) => [(x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2]),
};

const dashes: Readonly<Record<DepthVariant, string>> = {
  plain: "none", plainNorm: "2 3", skip: "7 3", post: "none", pre: "10 3 2 3", preRms: "5 3", deepNorm: "none", reZero: "3 2",
};

/** The circle looks larger than polygons on the same circle. */
const radiusOf = (variant: DepthVariant, size: number): number => Math.sqrt(size / Math.PI) * (variant === "plain" ? 1 : 1.25);

function drawShape(variant: DepthVariant, pen: Pen, radius: number): void {
  shapes[variant].forEach(([x, y], i) => pen[i ? "lineTo" : "moveTo"](x * radius, y * radius));
  pen.closePath();
}

export const lineStyles = Object.fromEntries(depthVariants.map((variant, i) => [variant, {
  colour: `series${i}` as Colour,
  dash: dashes[variant],
  marker: { draw: (pen: Pen, size: number) => drawShape(variant, pen, radiusOf(variant, size)) },
}])) as Readonly<Record<DepthVariant, LineStyle>>;

const WIDTH = 26;
const HEIGHT = 12;
const MARKER = 4;

function markerPath(variant: DepthVariant): string {
  let path = "";
  const to = (letter: string) => (x: number, y: number): void => void (path += `${letter}${(x + WIDTH / 2).toFixed(2)} ${(y + HEIGHT / 2).toFixed(2)}`);
  drawShape(variant, { moveTo: to("M"), lineTo: to("L"), closePath: () => void (path += "Z") }, MARKER);
  return path;
}

const markerPaths = Object.fromEntries(depthVariants.map((variant) => [variant, markerPath(variant)])) as Readonly<Record<DepthVariant, string>>;

export const swatchStyles = css`
  .swatch { flex: none; overflow: visible; }
  @media (forced-colors: active) { .swatch { forced-color-adjust: none; } }
`;

/** A piece of the line, as a key beside its name. */
export function swatch(variant: DepthVariant): TemplateResult {
  const { colour, dash } = lineStyles[variant];
  return html`<svg class="swatch" width=${WIDTH} height=${HEIGHT} aria-hidden="true" .style=${`color: var(--${colour})`}>
    <path d=${`M1 ${HEIGHT / 2}H${WIDTH - 1}`} stroke="currentColor" stroke-width="1.75" stroke-dasharray=${dash}/>
    <path d=${markerPaths[variant]} fill="currentColor" stroke="var(--card)" stroke-width="1"/>
  </svg>`;
}
