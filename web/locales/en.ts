/** English: one typed catalogue, a section for each part of the page. */
import { chain } from "./en/chain.ts";
import { common } from "./en/common.ts";
import { controls } from "./en/controls.ts";
import { own } from "./en/own.ts";
import { site } from "./en/site.ts";
import { tokens } from "./en/tokens.ts";

export const en = { common, tokens, chain, controls, own, site };
