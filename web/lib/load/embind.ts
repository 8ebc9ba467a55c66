// Starts the wasm module and gives its functions: the part of embind's runtime that a table of plain numbers needs.
import type { WasmModule } from "./wasm-module.js";

/**
 * Runs the module's EMSCRIPTEN_BINDINGS. Integers, bools, floats and doubles are the same on both sides of the border,
 * so the C++ functions themselves are called, without embind's converters between.
 *
 * @throws WebAssembly.LinkError when the module wants what is not given here
 */
export async function instantiate(module: WebAssembly.Module): Promise<WasmModule> {
  const bound: Record<string, unknown> = {};
  const env: Record<string, WebAssembly.ImportValue> = {};
  // Types are registered too (newer Emscripten), growth is noticed below: only functions are of use.
  for (const { name } of WebAssembly.Module.imports(module)) env[name] = () => {};
  env._embind_register_function = (
    name: number, _argumentCount: number, _types: number, _signature: number, _invoker: number, target: number,
  ) => {
    bound[textAt(memory, name)] = table.get(target);
  };

  const { exports } = await WebAssembly.instantiate(module, { env, wasi_snapshot_preview1: env });
  const memory = exports.memory as WebAssembly.Memory;
  const table = exports.__indirect_function_table as WebAssembly.Table;
  let floats = new Float32Array(memory.buffer);
  let doubles = new Float64Array(memory.buffer);
  (exports._initialize as () => void)();

  const { target, version } = bound as { target(): number; version(): number };
  return Object.freeze({
    ...(bound as unknown as WasmModule),
    target: textAt(memory, target()),
    version: textAt(memory, version()),
    /** Growing leaves the old views without length. */
    get HEAPF32() {
      return floats.length > 0 ? floats : (floats = new Float32Array(memory.buffer));
    },
    get HEAPF64() {
      return doubles.length > 0 ? doubles : (doubles = new Float64Array(memory.buffer));
    },
  });
}

/** The ASCII text at `pointer`, which ends with 0. */
function textAt(memory: WebAssembly.Memory, pointer: number): string {
  const bytes = new Uint8Array(memory.buffer, pointer);
  return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
}
