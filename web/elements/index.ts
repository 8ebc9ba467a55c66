/** The entry "addnorm/elements": importing it registers <addnorm-residual>, <addnorm-tokens>, <addnorm-chain> and <addnorm-compare>, each with its parts. */
import { AddnormChain as Chain } from "./chain.js";
import { AddnormCompare as Compare } from "./compare.js";
import { AddnormResidual as Residual } from "./residual.js";
import { AddnormTokens as Tokens } from "./tokens.js";

/** Typed by the DOM alone, so that whoever compiles against the package needs no types of Lit. */
export const AddnormChain: CustomElementConstructor = Chain;
export const AddnormCompare: CustomElementConstructor = Compare;
export const AddnormResidual: CustomElementConstructor = Residual;
export const AddnormTokens: CustomElementConstructor = Tokens;
