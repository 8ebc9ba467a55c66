// The state lives in the address: links, back and forward, bad values, language and theme.
import { describe, expect, test } from "vitest";
import { goTo, keysOf, open, settled, SLOW, untilDrawn, untilKey, useBrowser, withPage } from "./support/browser.js";
import { cells } from "./support/numbers.js";

useBrowser();

describe("the address", () => {
  test("of a first visit stays bare", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      expect(new URL(page.url()).hash).toBe("");
    }));

  test("brings the same page back in another window", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("link", { name: "Chain" }).click();
      await page.getByRole("radio", { name: "RMSNorm" }).check();
      await page.locator('addnorm-number-field[data-key="seed"] input').fill("11");
      await page.locator('addnorm-number-field[data-key="seed"] input').press("Enter");
      await untilKey(page, "seed", "11");
      await page.locator('[data-node="pre.norm2"]').click();
      await untilKey(page, "node", "pre.norm2");
      await settled(page);
      const shown = await cells(page, 8);
      const hash = new URL(page.url()).hash;
      await withPage({ hash }, async (other) => {
        expect(await cells(other, 8)).toEqual(shown);
        expect(new URL(other.url()).hash).toBe(hash);
      });
    }));

  test("goes back and forward through the states", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      const start = await cells(page, 8);
      await page.getByRole("button", { name: "Random" }).click();
      await untilKey(page, "source", "random");
      await page.getByRole("link", { name: "Chain" }).click();
      await untilKey(page, "view", "chain");
      await page.goBack();
      await untilKey(page, "view", undefined);
      await page.goBack();
      await untilKey(page, "source", undefined);
      await settled(page);
      expect(await cells(page, 8)).toEqual(start);
      await page.goForward();
      await untilKey(page, "source", "random");
    }));

  const bad: [hash: string, said: string][] = [
    ["#tokens=-3", "tokens"],
    ["#eps=abc", "eps"],
    ["#view=depths", "view"],
    ["#norm=%E0%A4%A", "norm"],
    ["#nonsense=1", "nonsense"],
    ["#tokens=4096&features=4096", "4,194,304"],
    ["#gamma=1,2,3", "gamma"],
    ["#edits=99.0:1", "edits"],
    ["#token=50", "token"],
    ["#node=post.sum9&view=chain", "node"],
    ["#source=own", "article"],
    ["#seed=<script>alert(1)</script>", "seed"],
  ];
  test("with bad values says which, draws all the same, and the note can be sent away", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      for (const [hash, said] of bad) {
        await goTo(page, hash);
        const notices = page.locator(".notices");
        expect(await notices.innerText(), hash).toContain(said);
        await notices.getByRole("button", { name: "Dismiss" }).click();
        await notices.waitFor({ state: "detached" });
        expect(await page.locator("addnorm-tokens .root, addnorm-chain .root").innerText(), hash).toMatch(/\d\.\d/);
      }
    }));

  test("tells of bad values in Chinese, too", { timeout: SLOW }, () =>
    withPage({ hash: "#tokens=-3&lang=zh" }, async (page) => {
      expect(await page.locator(".notices").innerText()).toContain("不是 tokens 的有效取值");
    }));
});

describe("the language", () => {
  test("is the reader's own, and the document says which", { timeout: SLOW }, async () => {
    await withPage({ locale: "zh-CN" }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-Hans");
      expect(await page.title()).toContain("实验台");
      expect(await page.locator('meta[name="description"]').getAttribute("content")).toContain("残差连接");
    });
    await withPage({ locale: "de-DE" }, async (page) => {
      expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
    });
  });

  test("changes by the button, and back undoes it", { timeout: SLOW }, () =>
    withPage({}, async (page) => {
      await page.getByRole("button", { name: "中文" }).click();
      await untilKey(page, "lang", "zh");
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("zh-Hans");
      await page.getByRole("button", { name: "English" }).waitFor();
      await page.goBack();
      await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("en");
    }));

  /** Names of things that Chinese texts write in Latin letters, too. */
  const NAMES =
    /Add & Norm|torch\.std|LayerNorm|RMSNorm|Post-LN|Pre-LN|English|attn_output|ffn_output|residual_connection|add_and_norm|layer_norm|rms_norm|post_norm|pre_norm|PreNormResidual|PyTorch|NumPy|Llama|Gemma|randn|RandomState|Enter|Shift|Esc|NaN|Inf|rms|RMS|LN|Transformer|token/g;

  for (const hash of ["", "#step=3", "#norm=rms", "#view=chain", "#view=chain&node=post.norm1&sublayers=linear", "#view=chain&norm=rms&node=pre.f1"]) {
    test(`leaves no English on the Chinese page ${hash || "as it opens"}`, { timeout: SLOW }, () =>
      withPage({ hash, locale: "zh-CN" }, async (page) => {
        const texts = await page.evaluate(() => {
          const found: string[] = [];
          const visit = (node: Node): void => {
            if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent!);
            if (node instanceof Element) {
              if (node.getAttribute("aria-hidden") === "true" || /^en/.test(node.getAttribute("lang") ?? "")) return;
              // The brand is a name.
              if (node.tagName === "H1") return;
              if (["STYLE", "SCRIPT", "MATH", "math", "CODE", "NOSCRIPT"].includes(node.tagName) || node.matches(".code, .caption, .late, .waiting")) return;
              for (const name of ["aria-label", "title", "aria-description", "label", "hint", "problem", "placeholder"]) found.push(node.getAttribute(name) ?? "");
              if (node.shadowRoot) {
                node.shadowRoot.childNodes.forEach(visit);
                return;
              }
            }
            node.childNodes.forEach(visit);
          };
          visit(document.body);
          return found;
        });
        const english = texts.map((text) => text.replace(NAMES, "")).filter((text) => /[A-Za-z]{3,}/.test(text));
        expect(english).toEqual([]);
      }));
  }
});

describe("the theme", () => {
  const ground = (page: import("playwright-core").Page) => page.locator("addnorm-page .root").first().evaluate((root) => getComputedStyle(root).backgroundColor);

  test("is the system's, and follows it", { timeout: SLOW }, () =>
    withPage({ colorScheme: "dark" }, async (page) => {
      expect(await ground(page)).toBe("rgb(20, 23, 27)");
      await page.emulateMedia({ colorScheme: "light" });
      await expect.poll(() => ground(page)).toBe("rgb(251, 251, 249)");
    }));

  test("changes by the switch, in the document and in every element", { timeout: SLOW }, () =>
    withPage({ colorScheme: "light" }, async (page) => {
      await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
      await untilKey(page, "theme", "dark");
      await expect.poll(() => ground(page)).toBe("rgb(20, 23, 27)");
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(20, 23, 27)");
      expect(await page.locator("addnorm-tokens .root").getAttribute("data-theme")).toBe("dark");
    }));
});

describe("the page", () => {
  test("needs no storage and no history", { timeout: SLOW }, async () => {
    const { page, faults } = await open({
      before: (early) =>
        early.addInitScript(() => {
          const refuse = (): never => {
            throw new DOMException("refused", "SecurityError");
          };
          for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get: refuse });
          history.pushState = history.replaceState = refuse;
        }),
    });
    await page.getByRole("link", { name: "Chain" }).click();
    await page.locator("addnorm-chain .diagram").first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("is ready only when the first numbers are drawn", { timeout: SLOW }, async () => {
    const { page } = await open({
      early: true,
      before: (early) => early.route("**/*.wasm", async (route) => {
        await new Promise((done) => setTimeout(done, 1000));
        await route.continue();
      }),
    });
    await page.locator("addnorm-tokens .root").waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.ready)).toBeUndefined();
    await untilDrawn(page);
    expect(await cells(page, 8)).toHaveLength(56);
    expect(keysOf(page)).toEqual({});
    await page.context().close();
  });
});
