// The norms in plain loops, written from the formulas: over Float64Array the double reference, over Float32Array the
// contender "js". `Kind` is the type of the arrays that are made.
import { EPS } from "../tasks.mjs";

function rowMoments(x, start, cols) {
  let sum = 0;
  for (let c = 0; c < cols; c++) sum += x[start + c];
  const mean = sum / cols;
  let squares = 0;
  for (let c = 0; c < cols; c++) {
    const deviation = x[start + c] - mean;
    squares += deviation * deviation;
  }
  return { mean, rstd: 1 / Math.sqrt(squares / cols + EPS) };
}

/** y = (x - mean) * rstd * gamma + beta, each row by itself (arXiv:1607.06450). */
export function layerNorm(Kind, { rows, cols }, { x, gamma, beta }) {
  const y = new Kind(rows * cols);
  for (let r = 0; r < rows; r++) {
    const start = r * cols;
    const { mean, rstd } = rowMoments(x, start, cols);
    for (let c = 0; c < cols; c++) y[start + c] = (x[start + c] - mean) * rstd * gamma[c] + beta[c];
  }
  return { y };
}

/** y = x / sqrt(mean(x^2) + eps) * gamma, each row by itself (arXiv:1910.07467). */
export function rmsNorm(Kind, { rows, cols }, { x, gamma }) {
  const y = new Kind(rows * cols);
  for (let r = 0; r < rows; r++) {
    const start = r * cols;
    let squares = 0;
    for (let c = 0; c < cols; c++) squares += x[start + c] * x[start + c];
    const rstd = 1 / Math.sqrt(squares / cols + EPS);
    for (let c = 0; c < cols; c++) y[start + c] = x[start + c] * rstd * gamma[c];
  }
  return { y };
}

/** sum = x + fx and its LayerNorm. */
export function addNorm(Kind, size, { x, fx, gamma, beta }) {
  const sum = new Kind(x.length);
  for (let i = 0; i < x.length; i++) sum[i] = x[i] + fx[i];
  return { sum, y: layerNorm(Kind, size, { x: sum, gamma, beta }).y };
}

/** dx = rstd * (g - mean(g) - n * mean(g * n)) for g = dy * gamma and n = (x - mean) * rstd. */
export function layerNormBackward(Kind, { rows, cols }, { x, dy, gamma }) {
  const dx = new Kind(rows * cols);
  const dgamma = new Kind(cols);
  const dbeta = new Kind(cols);
  for (let r = 0; r < rows; r++) {
    const start = r * cols;
    const { mean, rstd } = rowMoments(x, start, cols);
    let sum = 0;
    let product = 0;
    for (let c = 0; c < cols; c++) {
      const normalized = (x[start + c] - mean) * rstd;
      const g = dy[start + c] * gamma[c];
      sum += g;
      product += g * normalized;
      dgamma[c] += dy[start + c] * normalized;
      dbeta[c] += dy[start + c];
    }
    for (let c = 0; c < cols; c++) {
      const normalized = (x[start + c] - mean) * rstd;
      dx[start + c] = rstd * (dy[start + c] * gamma[c] - sum / cols - normalized * (product / cols));
    }
  }
  return { dx, dgamma, dbeta };
}
