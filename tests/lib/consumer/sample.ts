// A program that uses the package as its types promise; it must compile under --strict, and print what it says.
import {
  load, type Addnorm, type AnyTrace, type BlockWeights, type LayerNorm, type ModelConfig, type ResidentMatrix, type Sublayer, type Trace,
} from "addnorm";
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

const batch: Float32Array = an.batchNorm(x, { cols: 8, padding: [false, true, false, false, false, false, false] }).mean;
const group: Float32Array = an.groupNorm(x, { cols: 8, groups: 2 }).rstd;
const scaled: { y: ResidentMatrix; norm: Float32Array } = an.l2Norm(matrix, { cols: 8, gain: 2, out: matrix });
const tanh: number = an.dynamicTanhBackward(x, x, { cols: 8, alpha: 0.5 }).dalpha;
const soft: Float32Array = an.softmax(x, { cols: 8, causal: true });
const active: ResidentMatrix = an.activation(matrix, { kind: "gelu", out: matrix });
const { dweight }: { dweight: Float32Array } = an.linearBackward(x, x, { weight: new Float32Array(64), inFeatures: 8, outFeatures: 8 });

const weights: BlockWeights = { norm1Gamma: [1, 1, 1, 1, 1, 1, 1, 1] };
const block: Trace = an.block(x, { dModel: 8, heads: 2, placement: "pre", weights, backward: true });
const output: Float32Array = block.steps.at(-1)!.data;
const dGamma: Float32Array | undefined = block.grads?.[0]?.norm1Gamma;
const config: ModelConfig = { dModel: 8, layers: 2, norm: "rms", keep: "statistics", backward: true };
const lean: AnyTrace = an.stack(x, config);
const kept: Float32Array | null = lean.steps[0]!.data;
const curve: number[] = lean.backward!.map(({ gradientRms }) => gradientRms);
const run = an.stackRun(x, { dModel: 8 });
const full: Float32Array = (run.step(3), run.result()).steps[0]!.data;
const later: AnyTrace = await an.stackAsync(x, config, { onProgress: (done, total) => done / total, signal: new AbortController().signal });
const again: Addnorm = await load({ wasm: an.wasm });

const wrongCalls: (() => unknown)[] = [
  // @ts-expect-error cols is needed
  () => an.layerNorm(x, {}),
  // @ts-expect-error RMSNorm has no beta
  () => an.rmsNorm(x, { cols: 8, beta: x }),
  // @ts-expect-error there are two places for eps
  () => an.layerNorm(x, { cols: 8, epsPlacement: "between" }),
  // @ts-expect-error there is no such key
  () => an.block(x, { dModel: 8, depth: 3 }),
  // @ts-expect-error no weight has this name
  () => an.block(x, { dModel: 8, weights: { attnInWeigth: x } }),
  // @ts-expect-error BatchNorm needs cols
  () => an.batchNorm(x, { padding: [] }),
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
const all = [
  batch, group, scaled, tanh, soft, active, dweight, output, dGamma, kept, curve, full, later, again,
  version, sum, mean, rstd, gradients, inPlace, weighted, layerMean, rmsMean, either, out, post, inline, tensor,
];
console.log(all.every((value) => value !== undefined) && wrongCalls.every(throws) ? "compiled and ran" : "something is missing");
