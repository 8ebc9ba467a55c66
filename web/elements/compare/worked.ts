/** One number of the batch under one norm: the formula, the same with its numbers put in, and where its statistic comes from. */
import type { Addnorm } from "../../lib/index.js";
import type { Messages } from "../../locales/index.js";
import { shareOf, statisticsOf, type CompareResult, type NormId } from "../../state/compute-compare.js";
import type { State } from "../../state/schema.js";
import { formatFor, formatNumber, formatParameter } from "../parts/format.js";
import type { Place } from "../parts/grid-keys.js";

export interface Piece {
  readonly text: string;
  readonly role?: "stream" | "statistic" | "parameter" | "result";
}

export interface Worked {
  readonly tex: string;
  readonly numbers: readonly Piece[];
  /** A sentence with marks. */
  readonly source: string;
}

const DIGITS = 5;

const statistic = (tex: string): string => String.raw`\class{statistic}{${tex}}`;
const parameter = (tex: string): string => String.raw`\class{parameter}{${tex}}`;
const [MU, SIGMA, EPS, RMS, LENGTH] = [String.raw`\mu`, String.raw`\sigma`, String.raw`\varepsilon`, String.raw`\mathrm{RMS}`, String.raw`\lVert x \rVert`].map(statistic);
const [GAMMA, BETA, ALPHA, GAIN] = [String.raw`\gamma_i`, String.raw`\beta_i`, String.raw`\alpha`, "g"].map(parameter);
const X = String.raw`\class{stream}{x_i}`;

function texOf(norm: NormId, { epsPlacement, gammaOffset }: State): string {
  switch (norm) {
    case "rms": return String.raw`y_i = ${gammaOffset ? `(1 + ${GAMMA})` : GAMMA}\,\frac{${X}}{\sqrt{${RMS}^2 + ${EPS}}}`;
    case "l2": return String.raw`y_i = ${GAIN}\,\frac{${X}}{\max(${LENGTH}, ${EPS})}`;
    case "dyt": return String.raw`y_i = ${GAMMA}\tanh(${ALPHA}\,${X}) + ${BETA}`;
    default: return String.raw`y_i = ${GAMMA}\,\frac{${X} - ${MU}}{${epsPlacement === "inside" ? String.raw`\sqrt{${SIGMA}^2 + ${EPS}}` : `${SIGMA} + ${EPS}`}} + ${BETA}`;
  }
}

/** "−3" inside a longer expression is "(−3)". */
const guarded = (text: string): string => (text.startsWith("\u2212") ? `(${text})` : text);
const plain = (text: string): Piece => ({ text });
const read = (value: number, role: Piece["role"]): Piece => ({ text: guarded(formatNumber(value, DIGITS)), ...(role && { role }) });
const given = (value: number, role: Piece["role"] = "parameter"): Piece => ({ text: guarded(formatParameter(value)), ...(role && { role }) });

export function worked(an: Addnorm, result: CompareResult, state: State, norm: NormId, { row, col }: Place, text: Messages["compare"]): Worked {
  const tex = texOf(norm, state);
  const share = shareOf(result, norm, row, col);
  if (!share) return { tex, numbers: [plain("—")], source: text.sources.padding };
  const { count, mean, std, rms, length } = statisticsOf(an, result, share, state.variance);
  const at = row * result.cols + col;
  const y = result.outputs[norm][at]!;
  const x = read(result.data[at]!, "stream");
  const gamma = given(result.gamma[col]!);
  const beta = given(result.beta[col]!);
  const eps = given(state.eps, "statistic");
  const end = [plain(" = "), { text: formatFor(Math.abs(y), DIGITS)(y), role: "result" } as const];
  const source = norm === "batch" ? text.sources.batch(count, result.padding > 0) : text.sources[norm](count);
  switch (norm) {
    case "rms": {
      const gain = state.gammaOffset ? [plain("(1 + "), gamma, plain(")")] : [gamma];
      return { tex, source, numbers: [...gain, plain(" × "), x, plain(" / √("), read(rms, "statistic"), plain("² + "), eps, plain(")"), ...end] };
    }
    case "l2": return { tex, source, numbers: [read(result.gain, "parameter"), plain(" × "), x, plain(" / max("), read(length, "statistic"), plain(", "), eps, plain(")"), ...end] };
    case "dyt": return { tex, source, numbers: [gamma, plain(" × tanh("), given(state.dytAlpha), plain(" × "), x, plain(") + "), beta, ...end] };
    default: {
      const below = state.epsPlacement === "inside" ? [plain("√("), read(std, "statistic"), plain("² + "), eps, plain(")")] : [plain("("), read(std, "statistic"), plain(" + "), eps, plain(")")];
      return { tex, source, numbers: [gamma, plain(" × ("), x, plain(" − "), read(mean, "statistic"), plain(") / "), ...below, plain(" + "), beta, ...end] };
    }
  }
}
