// What Lighthouse finds that does not depend on how fast or busy the machine is; npm run lighthouse gives all figures.
import { expect, test } from "vitest";
// @ts-expect-error is JavaScript
import { audit, GOAL, scoreOf } from "../lighthouse/audit.mjs";
import { SLOW } from "./support/browser.js";

test("Lighthouse's mobile preset is content with the page", { timeout: SLOW }, async () => {
  const lhr = await audit("");
  for (const category of ["accessibility", "best-practices", "seo"]) expect(scoreOf(lhr, category), category).toBeGreaterThanOrEqual(GOAL);
  const { audits } = lhr;
  console.log(`Lighthouse: performance ${scoreOf(lhr, "performance")}, total blocking time ${audits["total-blocking-time"].displayValue}`);
  expect(audits["cumulative-layout-shift"].numericValue).toBeLessThan(0.1);
  expect(audits["total-byte-weight"].numericValue).toBeLessThan(260_000);
});
