/**
 * The entry "addnorm/elements": importing it registers <addnorm-residual>, <addnorm-tokens>, <addnorm-chain>,
 * <addnorm-depth> and <addnorm-compare>, each with its parts.
 */
import type { State, StateKey } from "../state/schema.js";
import { provideAllMessages } from "../locales/all.js";
import { AddnormChain as Chain } from "./chain.js";
import { AddnormCompare as Compare } from "./compare.js";
import { AddnormDepth as Depth } from "./depth.js";
import { define } from "./parts/define.js";
import { standalone } from "./parts/standalone.js";
import { AddnormResidual as Residual } from "./residual.js";
import { AddnormTokens as Tokens } from "./tokens.js";

/** Typed by the DOM alone, so that whoever compiles against the package needs no types of Lit. */
export const AddnormChain: CustomElementConstructor = standalone(Chain);
export const AddnormCompare: CustomElementConstructor = standalone(Compare);
export const AddnormDepth: CustomElementConstructor = standalone(Depth);
export const AddnormResidual: CustomElementConstructor = standalone(Residual);
export const AddnormTokens: CustomElementConstructor = standalone(Tokens);

provideAllMessages();
define("addnorm-chain", AddnormChain);
define("addnorm-compare", AddnormCompare);
define("addnorm-depth", AddnormDepth);
define("addnorm-residual", AddnormResidual);
define("addnorm-tokens", AddnormTokens);

/** What a view's properties hold. A list may be given as a typed array, too, and any value as the text of its attribute. */
type Properties = { -readonly [K in Exclude<StateKey, "view" | "lang">]: State[K] };

/** A view's element. A value that is not taken throws TypeError or RangeError, and changes nothing. */
export interface AddnormViewElement extends HTMLElement, Properties {
  /** The controls that the element brings along. */
  controls: "none" | "basic" | "all";
  /** A person's own numbers, tokens x features; undefined where they are drawn. */
  get x(): Float32Array | undefined;
  /** Numbers row after row (`features` to a row), an array of rows, or { rows, cols, data }; undefined for the article's example. */
  set x(value: Float32Array | Float64Array | readonly number[] | readonly ArrayLike<number>[] | { rows: number; cols: number; data: ArrayLike<number> } | null | undefined);
}

/** Fired after every change of the state, by the reader or by the page; `detail` is the new state. */
export type AddnormChangeEvent = CustomEvent<State>;

declare global {
  interface HTMLElementTagNameMap {
    "addnorm-chain": AddnormViewElement;
    "addnorm-compare": AddnormViewElement;
    "addnorm-depth": AddnormViewElement;
    "addnorm-residual": AddnormViewElement;
    "addnorm-tokens": AddnormViewElement;
  }
  interface HTMLElementEventMap {
    "addnorm-change": AddnormChangeEvent;
  }
}
