/** The entry "addnorm/elements": importing it registers <addnorm-residual>, <addnorm-tokens> and <addnorm-chain>, each with its parts. */
import { AddnormChain as Chain } from "./chain.js";
import { AddnormResidual as Residual } from "./residual.js";
import { AddnormTokens as Tokens } from "./tokens.js";

/** Typed by the DOM alone, so that whoever compiles against the package needs no types of Lit. */
export const AddnormChain: CustomElementConstructor = Chain;
export const AddnormResidual: CustomElementConstructor = Residual;
export const AddnormTokens: CustomElementConstructor = Tokens;
