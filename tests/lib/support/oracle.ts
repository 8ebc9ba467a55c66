// The norms in plain loops over doubles, written from the formulas alone: what the package is compared with.

export interface Convention {
  cols: number;
  eps: number;
  outside: boolean;
  sample: boolean;
}

interface RowOfLayerNorm {
  normalized: number[];
  mean: number;
  std: number;
  rstd: number;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function rowsOf(values: ArrayLike<number>, cols: number): number[][] {
  return Array.from({ length: values.length / cols }, (_, r) => Array.from({ length: cols }, (_, c) => values[r * cols + c]!));
}

function normalizeRow(row: number[], { eps, outside, sample }: Convention): RowOfLayerNorm {
  const d = row.length;
  const mean = sum(row) / d;
  const squares = sum(row.map((x) => (x - mean) ** 2));
  const variance = sample ? (d > 1 ? squares / (d - 1) : 0) : squares / d;
  const std = Math.sqrt(variance);
  const divisor = outside ? std + eps : Math.sqrt(variance + eps);
  const rstd = divisor > 0 ? 1 / divisor : 0;
  return { normalized: row.map((x) => (x - mean) * rstd), mean, std, rstd };
}

export function layerNorm(x: number[], gamma: number[], beta: number[], convention: Convention) {
  const rows = rowsOf(x, convention.cols).map((row) => normalizeRow(row, convention));
  return {
    y: rows.flatMap((row) => row.normalized.map((v, i) => v * gamma[i]! + beta[i]!)),
    mean: rows.map((row) => row.mean),
    std: rows.map((row) => row.std),
    rstd: rows.map((row) => row.rstd),
  };
}

/** Chain rule through y = n * gamma + beta, n = deviation * rstd(std), std = sqrt(sum(deviation^2) / divisor). */
export function layerNormBackward(x: number[], dy: number[], gamma: number[], convention: Convention) {
  const { cols, eps, outside, sample } = convention;
  const gradients = rowsOf(dy, cols);
  const dgamma = new Array<number>(cols).fill(0);
  const dbeta = new Array<number>(cols).fill(0);
  const dx = rowsOf(x, cols).flatMap((row, r) => {
    const { normalized, mean, std, rstd } = normalizeRow(row, convention);
    const dNormalized = gradients[r]!.map((g, i) => g * gamma[i]!);
    gradients[r]!.forEach((g, i) => {
      dgamma[i]! += g * normalized[i]!;
      dbeta[i]! += g;
    });
    const deviation = row.map((v) => v - mean);
    const dRstd = sum(dNormalized.map((g, i) => g * deviation[i]!));
    const dStd = outside ? -dRstd * rstd ** 2 : (-dRstd * std) / (std ** 2 + eps) ** 1.5;
    const divisor = sample ? cols - 1 : cols;
    const dDeviation = dNormalized.map((g, i) => g * rstd + (std > 0 ? (dStd * deviation[i]!) / (std * divisor) : 0));
    const average = sum(dDeviation) / cols;
    return dDeviation.map((g) => g - average);
  });
  return { dx, dgamma, dbeta };
}

export function rmsNorm(x: number[], gamma: number[], cols: number, eps: number) {
  const rstd = rowsOf(x, cols).map((row) => 1 / Math.sqrt(sum(row.map((v) => v * v)) / cols + eps));
  return { y: x.map((v, i) => v * rstd[Math.floor(i / cols)]! * gamma[i % cols]!), rstd };
}

export function rmsNormBackward(x: number[], dy: number[], gamma: number[], cols: number, eps: number) {
  const { rstd } = rmsNorm(x, gamma, cols, eps);
  const gradients = rowsOf(dy, cols);
  const dgamma = new Array<number>(cols).fill(0);
  const dx = rowsOf(x, cols).flatMap((row, r) => {
    const scale = rstd[r]!;
    const dNormalized = gradients[r]!.map((g, i) => g * gamma[i]!);
    gradients[r]!.forEach((g, i) => { dgamma[i]! += g * row[i]! * scale; });
    const dScale = sum(dNormalized.map((g, i) => g * row[i]!));
    return row.map((v, i) => dNormalized[i]! * scale - (dScale * scale ** 3 * v) / cols);
  });
  return { dx, dgamma };
}
