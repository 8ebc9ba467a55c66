/** Simplified Chinese: tokens. */
import type { Messages } from "../index.ts";

export const tokens: Messages["tokens"] = {};
