/** Simplified Chinese: tokens. */
import type { Messages } from "../index.js";

export const tokens: Messages["tokens"] = {};
