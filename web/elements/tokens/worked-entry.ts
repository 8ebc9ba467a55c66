/** What an opened number is made of: its formula in symbols, the same with this token's numbers, and the result. */
import type { TokensResult } from "../../state/compute.js";
import { drawScale } from "../../state/draw.js";
import type { State } from "../../state/schema.js";
import { formatFor, formatParameter, scaleOf, type NumberFormat } from "../parts/format.js";

/** A number that can be opened: a cell at the current step, or a statistic of a token or of the whole matrix. */
export type Subject =
  | { readonly kind: "cell"; readonly row: number; readonly col: number }
  | { readonly kind: "mean" | "spread"; readonly of: "before" | "after"; readonly row: number | "whole" };

/** Part of the line of numbers; `opens` makes it a button. */
export interface Piece {
  readonly text: string;
  readonly role?: "stream" | "terms" | "statistic" | "parameter" | "result";
  readonly opens?: Subject;
}

export interface WorkedEntry {
  readonly tex: string;
  readonly numbers: readonly Piece[];
}

/** Numbers written out before a sum is cut short. */
const TERMS = 8;
const DIGITS = 6;
const RESULT_DIGITS = 5;

const statistic = (tex: string): string => String.raw`\class{statistic}{${tex}}`;
const parameter = (tex: string): string => String.raw`\class{parameter}{${tex}}`;
const MU = statistic(String.raw`\mu`);
const SIGMA = statistic(String.raw`\sigma`);
const EPS = statistic(String.raw`\varepsilon`);
const RMS = statistic(String.raw`\mathrm{RMS}`);
const X_I = String.raw`\class{stream}{x_i}`;
const X_HAT = String.raw`\hat{x}_i`;

/** "−3" inside a longer expression is "(−3)". */
const guarded = (text: string): string => (text.startsWith("\u2212") ? `(${text})` : text);

/** The formula of a step as the state's conventions have it. */
function stepTex(state: State, step: number): string {
  const rms = state.norm === "rms";
  switch (step) {
    case 1: return `${X_I} - ${MU}`;
    case 2: return rms
      ? String.raw`${X_HAT} = \frac{${X_I}}{\sqrt{${RMS}^2 + ${EPS}}}`
      : String.raw`${X_HAT} = \frac{${X_I} - ${MU}}{${state.epsPlacement === "inside" ? String.raw`\sqrt{${SIGMA}^2 + ${EPS}}` : `${SIGMA} + ${EPS}`}}`;
    case 3: return rms
      ? `y_i = ${state.gammaOffset ? String.raw`(1 + ${parameter(String.raw`\gamma_i`)})` : parameter(String.raw`\gamma_i`)}\\, ${X_HAT}`
      : String.raw`y_i = ${parameter(String.raw`\gamma_i`)}\, ${X_HAT} + ${parameter(String.raw`\beta_i`)}`;
    default: return X_I;
  }
}

export function workedEntry(result: TokensResult, state: State, subject: Subject): WorkedEntry {
  return subject.kind === "cell" ? cellEntry(result, state, subject) : statisticEntry(result, state, subject);
}

function cellEntry(result: TokensResult, state: State, { row, col }: { row: number; col: number }): WorkedEntry {
  const { cols } = result;
  const at = row * cols + col;
  const stepOf = (step: number) => result.steps.find((candidate) => candidate.step === step)!;
  const rowOf = (data: Float32Array): Float32Array => data.subarray(row * cols, (row + 1) * cols);
  const format = formatFor(scaleOf(rowOf(result.x)), DIGITS);
  const own = stepOf(state.step);
  const outcome: Piece = { text: formatFor(scaleOf(rowOf(own.data)), RESULT_DIGITS)(own.data[at]!), role: "result" };
  const x: Piece = { text: format(result.x[at]!), role: "stream" };
  const mean: Piece = { text: guarded(format(result.before.mean[row]!)), role: "statistic", opens: { kind: "mean", of: "before", row } };
  const spread: Piece = { text: format(result.spread[row]!), role: "statistic", opens: { kind: "spread", of: "before", row } };
  const eps: Piece = { text: formatParameter(state.eps), role: "statistic" };
  const text = (value: string): Piece => ({ text: value });
  const tex = stepTex(state, state.step);
  switch (state.step) {
    case 0: return { tex, numbers: [text(originOf(result, state, row, col)), { ...x, role: "result" }] };
    case 1: return { tex, numbers: [x, text(" − "), mean, text(" = "), outcome] };
    case 2: {
      const inRoot = state.norm === "rms" || state.epsPlacement === "inside";
      const above = state.norm === "rms" ? [x] : [text("("), x, text(" − "), mean, text(")")];
      const below = inRoot ? [text("√("), spread, text("² + "), eps, text(")")] : [text("("), spread, text(" + "), eps, text(")")];
      return { tex, numbers: [...above, text(" / "), ...below, text(" = "), outcome] };
    }
    default: {
      const normalized = stepOf(2).data;
      const gamma = formatParameter(result.gamma[col]!);
      const beta = formatParameter(result.beta[col]!);
      const factor: Piece = { text: state.norm === "rms" && state.gammaOffset ? `(1 + ${guarded(gamma)})` : guarded(gamma), role: "parameter" };
      const before = text(guarded(formatFor(scaleOf(rowOf(normalized)), RESULT_DIGITS)(normalized[at]!)));
      const shift: Piece[] = state.norm === "rms" ? [] : [text(" + "), { text: guarded(beta), role: "parameter" }];
      return { tex, numbers: [factor, text(" × "), before, ...shift, text(" = "), outcome] };
    }
  }
}

/** The call that drew the number, "" for numbers that a person brought or changed. */
function originOf({ rows, cols }: TokensResult, state: State, row: number, col: number): string {
  if (state.source === "own" || state.edits.some((edit) => edit.row === row && edit.col === col)) return "";
  return `RandomState(${state.seed}).randn(${rows}, ${cols})[${row}, ${col}] × ${formatParameter(drawScale(state))} = `;
}

type StatisticSubject = Exclude<Subject, { kind: "cell" }>;

function statisticEntry(result: TokensResult, state: State, subject: StatisticSubject): WorkedEntry {
  const { cols } = result;
  const { row, of, kind } = subject;
  const data = of === "before" ? result.x : result.steps.at(-1)!.data;
  const values = row === "whole" ? data : data.subarray(row * cols, (row + 1) * cols);
  const statistics = row === "whole" ? result.whole[of] : { mean: result[of].mean[row]!, std: result[of].std[row]!, rms: result[of].rms[row]! };
  const format = formatFor(scaleOf(values), RESULT_DIGITS);
  const symbol = of === "before" ? "x" : "y";
  const count = row === "whole" ? "Ld" : "d";
  const index = row === "whole" ? "t,i" : "i";
  const term = `${symbol}_{${index}}`;
  const sum = String.raw`\sum_{${index}}`;
  const role = "statistic";
  const text = (value: string): Piece => ({ text: value });
  const precise = formatFor(Math.max(scaleOf([statistics.mean, statistics.std, statistics.rms]), 1e-3), DIGITS);
  if (kind === "mean") {
    return {
      tex: String.raw`${MU} = \frac{1}{${count}} ${sum} ${term}`,
      numbers: [text("("), ...terms(values, (value) => guarded(format(value))), text(`) / ${values.length} = `), { text: precise(statistics.mean), role }],
    };
  }
  if (state.norm === "rms") {
    return {
      tex: String.raw`${RMS} = \sqrt{\,\frac{1}{${count}} ${sum} ${term}^2}`,
      numbers: [text("√(("), ...terms(values, (value) => `${guarded(format(value))}²`), text(`) / ${values.length}) = `), { text: precise(statistics.rms), role }],
    };
  }
  const mean = guarded(precise(statistics.mean));
  const sample = state.variance === "sample" && values.length > 1;
  return {
    tex: String.raw`${SIGMA} = \sqrt{\,\frac{1}{${sample ? `${count} - 1` : count}} ${sum} (${term} - ${MU})^2}`,
    numbers: [
      text("√(("), ...terms(values, (value) => `(${format(value)} − ${mean})²`, 3), text(`) / ${sample ? values.length - 1 : values.length}) = `),
      { text: precise(statistics.std), role },
    ],
  };
}

/** The terms of a sum; a long one shows its beginning and its end. */
function terms(values: Float32Array, write: NumberFormat, most = TERMS): Piece[] {
  const shown = values.length <= most ? [...values].map(write) : [...Array.from(values.subarray(0, Math.min(most, 4) - 1), write), "…", write(values.at(-1)!)];
  return [{ text: shown.join(" + "), role: "terms" }];
}
