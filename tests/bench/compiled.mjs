// What the bench loads from build/bench/, since it is published in no form that Node and browsers can import.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build, transformWithOxc } from "vite";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOLDER = at("../../build/bench");

/** The package keeps the module's table of functions to itself; the bench takes it from the same source. */
export async function compileEmbind() {
  const { code } = await transformWithOxc(await readFile(at("../../web/lib/load/embind.ts"), "utf8"), "embind.ts", { target: "es2022" });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(`${FOLDER}/embind.js`, code);
}

/** TensorFlow.js's gradients, which its bundles leave out; they register with whichever copy of it is loaded. */
export async function compileGradients() {
  await build({
    configFile: false,
    root: at("."),
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: FOLDER,
      emptyOutDir: false,
      lib: { entry: at("node_modules/@tensorflow/tfjs-core/dist/register_all_gradients.js"), formats: ["es"], fileName: () => "tfjs-gradients.js" },
    },
  });
}
