// A program that uses the package as its types promise; it must compile under --strict, and print what it says.
import { load, type Addnorm, type LayerNorm, type ResidentMatrix, type Sublayer } from "addnorm";
import { load as loadInline } from "addnorm/inline";
import { readTensors } from "addnorm/files";

const an: Addnorm = await load({ simd: "auto" });
const version: string = an.info.version;
const simd: boolean = an.info.simd;

const drawn: Float64Array = an.randn(42, 56);
const x = Float32Array.from(drawn);
const sum: Float32Array = an.residualAdd(x, x, { alpha: 0.5 });
const { y, mean, rstd } = an.layerNorm(x, { cols: 8, epsPlacement: "outside", variance: "sample" });
const gradients: { dx: Float32Array; dgamma: Float32Array; dbeta: Float32Array } = an.layerNormBackward(x, y, { cols: 8 });

const matrix: ResidentMatrix = an.matrix(7, 8);
const inPlace: ResidentMatrix = an.layerNorm(matrix, { cols: 8, out: matrix }).y;
const weighted: ResidentMatrix = an.residualAdd(matrix, x, { out: matrix });

const layerMean: Float32Array = an.addNorm(x, x, { cols: 8 }).mean;
const rmsMean: null = an.addNorm(x, x, { norm: "rms", cols: 8 }).mean;
const norm: "layer" | "rms" = simd ? "layer" : "rms";
const either: Float32Array | null = an.addNorm(x, x, norm === "layer" ? { norm, cols: 8 } : { norm, cols: 8 }).mean;

const layer: LayerNorm = new an.LayerNorm(8, { eps: 1e-6 });
layer.gamma.fill(2);
const F: Sublayer = (v) => v.map((value) => value / 2);
const out: Float32Array = new an.PreNormResidual(8, F).forward([[1, 2, 3, 4, 5, 6, 7, 8]]);
const post: Float32Array = an.postNorm(x, F, layer);

const wrongCalls: (() => unknown)[] = [
  // @ts-expect-error cols is needed
  () => an.layerNorm(x, {}),
  // @ts-expect-error RMSNorm has no beta
  () => an.rmsNorm(x, { cols: 8, beta: x }),
  // @ts-expect-error there are two places for eps
  () => an.layerNorm(x, { cols: 8, epsPlacement: "between" }),
  // @ts-expect-error text is no matrix
  () => an.residualAdd("1", "2"),
];
const throws = (call: () => unknown): boolean => {
  try {
    call();
    return false;
  } catch {
    return true;
  }
};

const inline: Addnorm = await loadInline();
const [tensor] = await readTensors(new TextEncoder().encode("1,2\n3,4\n"), "table.csv");

matrix.free();
const all = [version, sum, mean, rstd, gradients, inPlace, weighted, layerMean, rmsMean, either, out, post, inline, tensor];
console.log(all.every((value) => value !== undefined) && wrongCalls.every(throws) ? "compiled and ran" : "something is missing");
