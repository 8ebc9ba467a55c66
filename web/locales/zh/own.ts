/** Simplified Chinese: own. */
import type { Messages } from "../index.js";

export const own: Messages["own"] = {};
