// The elements in a stranger's page: its attributes, properties and styles, its comings and goings.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { attributeName, schema, stateKeys } from "../../web/state/schema.js";
import { DIST, SLOW, useBrowser } from "./support/browser.js";
import { drawn, ELEMENTS, openHost, withHost } from "./support/host.js";
import { an, cells, column, draw } from "./support/numbers.js";

useBrowser();

const README = readFileSync(join(DIST, "../README.md"), "utf8");
const VIEWS = schema.view.choices!;
const ARTICLE = [...draw(42, 0, 56, 10)];

type Element = HTMLElement & Record<string, unknown>;

/** What a property holds, or what is thrown when it is set. */
const property = (page: Page, name: string): Promise<unknown> => page.locator("addnorm-tokens").evaluate((element, key) => (element as unknown as Element)[key], name);

/** Sets properties in turn; gives the name and message of what was thrown, or "". */
const assign = (page: Page, values: Record<string, unknown>): Promise<string> =>
  page.locator("addnorm-tokens").evaluate((element, given) => {
    try {
      Object.assign(element, given);
      return "";
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
  }, values);

describe("attributes", () => {
  const tokens = [
    'seed="7" tokens="3" features="5" scale="2"', 'eps-placement="inside" step="3"', 'norm="rms" gamma-offset="1" step="3" gamma="2"', 'source="own" data="1,2;3,4"',
  ];

  test.each(tokens)("%s is the state that the page would have", { timeout: SLOW }, (attributes) =>
    withHost(`<addnorm-tokens ${attributes}></addnorm-tokens>${ELEMENTS}`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      const text = (name: string): string | undefined => new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1];
      const own = text("data")?.split(";").map((row) => row.split(",").map(Number));
      const cols = own?.[0]!.length ?? Number(text("features") ?? 8);
      const x = own ? Float32Array.from(own.flat()) : draw(Number(text("seed") ?? 42), 0, Number(text("tokens") ?? 7) * cols, Number(text("scale") ?? 10));
      const expected = text("step") === undefined ? x
        : text("norm") === "rms" ? an.rmsNorm(x, { cols, eps: 1e-5, gamma: new Array(cols).fill(2), gammaOffset: 1 }).y
        : an.layerNorm(x, { cols, eps: 1e-5, epsPlacement: "inside" }).y;
      expect(await cells(page, cols)).toEqual([...expected]);
    }));

  test("there is one for each key but the view, which the tag says, and a property that reads it", { timeout: SLOW }, () =>
    withHost(ELEMENTS, async (page) => {
      const values: Record<string, string> = {
        source: "random", tokens: "3", features: "4", seed: "9", scale: "2", norm: "rms", eps: "0.5", epsPlacement: "inside", variance: "sample", gamma: "1,2,3,4", beta: "5",
        gammaOffset: "1", token: "1", feature: "2", step: "3", edits: "0.1:2.5", data: "1,2;3,4", sublayers: "linear", wiring: "pre", heads: "4", head: "1", dFf: "6", causal: "yes", node: "post.sum1",
        fScale: "0.5", fKind: "drawn", fWidth: "2", projection: "branch", dy: "one", logBlocks: "4", logPlacement: "post", logOf: "all", commit: "2", layers: "12", depthVariants: "plain,skip",
        direction: "forward", initGain: "2", activation: "gelu", depthTokens: "4", depthFeatures: "16", depthWidening: "2", depthLayer: "3", depthStep: "1", batch: "2", padding: "1", groups: "4",
        dytAlpha: "2", compareShow: "numbers", compareNorm: "l2", lang: "zh", theme: "dark",
      };
      expect(Object.keys(values)).toEqual(stateKeys.filter((key) => key !== "view"));
      const read = await page.evaluate(async (attributes) => {
        await customElements.whenDefined("addnorm-tokens");
        const element = document.createElement("addnorm-tokens") as unknown as Element;
        for (const [name, value] of Object.values(attributes)) element.setAttribute(name!, value!);
        element.setAttribute("view", "depth");
        document.body.append(element);
        return Object.fromEntries(Object.keys(attributes).map((key) => [key, element[key]]));
      }, Object.fromEntries(Object.entries(values).map(([key, value]) => [key, [attributeName(key as keyof typeof schema), value]])));
      for (const [key, value] of Object.entries(values)) {
        const { format } = schema[key as keyof typeof schema] as { format(value: unknown): string };
        expect(format(read[key]), key).toBe(value);
      }
      await drawn(page.locator("addnorm-tokens"));
      expect(await page.locator("addnorm-tokens addnorm-bars").count()).toBeGreaterThan(0);
    }));

  test("change what is shown when they change, and fall back when they are taken away", { timeout: SLOW }, () =>
    withHost(`<addnorm-chain seed="7" node="post.x"></addnorm-chain>${ELEMENTS}`, async (page) => {
      const chain = page.locator("addnorm-chain");
      await chain.locator("#detail [role=gridcell]").first().waitFor();
      expect(await cells(page, 8)).toEqual([...draw(7, 0, 56, 1)]);
      await chain.evaluate((element) => element.removeAttribute("node"));
      await chain.locator("#detail").waitFor({ state: "detached" });
      await chain.evaluate((element) => element.setAttribute("lang", "zh"));
      await chain.locator('.root[lang="zh-Hans"]').first().waitFor();
    }));

  test("with bad values say which, and the element draws all the same", { timeout: SLOW }, () =>
    withHost(`<addnorm-tokens tokens="-3" controls="many"></addnorm-tokens>${ELEMENTS}`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      expect(await page.locator("addnorm-tokens .problem").innerText()).toBe("“-3” is not a value of tokens; it stays at “7”.");
      expect(await page.locator("addnorm-controls").count()).toBe(0);
      expect(await cells(page, 8)).toEqual(ARTICLE);
      await page.locator("addnorm-tokens").evaluate((element) => element.setAttribute("tokens", "3"));
      await page.locator("addnorm-tokens .problem").waitFor({ state: "detached" });
    }));

  test.each(VIEWS)("controls bring the norm, or all, with %s", { timeout: SLOW }, (view) =>
    withHost(`<addnorm-${view} controls="basic"></addnorm-${view}>${ELEMENTS}`, async (page) => {
      const element = page.locator(`addnorm-${view}`);
      await drawn(element);
      const headings = (): Promise<string[]> => element.locator("addnorm-controls h2").allTextContents();
      expect(await headings()).toEqual(["Norm"]);
      await element.evaluate((found) => found.setAttribute("controls", "all"));
      await expect.poll(headings).toContain("Numbers");
      expect(await element.locator("addnorm-controls[part=controls]").count()).toBe(1);
    }));
});

describe("properties", () => {
  const onTokens = (use: (page: Page) => Promise<void>, attributes = ""): Promise<void> =>
    withHost(`<addnorm-tokens ${attributes}></addnorm-tokens>${ELEMENTS}`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      await use(page);
    });

  test("x takes a person's own numbers, as rows, flat, or with their shape, and gives them back", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      const set = (code: string): Promise<unknown> => page.evaluate(`document.querySelector("addnorm-tokens").x = ${code}; Array.from(document.querySelector("addnorm-tokens").x ?? [])`);
      expect(await set("new Float32Array(16).map((_, i) => i / 4)")).toEqual(Array.from({ length: 16 }, (_, i) => i / 4));
      await expect.poll(() => cells(page, 8)).toEqual(Array.from({ length: 16 }, (_, i) => i / 4));
      expect(await set("[[1, 2], Float64Array.of(3, 4.1)]")).toEqual([1, 2, 3, Math.fround(4.1)]);
      await expect.poll(() => cells(page, 2)).toEqual([1, 2, 3, Math.fround(4.1)]);
      expect(await set("({ rows: 1, cols: 3, data: [5, NaN, 7] })")).toEqual([5, NaN, 7]);
      expect(await set("undefined")).toEqual([]);
      await expect.poll(() => cells(page, 8)).toEqual(ARTICLE);
    }));

  test("x may be too large for a link", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      await page.evaluate(() => {
        const element = document.querySelector("addnorm-tokens") as unknown as Element;
        element.features = 512;
        element.x = Float32Array.from({ length: 1024 * 512 }, (_, i) => i % 7);
      });
      await page.locator("addnorm-tokens").getByText("1,024 tokens × 512 features").waitFor();
    }));

  test("x is a copy: later changes of the array are not seen, nor do changes of what was read go in", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      const kept = await page.evaluate(() => {
        const element = document.querySelector("addnorm-tokens") as unknown as Element & { x: Float32Array; gamma: number[] };
        const given = new Float32Array(8).fill(1);
        element.x = given;
        given[0] = 99;
        element.x[1] = 99;
        element.gamma.push(5);
        return [[...element.x], element.gamma];
      });
      expect(kept).toEqual([new Array(8).fill(1), [1]]);
    }));

  test("lists take arrays and typed arrays, and a number for all features", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      await page.evaluate(() => Object.assign(document.querySelector("addnorm-tokens")!, { gamma: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), beta: 0.5, step: 3, edits: [{ row: 0, col: 1, value: 0.1 }] }));
      const x = Float32Array.from(ARTICLE);
      x[1] = 0.1;
      const { y } = an.layerNorm(x, { cols: 8, eps: 1e-5, epsPlacement: "outside", gamma: [1, 2, 3, 4, 5, 6, 7, 8], beta: new Array(8).fill(0.5) });
      await expect.poll(() => cells(page, 8)).toEqual([...y]);
      expect(await property(page, "gamma")).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }));

  const wrong: [values: Record<string, unknown>, said: string][] = [
    [{ x: "1,2" }, "TypeError: addnorm-tokens: x is \"1,2\", expected an array of rows"],
    [{ x: [] }, "RangeError: addnorm-tokens: x has 0 values, which do not make whole rows of 8"],
    [{ x: [[1, "2"]] }, "TypeError: addnorm-tokens: x is an array with other things than numbers"],
    [{ x: [[1, 2], [3]] }, "RangeError: addnorm-tokens: row 1 of x has 1 values, row 0 has 2"],
    [{ x: [1, 2, 3] }, "RangeError: addnorm-tokens: x has 3 values, which do not make whole rows of 8"],
    [{ x: { rows: 2, cols: 2, data: [1] } }, "RangeError: addnorm-tokens: x has 1 values, which do not make whole rows of 2"],
    [{ gamma: [1, 2, 3] }, "RangeError: addnorm-tokens: gamma is Array of 3, which is neither one value nor one a feature; it stays at 1"],
    [{ gamma: [1, null] }, "TypeError: addnorm-tokens: gamma is Array of 2, expected a finite number, or an array of them"],
    [{ gamma: [1, "2"] }, "TypeError: addnorm-tokens: gamma is Array of 2, expected a finite number, or an array of them"],
    [{ eps: -1 }, "RangeError: addnorm-tokens: eps is -1, expected a number from 0 to 1000000"],
    [{ eps: true }, "TypeError: addnorm-tokens: eps is true, expected a number from 0 to 1000000"],
    [{ seed: "many" }, "RangeError: addnorm-tokens: seed is \"many\", expected a whole number from 0 to 4294967295"],
    [{ norm: "batch" }, "RangeError: addnorm-tokens: norm is \"batch\", expected \"layer\" or \"rms\""],
    [{ edits: [{ row: 0 }] }, "RangeError: addnorm-tokens: edits is Array of 1, expected an array of { row, col, value }"],
    [{ edits: [{ row: 99, col: 0, value: 1 }] }, "RangeError: addnorm-tokens: edits is Array of 1, which lies outside the matrix"],
    [{ depthVariants: [] }, "RangeError: addnorm-tokens: depthVariants is Array of 0, expected an array of 1 to"],
    [{ token: 7 }, "RangeError: addnorm-tokens: token is 7, which lies outside the matrix"],
    [{ source: "own" }, "RangeError: addnorm-tokens: source is \"own\", which needs x first"],
  ];
  test("a wrong value is refused in plain words, and changes nothing", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      const state = (): Promise<unknown> => page.evaluate((keys) => keys.map((key) => (document.querySelector("addnorm-tokens") as unknown as Element)[key]), [...stateKeys, "x"]);
      const before = await state();
      for (const [values, said] of wrong) {
        expect(await assign(page, values)).toContain(said);
        expect(await state()).toEqual(before);
      }
      expect(await page.locator("addnorm-tokens .problem").count()).toBe(0);
    }));

  test("the text of an attribute is taken, too, as frameworks give it", { timeout: SLOW }, () =>
    onTokens(async (page) => {
      expect(await assign(page, { seed: "7", gamma: "2", epsPlacement: "inside", step: "1" })).toBe("");
      expect([await property(page, "seed"), await property(page, "gamma"), await property(page, "step")]).toEqual([7, [2], 1]);
    }));

  test("set before the script is there, they are taken when it comes; a wrong one is reported and stops nothing", { timeout: SLOW }, async () => {
    const { page, faults } = await openHost('<addnorm-tokens features="2" seed="3"></addnorm-tokens>');
    await page.evaluate(() => Object.assign(document.querySelector("addnorm-tokens")!, { gamma: [1, 2], x: [1, 2, 3, 4], step: 3, eps: -1 }));
    await page.addScriptTag({ type: "module", url: "/elements.js" });
    await drawn(page.locator("addnorm-tokens"));
    expect(await cells(page, 2)).toEqual([...an.layerNorm([[1, 2], [3, 4]], { cols: 2, eps: 1e-5, epsPlacement: "outside", gamma: [1, 2] }).y]);
    expect(await property(page, "eps")).toBe(1e-5);
    expect(faults).toEqual(["uncaught: addnorm-tokens: eps is -1, expected a number from 0 to 1000000"]);
    await page.context().close();
  });

  test("every change is told with the new state, the first attributes and what changes nothing are not", { timeout: SLOW }, () =>
    withHost(`<script>window.told = []; addEventListener("addnorm-change", ({ detail, target }) => told.push([target.id, detail.seed, detail.token, detail.view]));</script>
      <addnorm-tokens id="one" seed="5"></addnorm-tokens>${ELEMENTS}`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      await page.evaluate(() => Object.assign(document.querySelector("addnorm-tokens")!, { seed: 6 }));
      await page.evaluate(() => Object.assign(document.querySelector("addnorm-tokens")!, { seed: 6 }));
      await page.locator("addnorm-tokens [role=gridcell]").nth(25).click();
      expect(await page.evaluate(() => (window as unknown as { told: unknown }).told)).toEqual([["one", 6, 0, "tokens"], ["one", 6, 2, "tokens"]]);
    }));
});

describe("comings and goings", () => {
  test("twenty on a page run one wasm, and those below the fold wait until they come near", { timeout: SLOW }, () => {
    let fetched = 0;
    const body = Array.from({ length: 20 }, (_, i) => `<addnorm-${VIEWS[i % 5]} seed="${i}" style="min-height: 900px"></addnorm-${VIEWS[i % 5]}>`).join("");
    return withHost(`${body}${ELEMENTS}`, async (page) => {
      const started = (): Promise<number> => page.evaluate(() => [...document.querySelectorAll("body > *")].filter((element) => element.shadowRoot?.querySelector(".card")).length);
      await drawn(page.locator("body > :first-child"));
      await page.waitForTimeout(300);
      expect(await started()).toBeLessThan(5);
      for (let i = 0; i < 20; i++) {
        await page.locator("body > *").nth(i).scrollIntoViewIfNeeded();
        await drawn(page.locator("body > *").nth(i));
      }
      expect(await started()).toBe(20);
      expect(fetched).toBe(1);
      expect(await page.evaluate(() => (window as unknown as { instances: number }).instances)).toBe(1);
      const ids = await page.evaluate(() => {
        const found: string[] = [];
        const visit = (root: Document | ShadowRoot): void => {
          const own = [...root.querySelectorAll("[id]")].map(({ id }) => id);
          found.push(...own.filter((id, i) => own.indexOf(id) !== i));
          for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) visit(shadowRoot);
        };
        visit(document);
        return { twice: found, outside: document.querySelectorAll("[id]").length };
      });
      expect(ids).toEqual({ twice: [], outside: 0 });
    }, {
      before: async (page) => {
        page.on("request", (request) => { if (request.url().endsWith(".wasm")) fetched += 1; });
        await page.addInitScript(() => {
          const { instantiate } = WebAssembly;
          const counted = window as unknown as { instances: number };
          counted.instances = 0;
          // The probe of the engine's SIMD is a module of some bytes.
          WebAssembly.instantiate = ((module: WebAssembly.Module, imports: WebAssembly.Imports) => {
            if (module instanceof WebAssembly.Module && WebAssembly.Module.imports(module).length > 0) counted.instances += 1;
            return instantiate(module, imports);
          }) as typeof instantiate;
        });
      },
    });
  });

  test("an element keeps its state when it is moved, and when it is taken out and put back", { timeout: SLOW }, () =>
    withHost(`<div id="a"><addnorm-tokens seed="3"></addnorm-tokens></div><div id="b"></div>${ELEMENTS}`, async (page) => {
      const element = page.locator("addnorm-tokens");
      await drawn(element);
      await assign(page, { x: [[1, 2], [3, 4]] });
      await element.getByRole("radio").nth(1).check({ force: true });
      await page.evaluate(() => document.querySelector("#b")!.append(document.querySelector("addnorm-tokens")!));
      await drawn(page.locator("#b addnorm-tokens"));
      expect(await cells(page, 2)).toEqual([-0.5, 0.5, -0.5, 0.5]);
      await page.evaluate(async () => {
        const found = document.querySelector("addnorm-tokens")!;
        found.remove();
        Object.assign(found, { step: 0 });
        await new Promise((done) => setTimeout(done, 50));
        document.querySelector("#a")!.append(found);
      });
      await expect.poll(() => cells(page, 2)).toEqual([1, 2, 3, 4]);
      await element.getByRole("radio").nth(1).check({ force: true });
      await expect.poll(() => property(page, "step")).toBe(1);
    }));

  test("what is taken out leaves no listener and no observer behind, and its worker ends", { timeout: SLOW }, () => {
    let workers = 0;
    return withHost(ELEMENTS, async (page) => {
      page.on("worker", (worker) => {
        workers += 1;
        worker.on("close", () => (workers -= 1));
      });
      const open = (): Promise<number> => page.evaluate(() => (window as unknown as { open: number }).open);
      const round = async (): Promise<void> => {
        await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<addnorm-tokens controls="all"></addnorm-tokens><addnorm-compare></addnorm-compare><addnorm-depth layers="64"></addnorm-depth>'));
        for (const view of ["tokens", "compare", "depth"]) await drawn(page.locator(`addnorm-${view}`));
        await page.locator("addnorm-depth-chart").waitFor();
        expect(await open()).toBeGreaterThan(5);
        await page.evaluate(() => document.querySelectorAll("body > *").forEach((element) => element.remove()));
      };
      await round();
      await expect.poll(open).toBe(0);
      await round();
      await expect.poll(open).toBe(0);
      await expect.poll(() => workers).toBe(0);
    }, {
      before: (page) => page.addInitScript(() => {
        const counter = window as unknown as { open: number };
        counter.open = 0;
        for (const name of ["ResizeObserver", "IntersectionObserver", "MutationObserver"] as const) {
          const open = new Set<object>();
          const { observe, disconnect } = (window[name] as typeof ResizeObserver).prototype;
          Object.assign(window[name].prototype, {
            observe(this: object, ...given: [globalThis.Element]) {
              if (!open.has(this)) counter.open += 1;
              open.add(this);
              observe.apply(this as ResizeObserver, given);
            },
            disconnect(this: object) {
              if (open.delete(this)) counter.open -= 1;
              disconnect.call(this as ResizeObserver);
            },
          });
        }
        const { addEventListener, removeEventListener } = MediaQueryList.prototype;
        Object.assign(MediaQueryList.prototype, {
          addEventListener(this: MediaQueryList, ...given: Parameters<typeof addEventListener>) { counter.open += 1; addEventListener.apply(this, given); },
          removeEventListener(this: MediaQueryList, ...given: Parameters<typeof removeEventListener>) { counter.open -= 1; removeEventListener.apply(this, given); },
        });
        // An idle worker ends after ten seconds; here after a moment.
        const wait = setTimeout;
        Object.assign(window, { setTimeout: (work: () => void, ms: number, ...rest: unknown[]) => wait(work, ms === 10_000 ? 50 : ms, ...rest) });
      }),
    });
  });

  test("two copies of the script on a page do no harm", { timeout: SLOW }, () =>
    withHost(`<addnorm-tokens></addnorm-tokens><addnorm-depth></addnorm-depth>${ELEMENTS}<script type="module" src="/elements.js?again"></script>`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      await page.locator("addnorm-depth-chart").waitFor();
      expect(await cells(page, 8)).toEqual(ARTICLE);
    }));
});

describe("the host's styles", () => {
  const look = (page: Page): Promise<unknown> => page.locator("addnorm-tokens .root").first().evaluate((root) => {
    const seen: unknown[] = [];
    const visit = (element: globalThis.Element): void => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const origin = root.getBoundingClientRect();
      const { color, fontFamily, fontSize, fontStyle, letterSpacing, textAlign, textTransform, direction, visibility, whiteSpace, cursor, boxSizing, writingMode, textShadow } = getComputedStyle(element);
      seen.push([element.localName, Math.round(left - origin.left), Math.round(top - origin.top), Math.round(width), Math.round(height),
        color, fontFamily, fontSize, fontStyle, letterSpacing, textAlign, textTransform, direction, visibility, whiteSpace, cursor, boxSizing, writingMode, textShadow]);
      for (const child of (element.shadowRoot ?? element).children) if (child.localName !== "style") visit(child);
    };
    visit(root);
    return seen;
  });

  const hostile: [name: string, styles: string][] = [
    ["all unset", "* { all: unset !important }"],
    ["huge type in a tiny root", "html { font-size: 5px } * { font: italic 90px/3 fantasy !important; letter-spacing: 1em !important; word-spacing: 2em !important }"],
    ["a huge root", "html { font-size: 60px }"],
    ["boxes and frames for everything", "* { box-sizing: content-box } div, p, button, input, span, section, svg, table, td { padding: 40px !important; margin: 40px !important; border: 9px solid red !important; color: red !important }"],
    ["right to left", "html, body, * { direction: rtl !important; text-align: right !important; unicode-bidi: bidi-override !important }"],
    ["inherited oddities", "body { color: red; cursor: crosshair; text-transform: uppercase; white-space: pre; text-shadow: 2px 2px red; word-break: break-all; text-indent: 5em; line-height: 4; font-variant: small-caps; visibility: hidden; writing-mode: vertical-rl; text-align: justify; pointer-events: none; user-select: none; list-style: square; tab-size: 1; quotes: none; -webkit-text-fill-color: red } body > div { writing-mode: horizontal-tb }"],
    ["its own custom properties", ":root { --ink: red; --card: red; --ground: red; --sans: fantasy; --mono: fantasy; --stream: red; --hairline: red }"],
    ["class names of ours", ".card, .root, .view, .lead, .row, .cell, .button { display: none !important; color: red !important }"],
  ];

  test("do not leak in, whatever they are", { timeout: SLOW }, async () => {
    const page = (styles: string): string => `<!doctype html><html lang="en"><title>host</title><style>${styles}</style><body><div style="width: 720px !important; display: block !important"><addnorm-tokens controls="all"></addnorm-tokens></div>${ELEMENTS}</body></html>`;
    let plain: unknown;
    await withHost(page(""), async (quiet) => {
      await drawn(quiet.locator("addnorm-tokens"));
      plain = await look(quiet);
    });
    for (const [name, styles] of hostile) {
      await withHost(page(styles), async (loud) => {
        await drawn(loud.locator("addnorm-tokens"));
        expect(await look(loud), name).toEqual(plain);
      });
    }
  });

  test("are not touched by the elements: neither styles nor globals come out", { timeout: SLOW }, () =>
    withHost(`<div class="root card lead button"><p class="muted">Text</p><table><tr><td>1</td></tr></table><button>b</button></div><addnorm-chain></addnorm-chain>`, async (page) => {
      const state = (): Promise<unknown> => page.evaluate(() => ({
        styles: [...document.querySelectorAll("html, body, .root, .root *")].map((element) => Object.fromEntries([...getComputedStyle(element)].map((name) => [name, getComputedStyle(element).getPropertyValue(name)]).filter(([name]) => !/(?:height|block-size|origin)$/.test(name!)))),
        sheets: document.styleSheets.length + document.adoptedStyleSheets.length + document.querySelectorAll("style, link").length,
        globals: Object.keys(window).filter((key) => !/^(?:lit|reactiveElement)/.test(key)),
      }));
      const before = await state();
      await page.addScriptTag({ type: "module", url: "/elements.js" });
      await drawn(page.locator("addnorm-chain"));
      await page.evaluate(() => document.querySelectorAll("script").forEach((script) => script.remove()));
      expect(await state()).toEqual(before);
    }));

  test("theme the elements through documented custom properties and parts", { timeout: SLOW }, () =>
    withHost(`<style>
      addnorm-tokens { --addnorm-ink: rgb(1, 2, 3); --addnorm-card: rgb(4, 5, 6); --addnorm-stream: rgb(7, 8, 9); --addnorm-font-size: 20px; --addnorm-sans: fantasy; }
      addnorm-tokens::part(card) { border-color: rgb(10, 11, 12); }
      addnorm-tokens::part(lead) { font-style: italic; }
      addnorm-tokens::part(question) { display: none; }
      addnorm-tokens::part(controls) { margin-bottom: 16px; }
      addnorm-tokens::part(view) { background: rgb(13, 14, 15); }</style><addnorm-tokens controls="all"></addnorm-tokens>${ELEMENTS}`, async (page) => {
      const element = page.locator("addnorm-tokens");
      await drawn(element);
      const style = (selector: string, name: string): Promise<string> => element.locator(selector).first().evaluate((found, key) => getComputedStyle(found).getPropertyValue(key), name);
      expect([await style(".root", "color"), await style(".root", "font-size"), await style(".root", "font-family"), await style(".root", "background-color")]).toEqual(["rgb(1, 2, 3)", "20px", "fantasy", "rgb(13, 14, 15)"]);
      expect([await style(".card", "background-color"), await style(".card", "border-top-color"), await style(".lead", "font-style")]).toEqual(["rgb(4, 5, 6)", "rgb(10, 11, 12)", "italic"]);
      expect([await style(".question", "display"), await style("addnorm-controls", "margin-bottom")]).toEqual(["none", "16px"]);
      // A picture follows, too.
      expect(await element.locator("addnorm-bars svg [fill='var(--stream)']").first().evaluate((found) => getComputedStyle(found).fill)).toBe("rgb(7, 8, 9)");
    }));
});

test("every custom property and part that the readme names is there", { timeout: SLOW }, () =>
  withHost(`<addnorm-tokens controls="all"></addnorm-tokens>${ELEMENTS}`, async (page) => {
    const properties = [...new Set(Array.from(README.matchAll(/`--addnorm-([a-z-]+)`/g), ([, name]) => name!))];
    const parts = README.match(/Parts for `::part\(\)`: (.*)\./)![1]!.match(/(?<=`)\w+(?=`)/g)!;
    expect([properties.length, parts.length]).toEqual([15, 5]);
    await drawn(page.locator("addnorm-tokens"));
    const missing = await page.locator("addnorm-tokens").evaluate((element, [names, wanted]) => {
      const root = element.shadowRoot!.querySelector(".root")!;
      const deaf = names!.filter((name) => {
        const value = { "font-size": "33px", sans: "fantasy", mono: "fantasy" }[name] ?? "rgb(1, 2, 3)";
        element.style.setProperty(`--addnorm-${name}`, value);
        return getComputedStyle(root).getPropertyValue(name === "font-size" ? name : `--${name}`) !== value;
      });
      return [...deaf, ...wanted!.filter((part) => !element.shadowRoot!.querySelector(`[part~="${part}"]`))];
    }, [properties, parts]);
    expect(missing).toEqual([]);
  }));

describe("light and dark", () => {
  const theme = (page: Page): Promise<unknown> => page.locator("addnorm-tokens .root").first().evaluate((root) => [root.getAttribute("data-theme"), root.classList.contains("panel")]);
  const cases: [name: string, head: string, scheme: "light" | "dark", expected: [string, boolean]][] = [
    ["a plain page stays light though the system is dark", "", "dark", ["light", false]],
    ["a page that paints itself dark", "<style>body { background: #123 }</style>", "light", ["dark", false]],
    ["a page that asks for dark", "<style>:root { color-scheme: dark }</style>", "light", ["dark", false]],
    ["a page that follows the system", '<meta name="color-scheme" content="light dark">', "dark", ["dark", false]],
    ["a page in colours of another space", "<style>body { background: oklch(20% 0.02 250) }</style>", "light", ["dark", false]],
  ];
  test.each(cases)("auto is that of %s", { timeout: SLOW }, (_, head, colorScheme, expected) =>
    withHost(`<!doctype html><html lang="en"><title>host</title>${head}<body><addnorm-tokens controls="all"></addnorm-tokens>${ELEMENTS}</body></html>`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      expect(await theme(page)).toEqual(expected);
      expect(await page.locator("addnorm-controls .root").getAttribute("data-theme")).toBe(expected[0]);
    }, { colorScheme }));

  test("follows the page's own switch, and has a ground of its own where it must not", { timeout: SLOW }, () =>
    withHost(`<!doctype html><html lang="en" data-theme="light"><title>host</title><style>html { transition: background 0.2s } html[data-theme="dark"] { background: #111 }</style><body><addnorm-tokens></addnorm-tokens>${ELEMENTS}</body></html>`, async (page) => {
      await drawn(page.locator("addnorm-tokens"));
      expect(await theme(page)).toEqual(["light", false]);
      await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
      await expect.poll(() => theme(page)).toEqual(["dark", false]);
      await page.locator("addnorm-tokens").evaluate((element) => element.setAttribute("theme", "light"));
      await expect.poll(() => theme(page)).toEqual(["light", true]);
      expect(await page.locator("addnorm-tokens .root").evaluate((root) => getComputedStyle(root).backgroundColor)).toBe("rgb(251, 251, 249)");
    }));
});

test.each(["en", "zh"] as const)("on a phone the statistics stay within their card (%s)", { timeout: SLOW }, (lang) =>
  withHost(`<addnorm-tokens lang="${lang}"></addnorm-tokens>${ELEMENTS}`, async (page) => {
    await drawn(page.locator("addnorm-tokens"));
    const over = await page.locator("addnorm-tokens .statistics").evaluate((table) => {
      const card = table.closest(".card")!;
      const edge = card.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(card).paddingRight);
      return Array.from(table.querySelectorAll(".figure, th"), (cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell.textContent, range.getBoundingClientRect().right - edge] as const;
      }).filter(([, pixels]) => pixels > 0.5);
    });
    expect(over).toEqual([]);
  }, { width: 344, height: 2000 }));

describe("until there are numbers", () => {
  const heights = Object.fromEntries(Array.from(README.matchAll(/^\| `addnorm-(\w+)` \| \d+px \| (\d+px) \|/gm), ([, view, height]) => [view, height]));
  const line = README.match(/addnorm-tokens \{ display: block; min-height: \d+px; \}/)?.[0];

  test("the readme has a height for each view", () => {
    expect(Object.keys(heights)).toEqual([...VIEWS]);
    expect(line).toContain(heights.tokens);
  });

  test.each(VIEWS)("nothing moves in a page that gives %s the height of the readme", { timeout: SLOW }, (view) =>
    withHost(`<!doctype html><html lang="en"><title>host</title><style>body { width: 720px; margin: auto } ${line?.replace("tokens", view).replace(/\d+px/, heights[view]!)}</style>
      <body><h1>Article</h1><addnorm-${view}><p>A picture of the numbers.</p></addnorm-${view}><p>The text goes on.</p>${ELEMENTS}</body></html>`, async (page) => {
      await drawn(page.locator(`addnorm-${view}`));
      await page.waitForTimeout(300);
      expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.001);
      const { height } = (await page.locator(`addnorm-${view}`).boundingBox())!;
      expect(height).toBe(Number.parseInt(heights[view]!));
    }, {
      width: 900,
      before: (page) => page.addInitScript(() => {
        const seen = window as unknown as { shift: number };
        seen.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
      }),
    }));

  test("the content between the tags shows, and gives way to the numbers", { timeout: SLOW }, () => {
    let letGo = (): void => {};
    const held = new Promise<void>((done) => (letGo = done));
    return withHost(`<addnorm-tokens><p id="words">LayerNorm in words</p></addnorm-tokens>${ELEMENTS}`, async (page) => {
      await page.waitForFunction(() => document.querySelector("addnorm-tokens")!.shadowRoot);
      expect(await page.locator("#words").isVisible()).toBe(true);
      letGo();
      await drawn(page.locator("addnorm-tokens"));
      expect(await page.locator("#words").isVisible()).toBe(false);
    }, { before: (page) => page.route("**/*.wasm", async (route) => { await held; await route.continue(); }) });
  });

  test("it stays where the wasm cannot be had, with the reason", { timeout: SLOW }, async () => {
    const { page } = await openHost(`<addnorm-tokens><p id="words">LayerNorm in words</p></addnorm-tokens>${ELEMENTS}`, { before: (early) => early.route("**/*.wasm", (route) => route.abort()) });
    await page.getByText("The kernels could not be loaded").waitFor();
    expect(await page.locator("#words").isVisible()).toBe(true);
    await page.context().close();
  });

  test("it stays without JavaScript", { timeout: SLOW }, async () => {
    const { page } = await openHost(`<addnorm-tokens><p id="words">LayerNorm in words</p></addnorm-tokens>${ELEMENTS}`, { javaScriptEnabled: false });
    expect(await page.locator("#words").isVisible()).toBe(true);
    await page.context().close();
  });

  test("an element without content says that it loads", { timeout: SLOW }, () =>
    withHost(`<addnorm-tokens>\n</addnorm-tokens>${ELEMENTS}`, async (page) => {
      await page.getByText("Loading the kernels…").waitFor();
      await drawn(page.locator("addnorm-tokens"));
      expect(await column(page, 8)).toHaveLength(7);
    }, { before: (page) => page.route("**/*.wasm", async (route) => { await new Promise((done) => setTimeout(done, 300)); await route.continue(); }) }));
});

test("Tab goes through an element and out of it, and Esc lets go of what is held", { timeout: SLOW }, () =>
  withHost(`<button id="before">before</button><addnorm-tokens controls="all"></addnorm-tokens><button id="after">after</button>${ELEMENTS}`, async (page) => {
    await drawn(page.locator("addnorm-tokens"));
    await page.locator("#before").focus();
    const at = (): Promise<string> => page.evaluate(() => document.activeElement!.id || document.activeElement!.localName);
    const stops: string[] = [];
    for (let i = 0; i < 40 && stops.at(-1) !== "after"; i++) {
      await page.keyboard.press("Tab");
      stops.push(await at());
    }
    expect(stops.slice(0, -1).every((stop) => stop === "addnorm-tokens")).toBe(true);
    expect(stops.length).toBeGreaterThan(4);
    expect(stops.at(-1)).toBe("after");
    for (let i = 0; i < 40 && (await at()) !== "before"; i++) await page.keyboard.press("Shift+Tab");
    expect(await at()).toBe("before");
    await page.locator("addnorm-tokens [role=gridcell]").first().click();
    await page.locator("addnorm-tokens .chip").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("addnorm-tokens .chip").waitFor({ state: "detached" });
  }));
