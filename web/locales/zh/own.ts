/** Simplified Chinese: own. */
import type { Messages } from "../index.ts";

export const own: Messages["own"] = {};
