/** Simplified Chinese: chain. */
import type { Messages } from "../index.ts";

export const chain: Messages["chain"] = {};
