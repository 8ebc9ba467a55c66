// What the tests of the engines put into a page before its own scripts, and how they look at it through shadow roots.
import { expect } from "vitest";
import type { Point, Tab } from "./engines.js";
import { readNumber } from "./numbers.js";

declare global {
  interface Window {
    probe: {
      /** Errors in the console, uncaught ones, and files that did not come. */
      readonly faults: string[];
      /** Workers that were started. */
      workers: number;
      /** All elements that match, in all open shadow roots, in the order of the document. */
      all(selector: string): HTMLElement[];
    };
  }
}

/** A classic script, which runs before any module. */
export const PROBE = `{
  const probe = window.probe = { faults: [], workers: 0, all: (selector) => within(document, selector) };
  const within = (root, selector) => [...root.querySelectorAll("*")].flatMap((element) =>
    [...(element.matches(selector) ? [element] : []), ...(element.shadowRoot ? within(element.shadowRoot, selector) : [])]);
  const { error } = console;
  console.error = (...all) => { probe.faults.push("console: " + all.join(" ")); error.apply(console, all); };
  addEventListener("error", ({ message, target }) => {
    // Firefox tells an error of a module that is preloaded while it is being fetched for the other reason.
    if (target.rel !== "modulepreload") probe.faults.push(message ?? "no answer: " + (target.src ?? target.href));
  }, true);
  addEventListener("unhandledrejection", ({ reason }) => probe.faults.push("uncaught: " + reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => probe.faults.push("policy: " + violatedDirective + " " + blockedURI));
  if (window.Worker) window.Worker = class extends Worker { constructor(...all) { super(...all); probe.workers += 1; } };
}
`;

/** With this before it, the page finds no SIMD in the engine. */
export const WITHOUT_SIMD = "WebAssembly.validate = () => false;\n";

/** The longest that a busy machine may take from a cause to what is seen of it. */
const PATIENCE = { timeout: 30_000, interval: 50 };

const exactly = (shown: number[], expected: number[]): void => expect(shown).toEqual(expected);

const ROOT_OF_VIEW = "addnorm-residual, addnorm-tokens, addnorm-chain, addnorm-depth, addnorm-compare";

/** A page with the probe in it. */
export class Probed {
  readonly #tab: Tab;

  constructor(tab: Tab) {
    this.#tab = tab;
  }

  /** Runs a function in the page; it sees nothing from here but its arguments. */
  async run<Args extends unknown[], T>(work: (...args: Args) => T, ...args: Args): Promise<Awaited<T>> {
    return (await this.#tab.evaluate(`(${work})(...${JSON.stringify(args)})`)) as Awaited<T>;
  }

  /** Opens an address; ends once the views on it have drawn. */
  async open(url: string, views = 1): Promise<void> {
    await this.#tab.go(url);
    await expect.poll(() => this.run((selector) => window.probe.all(selector).filter((view) => view.shadowRoot?.querySelector(".lead")).length, ROOT_OF_VIEW), PATIENCE).toBe(views);
  }

  /** Goes to another state as a link does. */
  async goTo(hash: string): Promise<void> {
    await this.run((next) => void (location.hash = next), hash);
    await this.frames();
  }

  back(): Promise<void> {
    return this.run(() => history.back());
  }

  /** Lets the elements update, measure and draw. */
  frames(): Promise<void> {
    return this.run(async () => {
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    });
  }

  /** One key of the state as the address has it, or null. */
  async untilKey(key: string, value: string | null): Promise<void> {
    await expect.poll(() => this.run((name) => new URLSearchParams(location.hash.slice(1)).get(name), key), PATIENCE).toBe(value);
  }

  press(key: string): Promise<void> {
    return this.#tab.press(key);
  }

  async click(selector: string): Promise<void> {
    await this.#tab.drag(await this.#place(selector, 0.5));
  }

  /** Drags from one part of an element's width to another, at half its height. */
  async drag(selector: string, from: number, to: number): Promise<void> {
    await this.#tab.drag(await this.#place(selector, from), await this.#place(selector, to));
  }

  async #place(selector: string, part: number): Promise<Point> {
    await expect.poll(() => this.run((wanted) => window.probe.all(wanted).length, selector), PATIENCE).toBeGreaterThan(0);
    return this.run((wanted, across) => {
      const [element] = window.probe.all(wanted);
      element!.scrollIntoView({ block: "center", behavior: "instant" });
      const { x, y, width, height } = element!.getBoundingClientRect();
      return { x: x + width * across, y: y + height / 2 };
    }, selector, part);
  }

  texts(selector: string): Promise<string[]> {
    return this.run((wanted) => window.probe.all(wanted).map((element) => element.innerText), selector);
  }

  /** Waits until the first `cols` columns of a grid, the `index`th that matches, hold these numbers; to the last bit, where `same` says no other. */
  async untilCells(grid: string, cols: number, expected: ArrayLike<number>, index = 0, same: (shown: number[], expected: number[]) => void = exactly): Promise<void> {
    await expect.poll(async () => {
      const labels = await this.run((selector, width, at) => {
        const cells = window.probe.all(selector)[at]?.shadowRoot?.querySelectorAll('[role="gridcell"]') ?? [];
        return [...cells].filter((cell) => Number(cell.getAttribute("aria-colindex")) - 2 < width).map((cell) => cell.getAttribute("aria-label")!);
      }, grid, cols, index);
      same(labels.map(readNumber), Array.from(expected));
      return true;
    }, PATIENCE).toBe(true);
  }

  faults(): Promise<string[]> {
    return this.run(() => window.probe.faults);
  }
}
