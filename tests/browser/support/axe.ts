// What axe finds on a page, all shadow roots included.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe objects to: rule and elements. */
export async function objections(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // The page's own policy forbids foreign scripts; the debugger may evaluate past it.
  await session.send("Runtime.evaluate", { expression: `window.axe ?? (() => { ${axe} })()` });
  return page.evaluate(async () => {
    const { axe: run } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }> } };
    const { violations } = await run.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`).slice(0, 3).join("; ")}`);
  });
}
