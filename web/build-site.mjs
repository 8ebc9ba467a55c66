// Builds dist/site and dist/addnorm-playground.html; both wasm builds and the package in dist/ must be there.
import { copyFile, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const configFile = here("vite.site.config.ts");
for (const mode of ["production", "embed-alone", "one-file"]) await build({ configFile, mode, logLevel: "warn" });

// Browsers ask the root of a host for this, whichever page it is; dist/ and dist/site/ may both be that root.
for (const root of ["../dist/", "../dist/site/"]) await copyFile(here("site/favicon.ico"), here(`${root}favicon.ico`));

await copyFile(here("site/social.png"), here("../dist/site/social.png"));

// The elements for other pages, from where the page is published.
const elements = here("../dist/site/package/");
await mkdir(elements);
await cp(here("../dist/wasm"), `${elements}wasm`, { recursive: true });
for (const name of await readdir(here("../dist/"))) {
  if (!/^(?:elements|index|(?:elements|chunk)-.+)\.js$/.test(name) || name === "elements-inline.js") continue;
  const script = await readFile(here(`../dist/${name}`), "utf8");
  await writeFile(`${elements}${name}`, script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
}
