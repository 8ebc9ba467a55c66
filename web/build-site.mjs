// Builds dist/site and dist/addnorm-playground.html; both wasm builds must be there.
import { fileURLToPath } from "node:url";
import { build, loadConfigFromFile } from "vite";

const path = fileURLToPath(new URL("vite.site.config.ts", import.meta.url));
const loaded = await loadConfigFromFile({ command: "build", mode: "production" }, path);
for (const config of loaded.config) await build({ logLevel: "warn", ...config });
