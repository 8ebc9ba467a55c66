/** The norms' names, the same in every language. */
import type { NormId } from "../../state/compute-compare.js";

export const NORM_NAMES: Readonly<Record<NormId, string>> = {
  layer: "LayerNorm", rms: "RMSNorm", batch: "BatchNorm", group: "GroupNorm", l2: "ScaleNorm", dyt: "DyT",
};
