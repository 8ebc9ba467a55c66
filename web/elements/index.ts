/** The entry "addnorm/elements": importing it registers <addnorm-residual>, <addnorm-tokens>, <addnorm-chain>, <addnorm-depth> and <addnorm-compare>, each with its parts. */
import "../locales/all.js";
import { AddnormChain as Chain } from "./chain.js";
import { AddnormCompare as Compare } from "./compare.js";
import { AddnormDepth as Depth } from "./depth.js";
import { AddnormResidual as Residual } from "./residual.js";
import { AddnormTokens as Tokens } from "./tokens.js";

/** Typed by the DOM alone, so that whoever compiles against the package needs no types of Lit. */
export const AddnormChain: CustomElementConstructor = Chain;
export const AddnormCompare: CustomElementConstructor = Compare;
export const AddnormDepth: CustomElementConstructor = Depth;
export const AddnormResidual: CustomElementConstructor = Residual;
export const AddnormTokens: CustomElementConstructor = Tokens;
