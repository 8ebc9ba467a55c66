/** The logarithmic axis: which powers of ten it spans, and which of them are written. */

export interface Decades {
  /** Powers of ten. */
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** As float32 has them: no finite number but 0 lies beyond. */
const LEAST = -45;
const MOST = 39;
const STEPS = [1, 2, 3, 5, 10, 20, 50];

/** Spans all positive finite values and 1, in whole steps, so that the axis does not move with every drag. */
export function decadesOf(values: Iterable<number>, mostSteps: number): Decades {
  let [low, high] = [-1, 1];
  for (const value of values) {
    if (!(value > 0) || value === Infinity) continue;
    const power = Math.log10(value);
    low = Math.min(low, Math.floor(power));
    high = Math.max(high, Math.ceil(power));
  }
  const step = STEPS.find((candidate) => Math.ceil(high / candidate) - Math.floor(low / candidate) <= mostSteps)!;
  const [first, last] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const ticks = Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step);
  return { low: Math.max(LEAST, first), high: Math.min(MOST, last), ticks: ticks.filter((tick) => tick >= LEAST && tick <= MOST) };
}

/** Whole steps along the stack, with both ends. */
export function placesOf(layers: number, most: number): number[] {
  const step = [1, 2, 4, 8, 16, 32, 64].find((candidate) => layers / candidate < most) ?? layers;
  const places = [];
  for (let place = 0; place <= layers - step / 2; place += step) places.push(place);
  return [...places, layers];
}

/** 0.01, 1, 100, and beyond a thousand 1e4. */
export const powerText = (power: number): string => (Math.abs(power) <= 3 ? String(Number(`1e${power}`)) : `1e${power < 0 ? "\u2212" : ""}${Math.abs(power)}`);
