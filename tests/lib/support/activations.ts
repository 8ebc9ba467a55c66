// The activations over doubles.

/** Through the series of exp(x^2) erf(x), whose terms are all of one sign. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let total = x;
  for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(total); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    total += term;
  }
  return ((2 * Math.exp(-x * x)) / Math.sqrt(Math.PI)) * total;
}

export function activate(kind: "relu" | "gelu" | "sigmoid", x: number): number {
  if (kind === "relu") return Math.max(0, x);
  if (kind === "sigmoid") return 1 / (1 + Math.exp(-x));
  return (x / 2) * (1 + erf(x / Math.SQRT2));
}
