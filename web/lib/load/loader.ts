// load(): chooses a build, starts it, checks its version and its results, and remembers what it started.
import { version } from "../../../package.json";
import { createAddnorm, type Addnorm } from "../addnorm.js";
import { describe } from "../check.js";
import { compileBytes, failure, messageOf, type WasmSource } from "./compile.js";
import { instantiate } from "./embind.js";
import { computesRight, engineHasSimd } from "./simd.js";

export interface LoadOptions {
  /** The wasm when it does not lie beside the package's JavaScript: its address, its bytes, or a compiled module. */
  wasm?: WasmSource;
  /**
   * "auto" (when absent): the SIMD build where the engine has SIMD and computes right with it, else the other.
   * "on" and "off" insist.
   */
  simd?: "auto" | "on" | "off";
}

/**
 * Starts the kernels. The same options give the same promise; a load that failed may be tried again.
 *
 * @throws TypeError, RangeError for options of the wrong kind or value
 * @throws Error that names the address when the wasm is not there, is no wasm, is of another version, or cannot run
 * @example
 * const an = await load();
 * an.layerNorm([[1, 2, 3]], { cols: 3 }).y;
 */
export type Load = (options?: LoadOptions) => Promise<Addnorm>;

/** What differs between the entries of the package. */
export interface Platform {
  simdBuild(): URL | string | BufferSource;
  baseBuild(): URL | string | BufferSource;
  compileAddress(address: URL | string): Promise<WebAssembly.Module>;
}

/** The fault lies in the engine, so another build may do better. */
class EngineFault extends Error {}

export function createLoad(platform: Platform): Load {
  const loaded = new Map<string, Promise<Addnorm>>();
  const loadedFromObjects = new WeakMap<object, Map<string, Promise<Addnorm>>>();

  function memoryOf(wasm: WasmSource | undefined): Map<string, Promise<Addnorm>> {
    if (typeof wasm !== "object" || wasm instanceof URL) return loaded;
    const known = loadedFromObjects.get(wasm) ?? new Map<string, Promise<Addnorm>>();
    loadedFromObjects.set(wasm, known);
    return known;
  }

  return function load(options: LoadOptions = {}): Promise<Addnorm> {
    try {
      checkOptions(options);
    } catch (error) {
      return Promise.reject(error);
    }
    const { wasm, simd = "auto" } = options;
    const memory = memoryOf(wasm);
    const key = typeof wasm === "string" || wasm instanceof URL ? `${simd} ${wasm}` : simd;
    const earlier = memory.get(key);
    if (earlier) return earlier;
    const loading = wasm === undefined ? startChosen(platform, simd) : startGiven(platform, wasm, simd);
    memory.set(key, loading);
    loading.catch(() => memory.delete(key));
    return loading;
  };
}

function checkOptions(options: LoadOptions): void {
  if (typeof WebAssembly !== "object") throw new Error("load: this engine has no WebAssembly, or it is switched off here");
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`load: the options are ${describe(options)}, expected { wasm, simd }`);
  }
  const { wasm, simd } = options;
  if (simd !== undefined && simd !== "auto" && simd !== "on" && simd !== "off") {
    const Fault = typeof simd === "string" ? RangeError : TypeError;
    throw new Fault(`load: simd is ${describe(simd)}, expected "auto", "on" or "off"`);
  }
  const addressOrBytes = typeof wasm === "string" || wasm instanceof URL || ArrayBuffer.isView(wasm) ||
    (typeof wasm === "object" && wasm !== null && /Buffer\]$/.test(Object.prototype.toString.call(wasm)));
  if (wasm !== undefined && !addressOrBytes && !(wasm instanceof WebAssembly.Module)) {
    throw new TypeError(`load: wasm is ${describe(wasm)}, expected a URL, a string, the bytes or a WebAssembly.Module`);
  }
}

async function startChosen(platform: Platform, simd: "auto" | "on" | "off"): Promise<Addnorm> {
  if (simd === "on" && !engineHasSimd()) {
    throw new Error('load: simd is "on", but this engine has no WebAssembly SIMD; leave simd out to get the other build');
  }
  if (simd !== "off" && engineHasSimd()) {
    try {
      return await start(platform, platform.simdBuild());
    } catch (error) {
      if (simd === "on" || !(error instanceof EngineFault)) throw error;
    }
  }
  return start(platform, platform.baseBuild());
}

async function startGiven(platform: Platform, wasm: WasmSource, simd: "auto" | "on" | "off"): Promise<Addnorm> {
  const an = await start(platform, wasm);
  if (simd !== "auto" && an.info.simd !== (simd === "on")) {
    throw new Error(`load: simd is "${simd}", but the wasm given is the build ${an.info.simd ? "with" : "without"} SIMD`);
  }
  return an;
}

async function start(platform: Platform, source: WasmSource): Promise<Addnorm> {
  const address = typeof source === "string" || source instanceof URL ? source : "the bytes given";
  const module = await compile(platform, source);
  const wasm = await instantiate(module).catch((cause: unknown) => {
    throw failure(address, `could not be started (${messageOf(cause)})`, cause);
  });
  if (wasm.version !== version) {
    throw failure(address, `is version ${wasm.version}, this JavaScript is version ${version}; both must come from one package`);
  }
  const an = createAddnorm(wasm, module);
  if (!computesRight(an)) throw new EngineFault(`addnorm: this engine computes wrong results with the wasm at ${address}`);
  return an;
}

async function compile(platform: Platform, source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  try {
    return await (typeof source === "string" || source instanceof URL
      ? platform.compileAddress(source)
      : compileBytes("the bytes given", source));
  } catch (error) {
    if (error instanceof Error && error.cause instanceof WebAssembly.CompileError) {
      throw new EngineFault(error.message, { cause: error.cause });
    }
    throw error;
  }
}
