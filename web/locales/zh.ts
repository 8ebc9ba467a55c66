/** Simplified Chinese: the same catalogue as English, section by section. */
import type { Messages } from "./index.js";
import { chain } from "./zh/chain.js";
import { common } from "./zh/common.js";
import { compare } from "./zh/compare.js";
import { controls } from "./zh/controls.js";
import { depth } from "./zh/depth.js";
import { own } from "./zh/own.js";
import { residual } from "./zh/residual.js";
import { site } from "./zh/site.js";
import { tokens } from "./zh/tokens.js";

export const zh: Messages = { common, residual, tokens, chain, depth, compare, controls, own, site };
