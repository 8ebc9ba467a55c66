// scripts/count-tests.mjs: no failure, crash or empty run may be counted as a success.
import { expect, test } from "vitest";
import { countCatch2, countVitest } from "../../scripts/count-tests.mjs";

const good = '<TestCase name="one"><OverallResult success="true"/></TestCase>';

test("Catch2's cases are counted by their results, and a failure is told with its place", () => {
  const bad = `<TestCase name="two &lt; three" filename="a.cc" line="1">
    <Section name="s"><Expression success="false" type="CHECK" filename="a.cc" line="7">
      <Original>x == 1</Original><Expanded>2 == 1</Expanded></Expression></Section>
    <OverallResult success="false"/></TestCase>`;
  const { passed, failed, failures } = countCatch2(`<?xml version="1.0"?><Catch2TestRun>${good}${bad}</Catch2TestRun>`);
  expect([passed, failed]).toEqual([1, 1]);
  expect(failures.join("\n")).toContain("two < three\n  a.cc:7: x == 1 was 2 == 1");
});

test("a Catch2 report that breaks off counts the case it broke off in as failed", () => {
  expect(countCatch2(`<Catch2TestRun>${good}<TestCase name="crash"><Section name="s">`)).toMatchObject({ passed: 1, failed: 1 });
});

test("a Catch2 report without cases counts nothing", () => {
  expect(countCatch2('<?xml version="1.0"?><Catch2TestRun></Catch2TestRun>')).toMatchObject({ passed: 0, failed: 0 });
});

test("a test file that vitest could not load counts as failed", () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      { status: "failed", assertionResults: [{ status: "failed" }, { status: "passed" }] },
      { status: "passed", assertionResults: [{ status: "passed" }] },
      { status: "failed", assertionResults: [] },
    ],
  };
  expect(countVitest(JSON.stringify(report))).toMatchObject({ passed: 2, failed: 2 });
});
