/** English: words and sentences that several views share. */
import type { Notice } from "../../state/reconcile.js";
import { grouped } from "../grouped.js";

const notice = ({ reason, key, given, used }: Notice): string => {
  switch (reason) {
    case "value": return `“${given}” is not a value of ${key}; it stays at “${used}”.`;
    case "unknown": return `There is no key “${key}”; it is ignored.`;
    case "size": return `${key} = ${given} makes more than 4,194,304 numbers; it is set to ${used}.`;
    case "length": return `${key} needs one value, or one for each feature; it is set to ${used}.`;
    case "range": return `${key} = ${given} lies outside the matrix; it is set to ${used === "" ? "nothing" : used}.`;
    case "wide": return `${key} = ${given} needs at most 1,024 features; it is set to ${used}.`;
    case "large": return `${key} = ${given} needs at most 64 tokens and 64 features; it is set to ${used}.`;
    case "lost": return "Those numbers were too many for a link and are gone with the page; here is the article's example instead.";
  }
};

const count = (number: number, noun: string): string => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

export const common = {
  loading: "Loading the kernels…",
  loadFailed: (reason: string) => `The kernels could not be loaded: ${reason}`,
  computeFailed: (reason: string) => `These numbers could not be computed: ${reason}`,
  notice,
  layerNorm: "LayerNorm",
  rmsNorm: "RMSNorm",
  token: (token: number) => `Token ${token}`,
  feature: (feature: number) => `Feature ${feature}`,
  size: (tokens: number, features: number) => `${count(tokens, "token")} × ${count(features, "feature")}`,
  mean: "mean",
  std: "standard deviation",
  rms: "root mean square",
};
