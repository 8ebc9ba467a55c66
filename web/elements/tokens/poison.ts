/** Says which tokens hold NaN or an infinity, and that the others are not touched by it. */
import type { Messages } from "../../locales/index.js";
import type { TokensResult } from "../../state/compute.js";
import { fullPrecision } from "../parts/format.js";

/** A sentence, or "" when every number is finite. */
export function poison({ x, rows, cols, before }: TokensResult, text: Messages["tokens"]): string {
  // A row's mean is finite exactly when all of its numbers are.
  const poisoned = Array.from(before.mean.keys()).filter((row) => !Number.isFinite(before.mean[row]!));
  if (poisoned.length === 0) return "";
  if (poisoned.length > 1) return text.poisonedMany(poisoned.length);
  const row = poisoned[0]!;
  const value = x.subarray(row * cols, (row + 1) * cols).find((number) => !Number.isFinite(number));
  return text.poisoned(row, fullPrecision(value ?? NaN), rows);
}
