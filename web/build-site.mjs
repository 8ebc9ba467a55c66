// Builds dist/site and dist/addnorm-playground.html; both wasm builds must be there.
import { fileURLToPath } from "node:url";
import { build } from "vite";

const configFile = fileURLToPath(new URL("vite.site.config.ts", import.meta.url));
for (const mode of ["production", "one-file"]) await build({ configFile, mode, logLevel: "warn" });
