// What publint and Are The Types Wrong say of the packed package.
import { expect, test } from "vitest";
import { SLOW } from "../browser/support/browser.js";
import { useProject } from "./support/project.js";

const project = useProject();

test("publint finds nothing, not even a suggestion", { timeout: SLOW }, async () => {
  expect(await project.run(".", "publint", await project.tarball, "--strict")).toContain("All good!");
});

/**
 * The profile leaves out two resolutions that a package of ES modules alone cannot serve, and no other rule: "node10"
 * knows no "exports" (nor do the Node versions that resolved so know ES modules), and "node16-cjs" is require(), which
 * CommonJS replaces by import() here; tests/lib/package.test.ts runs that.
 */
test("Are The Types Wrong finds nothing in any resolution that ES modules have", { timeout: SLOW }, async () => {
  // It ends with an error, and so does this test, when it finds something.
  const said = await project.run(".", "attw", await project.tarball, "--profile", "esm-only", "--format", "json");
  const { analysis } = JSON.parse(said) as { analysis: { entrypoints: Record<string, unknown> } };
  expect(Object.keys(analysis.entrypoints)).toEqual(expect.arrayContaining([".", "./elements", "./elements-inline", "./files", "./inline"]));
});
