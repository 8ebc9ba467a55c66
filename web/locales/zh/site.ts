/** Simplified Chinese: site. */
import type { Messages } from "../index.ts";

export const site: Messages["site"] = {};
