/** English: one typed catalogue, a section for each part of the page. */
import { chain } from "./en/chain.js";
import { common } from "./en/common.js";
import { compare } from "./en/compare.js";
import { controls } from "./en/controls.js";
import { depth } from "./en/depth.js";
import { own } from "./en/own.js";
import { residual } from "./en/residual.js";
import { site } from "./en/site.js";
import { tokens } from "./en/tokens.js";

export const en = { common, residual, tokens, chain, depth, compare, controls, own, site };
