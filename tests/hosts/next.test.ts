// Next.js: the server computes in a server component, the client computes and shows an element; nothing is configured.
import { test } from "vitest";
import { SLOW, useBrowser } from "../browser/support/browser.js";
import { COMPUTED, ELEMENT, expectCore, expectElement, expectGolden, tells, visit } from "./support/fixture.js";
import { useProject } from "./support/project.js";

useBrowser();
const project = useProject();

test("built and started", { timeout: 2 * SLOW }, async () => {
  project.write({
    "next/package.json": JSON.stringify({ name: "next-host", private: true, type: "module" }),
    "next/app/layout.js": `
      export const metadata = { icons: "data:," };
      export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
    "next/app/page.js": `
      import { load } from "addnorm";
      import { Client } from "./client.js";
      export const dynamic = "force-dynamic";
      export default async function Page() {
        const an = await load();
        return <main data-server={JSON.stringify(${COMPUTED})}><Client/></main>;
      }`,
    "next/app/client.js": `
      "use client";
      import { useEffect } from "react";
      import { load } from "addnorm";
      import "addnorm/elements";
      export function Client() {
        useEffect(() => { ${tells()} }, []);
        return ${ELEMENT};
      }`,
  });
  await project.run("next", "next", "build");
  await visit(await project.serveBy("next", "next", "start", "--port"), async (page) => {
    expectGolden(JSON.parse((await page.locator("main").getAttribute("data-server"))!) as number[]);
    await expectCore(page);
    await expectElement(page);
  });
});
