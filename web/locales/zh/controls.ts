/** Simplified Chinese: controls. */
import type { Messages } from "../index.js";

export const controls: Messages["controls"] = {};
