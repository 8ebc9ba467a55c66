/** Simplified Chinese: controls. */
import type { Messages } from "../index.ts";

export const controls: Messages["controls"] = {};
