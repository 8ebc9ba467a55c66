/** The wirings that the depth view compares: what stands around each sublayer F, as a config of the package. */
import type { ModelConfig } from "../lib/index.js";

/** In the order in which they are listed; links name them so. */
export const depthVariants = ["plain", "plainNorm", "skip", "post", "pre", "preRms", "deepNorm", "reZero"] as const;

export type DepthVariant = (typeof depthVariants)[number];

/** More lines than this cannot be told apart in one chart. */
export const MOST_VARIANTS = 6;

type Wiring = Required<Pick<ModelConfig, "placement" | "residual" | "norm">> & Pick<ModelConfig, "scaling">;

export const wirings: Readonly<Record<DepthVariant, Wiring>> = {
  plain: { residual: "none", placement: "none", norm: "none" },
  plainNorm: { residual: "none", placement: "post", norm: "layer" },
  skip: { residual: "identity", placement: "none", norm: "none" },
  post: { residual: "identity", placement: "post", norm: "layer" },
  pre: { residual: "identity", placement: "pre", norm: "layer" },
  preRms: { residual: "identity", placement: "pre", norm: "rms" },
  deepNorm: { residual: "scaled", scaling: "deepNorm", placement: "post", norm: "layer" },
  reZero: { residual: "scaled", scaling: "reZero", placement: "none", norm: "none" },
};
