// Builds dist/site and dist/addnorm-playground.html; both wasm builds must be there.
import { copyFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const configFile = here("vite.site.config.ts");
for (const mode of ["production", "one-file"]) await build({ configFile, mode, logLevel: "warn" });

// Browsers ask the root of a host for this, whichever page it is; dist/ and dist/site/ may both be that root.
for (const root of ["../dist/", "../dist/site/"]) await copyFile(here("site/favicon.ico"), here(`${root}favicon.ico`));
