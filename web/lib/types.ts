// What a caller may hand in and gets back, shared by all kernels.
import type { ResidentMatrix } from "./resident-matrix.js";

export type FloatArray = Float32Array | Float64Array;

/** A vector: one value a feature. Float64Array and number[] are rounded to float32. */
export type VectorInput = FloatArray | readonly number[] | ResidentMatrix;

/** A matrix of tokens x features, row after row, or an array of rows. Float64Array and number are rounded to float32. */
export type MatrixInput = VectorInput | readonly (readonly number[] | FloatArray)[];

/** What is left out, one value a place: true or a number that is not 0 where it is. */
export type MaskInput = Uint8Array | readonly boolean[] | readonly number[];

/** Where a result may be written. */
export type MatrixOutput = Float32Array | ResidentMatrix;

/** Checked and flat: the form in which arguments reach the heap. */
export type Values = FloatArray | ResidentMatrix;

/** Where LayerNorm adds epsilon: "inside" 1/sqrt(var + eps), as PyTorch; "outside" 1/(sqrt(var) + eps), as many NumPy tutorials. */
export type EpsPlacement = "inside" | "outside";

/** "population" divides the squared deviations by d, as PyTorch's LayerNorm; "sample" by d - 1, as torch.std. */
export type Variance = "population" | "sample";

export interface GammaOption {
  /** Gain, cols values; 1 when absent. */
  gamma?: VectorInput | null;
}

export interface BetaOption {
  /** Shift, cols values; 0 when absent. */
  beta?: VectorInput | null;
}

export interface RowOptions {
  /** Width of a row: the number of features d. */
  cols: number;
  /** Finite, at least 0; 1e-5 when absent. */
  eps?: number;
}

/** The conventions in which LayerNorms differ. */
export interface LayerNormConvention {
  /** "inside" when absent. */
  epsPlacement?: EpsPlacement;
  /** "population" when absent. */
  variance?: Variance;
}

export interface RmsNormConvention {
  /** Added to gamma: 1 is Gemma's (1 + gamma); 0 when absent. */
  gammaOffset?: 0 | 1;
}

export interface OutOption<Out extends MatrixOutput> {
  /** Takes y instead of a fresh array; may be x itself. */
  out?: Out;
}
