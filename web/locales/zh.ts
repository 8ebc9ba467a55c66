/** Simplified Chinese: the same catalogue as English, section by section. */
import type { Messages } from "./index.ts";
import { chain } from "./zh/chain.ts";
import { common } from "./zh/common.ts";
import { controls } from "./zh/controls.ts";
import { own } from "./zh/own.ts";
import { site } from "./zh/site.ts";
import { tokens } from "./zh/tokens.ts";

export const zh: Messages = { common, tokens, chain, controls, own, site };
