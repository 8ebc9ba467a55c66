// Counts the test cases of one report (Catch2's XML, vitest's JSON): node scripts/count-tests.mjs FILE prints "PASSED FAILED".
// Catch2 writes nothing else when it writes XML, so its failures are told on standard error.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function plain(xml) {
  return xml.replace(/&(\w+);/g, (whole, name) => entities[name] ?? whole).replace(/\s+/g, " ").trim();
}

function attribute(tag, name) {
  return plain(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
}

/** What went wrong within one test case: a line for each failed assertion, exception or signal. */
function catch2Failures(body) {
  const expressions = [...body.matchAll(/<Expression success="false"([^>]*)>([\s\S]*?)<\/Expression>/g)].map(
    ([, tag, inner]) => {
      const part = (name) => plain(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(inner)?.[1] ?? "");
      return `${attribute(tag, "filename")}:${attribute(tag, "line")}: ${part("Original")} was ${part("Expanded")} ${part("Exception")}`;
    },
  );
  const others = [...body.matchAll(/<(Failure|Exception|FatalErrorCondition)\b([^>]*filename[^>]*)>([\s\S]*?)<\/\1>/g)].map(
    ([, kind, tag, text]) => `${attribute(tag, "filename")}:${attribute(tag, "line")}: ${kind} ${plain(text)}`,
  );
  const hints = [...body.matchAll(/<Info>([\s\S]*?)<\/Info>/g)].map(([, text]) => `with ${plain(text)}`);
  return [...expressions, ...others, ...hints];
}

/** A test case without a result is the one in which the program ended, and counts as failed. */
export function countCatch2(xml) {
  const counts = { passed: 0, failed: 0, failures: [] };
  const cases = xml.split(/(?=<TestCase )/).slice(1);
  for (const body of cases) {
    if (/<OverallResult success="true"/.test(body)) {
      counts.passed += 1;
      continue;
    }
    counts.failed += 1;
    const ended = /<OverallResult /.test(body) ? [] : ["the program ended within it"];
    counts.failures.push(attribute(body, "name"), ...[...ended, ...catch2Failures(body)].slice(0, 8).map((line) => `  ${line}`));
  }
  return counts;
}

/** A file that could not be loaded has no tests of its own and counts as one failed. */
export function countVitest(json) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(json);
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && !assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length, failures: [] };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = readFileSync(process.argv[2], "utf8");
  const { passed, failed, failures } = text.trimStart().startsWith("<") ? countCatch2(text) : countVitest(text);
  for (const line of failures) console.error(line);
  console.log(`${passed} ${failed}`);
}
