// A stack of encoder blocks in plain loops over doubles, written from the papers alone: what an.stack is compared with.
import type { BlockArrays, ModelConfig, WeightName } from "../../../web/lib/api.js";
import { activate } from "./activations.js";
import { layerNorm, rmsNorm, rowsOf } from "./oracle.js";

export type Weights = Partial<Record<WeightName, number[]>>;

/** A config whose defaults are filled in, with doubles for weights. */
export type OracleConfig = Required<Pick<ModelConfig, "dModel" | "heads" | "causal" | "placement" | "branches" | "residual" | "norm" | "eps" | "sequences" | "activation" | "finalNorm">> &
  Pick<ModelConfig, "scaling" | "scale" | "groups" | "gammaOffset" | "epsPlacement" | "variance"> & { padding?: boolean[] };

type Matrix = number[][];

const dot = (a: number[], b: number[]): number => a.reduce((sum, v, i) => sum + v * b[i]!, 0);
const zip = (a: Matrix, b: Matrix, f: (x: number, y: number, column: number) => number): Matrix =>
  a.map((row, r) => row.map((v, c) => f(v, b[r]![c]!, c)));

export function doubles(blocks: readonly BlockArrays[]): Weights[] {
  return blocks.map((block) => Object.fromEntries(Object.entries(block).map(([name, values]) => [name, Array.from(values)])));
}

/** All matrices on the way, by the ids of the package's trace. */
export class Oracle {
  readonly matrices = new Map<string, Matrix>();
  readonly #config: OracleConfig;

  constructor(x: number[], weights: Weights[], config: OracleConfig, width = config.dModel) {
    this.#config = config;
    let stream = this.#keep("x", rowsOf(x, width));
    weights.forEach((block, index) => { stream = this.#block(`block${index}.`, stream, block); });
    if (config.finalNorm) this.#keep("finalNorm", this.#norm(stream, weights.at(-1)!, "finalNorm"));
  }

  get output(): Matrix {
    return [...this.matrices.values()].at(-1)!;
  }

  #keep(id: string, matrix: Matrix): Matrix {
    this.matrices.set(id, matrix);
    return matrix;
  }

  #block(id: string, stream: Matrix, w: Weights): Matrix {
    if (this.#config.branches === "serial") {
      const middle = this.#unit(id, stream, w, 1, (x) => this.#attention(id, x, w));
      return this.#unit(id, middle, w, 2, (x) => this.#feedForward(id, x, w));
    }
    return this.#unit(id, stream, w, 1, (x) =>
      this.#keep(`${id}branches`, zip(this.#attention(id, x, w), this.#feedForward(id, x, w), (a, f) => a + f)));
  }

  /** A branch, its norms and its residual connection. */
  #unit(id: string, x: Matrix, w: Weights, site: 1 | 2, branch: (x: Matrix) => Matrix): Matrix {
    const { placement, norm } = this.#config;
    const normed = (matrix: Matrix, number: number): Matrix =>
      norm === "none" ? matrix : this.#keep(`${id}norm${number}`, this.#norm(matrix, w, `norm${number as 1}`));
    const before = placement === "pre" || placement === "sandwich";
    let f = branch(before ? normed(x, site) : x);
    if (placement === "sandwich") f = normed(f, site + 2);
    const sum = this.#connect(id, x, f, w, site);
    return placement === "post" ? normed(sum, site) : sum;
  }

  #connect(id: string, stream: Matrix, f: Matrix, w: Weights, site: 1 | 2): Matrix {
    const { residual, scaling = "reZero", scale = 1, dModel } = this.#config;
    if (residual === "none") return f;
    const x = stream[0]!.length === dModel ? stream : this.#keep(`${id}projection`, linear(stream, w.projectionWeight!));
    const sum = (combine: (x: number, f: number, column: number) => number): Matrix => this.#keep(`${id}sum${site}`, zip(x, f, combine));
    if (residual === "identity") return sum((a, b) => a + b);
    if (residual === "scaled") {
      const learned = w[`scale${site}`];
      if (scaling === "deepNorm") return sum((a, b) => scale * a + b);
      return sum((a, b, c) => a + learned![scaling === "reZero" ? 0 : c]! * b);
    }
    const logits = this.#keep(`${id}gateLogit${site}`, linear(x, w[`gate${site}Weight`]!, w[`gate${site}Bias`]));
    const gate = this.#keep(`${id}gate${site}`, logits.map((row) => row.map((v) => activate("sigmoid", v))));
    return this.#keep(`${id}sum${site}`, x.map((row, r) => row.map((v, c) => gate[r]![c]! * f[r]![c]! + (1 - gate[r]![c]!) * v)));
  }

  #attention(id: string, x: Matrix, w: Weights): Matrix {
    const { heads, sequences, causal, padding, dModel } = this.#config;
    const tokens = x.length / sequences;
    const width = dModel / heads;
    const qkv = this.#keep(`${id}qkv`, linear(x, w.attnInWeight!, w.attnInBias));
    const context = x.map(() => new Array<number>(dModel).fill(0));
    const all: Matrix = [];
    for (let sequence = 0; sequence < sequences; sequence++) {
      const rows = qkv.slice(sequence * tokens, (sequence + 1) * tokens);
      for (let head = 0; head < heads; head++) {
        const part = (which: number): Matrix => rows.map((row) => row.slice(which * dModel + head * width, which * dModel + (head + 1) * width));
        const [query, key, value] = [part(0), part(1), part(2)] as const;
        query.forEach((q, i) => {
          const sees = key.map((_, j) => !(causal && j > i) && !padding?.[sequence * tokens + j]);
          const raw = key.map((k, j) => (sees[j] ? Math.exp(dot(q, k) / Math.sqrt(width)) : 0));
          const total = raw.reduce((sum, v) => sum + v, 0);
          const weights = raw.map((v) => (total > 0 ? v / total : 0));
          all.push(weights);
          for (let c = 0; c < width; c++) {
            context[sequence * tokens + i]![head * width + c] = dot(weights, value.map((v) => v[c]!));
          }
        });
      }
    }
    this.#keep(`${id}attnWeights`, all);
    this.#keep(`${id}context`, context);
    return this.#keep(`${id}attn`, linear(context, w.attnOutWeight!, w.attnOutBias));
  }

  #feedForward(id: string, x: Matrix, w: Weights): Matrix {
    const up = this.#keep(`${id}up`, linear(x, w.ffnUpWeight!, w.ffnUpBias));
    const activated = this.#keep(`${id}activated`, up.map((row) => row.map((v) => activate(this.#config.activation, v))));
    return this.#keep(`${id}ffn`, linear(activated, w.ffnDownWeight!, w.ffnDownBias));
  }

  #norm(x: Matrix, w: Weights, prefix: "norm1" | "finalNorm"): Matrix {
    const { norm, eps, groups = 1, gammaOffset = 0, epsPlacement, variance, padding } = this.#config;
    const width = x[0]!.length;
    const gamma = w[`${prefix}Gamma`]!;
    const beta = w[`${prefix}Beta`] ?? new Array<number>(width).fill(0);
    const affine = (matrix: Matrix): Matrix => matrix.map((row) => row.map((v, c) => v * gamma[c]! + beta[c]!));
    const plain = (values: number[], cols: number): number[] => {
      const ones = new Array<number>(cols).fill(1);
      const terms = { cols, eps, outside: epsPlacement === "outside", sample: variance === "sample" };
      return layerNorm(values, ones, ones.map(() => 0), terms).y;
    };
    switch (norm) {
      case "layer": return affine(rowsOf(plain(x.flat(), width), width));
      case "group": return affine(rowsOf(plain(x.flat(), width / groups), width));
      case "rms": return rowsOf(rmsNorm(x.flat(), gamma.map((g) => g + gammaOffset), width, eps).y, width);
      case "l2": return x.map((row) => row.map((v) => (gamma[0]! * v) / Math.max(Math.sqrt(dot(row, row)), eps)));
      case "dyt": return affine(x.map((row) => row.map((v) => Math.tanh(w[`${prefix}Alpha`]![0]! * v))));
      case "none": return x;
      case "batch": {
        const counted = x.filter((_, r) => !padding?.[r]);
        const columns = Array.from({ length: width }, (_, c) => counted.map((row) => row[c]!));
        const normed = rowsOf(plain(columns.flat(), counted.length), counted.length);
        let next = 0;
        return x.map((row, r) => {
          if (padding?.[r]) return row.map(() => 0);
          const at = next++;
          return row.map((_, c) => normed[c]![at]! * gamma[c]! + beta[c]!);
        });
      }
    }
  }
}

/** x W^T + b; W has as many columns as x. */
function linear(x: Matrix, weight: number[], bias?: number[]): Matrix {
  const rows = rowsOf(weight, x[0]!.length);
  return x.map((row) => rows.map((w, o) => dot(row, w) + (bias?.[o] ?? 0)));
}
