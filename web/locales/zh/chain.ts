/** Simplified Chinese: chain. */
import type { Messages } from "../index.js";

export const chain: Messages["chain"] = {};
