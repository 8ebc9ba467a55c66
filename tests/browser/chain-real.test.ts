// The chain with real sublayers: what the page shows is an.block's, the wirings switch, attention opens to its weights.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { goTo, keysOf, settled, SLOW, untilKey, useBrowser, withPage } from "./support/browser.js";
import { ELEMENTS, withHost } from "./support/host.js";
import { an, draw, readNumber } from "./support/numbers.js";

useBrowser();

const REAL = "#view=chain&sublayers=attention";
const x = draw(42, 0, 56, 1);

function weightsOf(dFf: number) {
  const all = draw(42, 56, 256 + 16 * dFf, 1);
  let place = 0;
  const take = (count: number, fanIn: number) => all.slice(place, (place += count)).map((value) => value / Math.sqrt(fanIn));
  return { attnInWeight: take(192, 8), attnOutWeight: take(64, 8), ffnUpWeight: take(8 * dFf, 8), ffnDownWeight: take(8 * dFf, dFf) };
}

const block = (config: object, dFf = 32) => an.block(x, { dModel: 8, heads: 2, dFf, epsPlacement: "outside", weights: weightsOf(dFf), ...config }).steps;
const stepData = (steps: ReturnType<typeof block>, id: string): number[] => [...steps.find((step) => step.id === `block0.${id}`)!.data];

/** The numbers of a heatmap's first `cols` columns. */
async function cells(page: Page, selector: string, cols: number): Promise<number[]> {
  const labels = await page.locator(`${selector} [role="gridcell"]`).evaluateAll((found) =>
    found.map((cell) => ({ label: cell.getAttribute("aria-label")!, col: Number(cell.getAttribute("aria-colindex")) - 2 })));
  return labels.filter(({ col }) => col < cols).map(({ label }) => readNumber(label));
}
const output = (page: Page, cols = 8): Promise<number[]> => cells(page, "#detail > addnorm-heatmap", cols);
const looks = (page: Page): Promise<number[]> => cells(page, "addnorm-heatmap.attention", 7);

const wirings = (page: Page): Promise<string[]> =>
  page.locator("[data-wiring]").evaluateAll((found) => found.filter((card) => card.getBoundingClientRect().width > 0).map((card) => (card as HTMLElement).dataset.wiring!));

const parallel = { placement: "pre", branches: "parallel" };
const opened: { node: string; hash?: string; expected: () => number[] }[] = [
  { node: "post.f1", expected: () => stepData(block({ placement: "post" }), "attn") },
  { node: "post.norm2", expected: () => stepData(block({ placement: "post" }), "norm2") },
  { node: "pre.f2", expected: () => stepData(block({ placement: "pre" }), "ffn") },
  { node: "pre.sum2", hash: "&causal=yes&heads=4&activation=gelu&dFf=5", expected: () => stepData(block({ placement: "pre", causal: true, heads: 4, activation: "gelu" }, 5), "sum2") },
  { node: "parallel.branches", expected: () => stepData(block(parallel), "branches") },
  { node: "parallel.sum1", expected: () => stepData(block(parallel), "sum1") },
];

describe("the chain's real sublayers", () => {
  test("open to an.block's own numbers in each wiring", { timeout: SLOW }, () =>
    withPage({ hash: REAL }, async (page) => {
      for (const { node, hash = "", expected } of opened) {
        await goTo(page, `${REAL}&node=${node}${hash}`);
        expect(await output(page), node).toEqual(expected());
      }
    }));

  test("write the root mean square on each edge and both sides of each sum", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&wiring=parallel` }, async (page) => {
      const steps = block(parallel);
      const rms = (id: string): string => steps.find((step) => step.id === id)!.whole.rms.toFixed(2);
      const edges = await page.locator('[data-wiring="parallel"] .joins').allInnerTexts();
      expect(edges).toEqual([
        `rms ${rms("x")}`, `rms ${rms("block0.norm1")}`, `rms ${rms("block0.norm1")}`,
        `rms ${rms("block0.attn")} + ${rms("block0.ffn")}`, `rms ${rms("x")} + ${rms("block0.branches")}`,
      ]);
    }));

  test("stand in one, two or three wirings as there is room, and switch", { timeout: SLOW }, async () => {
    await withPage({ hash: REAL }, async (page) => {
      expect(await wirings(page)).toEqual(["post", "pre"]);
      await page.getByRole("radiogroup", { name: "Beside Pre-LN" }).getByRole("radio", { name: "Parallel" }).check();
      await untilKey(page, "wiring", "parallel");
      await settled(page);
      expect(await wirings(page)).toEqual(["pre", "parallel"]);
      await page.getByRole("radio", { name: "Simulated" }).check();
      await settled(page);
      expect(await wirings(page)).toEqual(["post", "pre"]);
    });
    await withPage({ hash: REAL, width: 1600 }, async (page) => {
      expect(await wirings(page)).toEqual(["post", "pre", "parallel"]);
    });
    await withPage({ hash: REAL, width: 360 }, async (page) => {
      expect(await wirings(page)).toEqual(["post"]);
      await page.getByRole("radiogroup", { name: "Wiring" }).getByRole("radio", { name: "Parallel" }).check();
      await settled(page);
      expect(await wirings(page)).toEqual(["parallel"]);
    });
  });

  test("lead from a step to the one that does its work in another wiring", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&node=pre.sum2` }, async (page) => {
      await page.locator("#detail").getByRole("radio", { name: "Parallel" }).check();
      await untilKey(page, "node", "parallel.sum1");
      await page.locator("#detail").getByRole("button", { name: "Attn + FFN" }).click();
      await untilKey(page, "node", "parallel.branches");
      await page.locator("#detail").getByRole("radio", { name: "Post-LN" }).check();
      await untilKey(page, "node", "post.sum1");
    }));

  test("are walked with the keys through both branches", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&wiring=parallel` }, async (page) => {
      const node = (id: string) => page.locator(`[data-node="parallel.${id}"]`);
      await node("norm1").focus();
      for (const id of ["f1", "f2", "branches"]) {
        await page.keyboard.press("ArrowDown");
        expect(await node(id).evaluate((found) => found.matches(":focus")), id).toBe(true);
      }
    }));

  test("take heads, width, activation and mask from the settings", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&node=pre.sum2` }, async (page) => {
      await page.getByRole("radio", { name: "causal" }).check();
      await page.getByRole("radio", { name: "GELU" }).check();
      await page.locator('[data-key="dFf"] input').fill("12");
      await page.locator('[data-key="heads"] input').fill("3");
      await page.keyboard.press("Enter");
      await untilKey(page, "heads", "3");
      expect(keysOf(page)).toMatchObject({ causal: "yes", activation: "gelu", dFf: "12" });
      await page.getByText("2 of them, the next number that divides 8 features.").waitFor();
      await settled(page);
      expect(await output(page)).toEqual(stepData(block({ placement: "pre", causal: true, activation: "gelu" }, 12), "sum2"));
    }));
});

describe("an opened attention", () => {
  const weights = (config: object): number[] => stepData(block(config), "attnWeights");

  test("shows each head's weights, and each row's sum", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&node=pre.f1` }, async (page) => {
      const all = weights({ placement: "pre" });
      expect(await looks(page)).toEqual(all.slice(0, 49));
      await page.getByRole("radio", { name: "Head 1" }).check();
      await untilKey(page, "head", "1");
      await settled(page);
      expect(await looks(page)).toEqual(all.slice(49));
      const sums = (await cells(page, "addnorm-heatmap.attention", 8)).filter((_, i) => i % 8 === 7);
      expect(sums).toHaveLength(7);
      for (const sum of sums) expect(sum).toBeCloseTo(1, 6);
    }));

  test("gives no weight to later tokens when it is causal", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&node=post.f1&causal=yes` }, async (page) => {
      const shown = await looks(page);
      expect(shown).toEqual(weights({ placement: "post", causal: true }).slice(0, 49));
      expect(shown.filter((_, i) => i % 7 > Math.floor(i / 7)).every((weight) => weight === 0)).toBe(true);
    }));

  test("works a weighted mean and the chosen entry out, and follows a clicked token", { timeout: SLOW }, () =>
    withPage({ hash: `${REAL}&node=pre.f1&head=1&token=3&feature=2` }, async (page) => {
      const pieces = async (): Promise<string[]> => (await page.locator("#detail .pieces").allInnerTexts()).map((line) => line.replaceAll("\u2212", "-"));
      const results = async (): Promise<number[]> => (await pieces()).map((line) => Number(line.split("=").at(-1)));
      const steps = block({ placement: "pre" });
      const [context, attn] = [stepData(steps, "context"), stepData(steps, "attn")];
      expect((await pieces())[0]).toMatch(/^c\[3, 6\] = /);
      const [mean, entry] = await results();
      expect(mean).toBeCloseTo(context[3 * 8 + 6]!, 3);
      expect(entry).toBeCloseTo(attn[3 * 8 + 2]!, 3);
      await page.locator('addnorm-heatmap.attention [role="row"][aria-rowindex="6"] [role="gridcell"]').first().click();
      await untilKey(page, "token", "4");
      await settled(page);
      expect((await results())[1]).toBeCloseTo(attn[4 * 8 + 2]!, 3);
    }));
});

test("an opened feed-forward works one number within out, before and after GELU, and one of its output", { timeout: SLOW }, () =>
  withPage({ hash: `${REAL}&node=parallel.f2&activation=gelu&token=2&feature=5` }, async (page) => {
    const steps = block({ ...parallel, activation: "gelu" });
    const results = (await page.locator("#detail .pieces").allInnerTexts()).map((line) => Number(line.replaceAll("\u2212", "-").split("=").at(-1)));
    expect(results).toHaveLength(3);
    expect(results[0]).toBeCloseTo(stepData(steps, "up")[2 * 32 + 5]!, 3);
    expect(results[1]).toBeCloseTo(stepData(steps, "activated")[2 * 32 + 5]!, 3);
    expect(results[2]).toBeCloseTo(stepData(steps, "ffn")[2 * 8 + 5]!, 3);
  }));

test("the element alone takes the keys as attributes, in Chinese", { timeout: SLOW }, () =>
  withHost(`<addnorm-chain sublayers="attention" heads="4" d-ff="6" causal="yes" wiring="parallel" lang="zh" node="parallel.sum1"></addnorm-chain>${ELEMENTS}`, async (page) => {
    await page.locator("#detail-title").waitFor();
    await page.getByText("注意力和前馈网络都是真正计算的").waitFor();
    await page.waitForTimeout(100);
    expect(await output(page)).toEqual(stepData(block({ ...parallel, heads: 4, causal: true }, 6), "sum1"));
  }));
