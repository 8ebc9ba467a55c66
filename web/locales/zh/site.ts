/** Simplified Chinese: site. */
import type { Messages } from "../index.js";

export const site: Messages["site"] = {};
