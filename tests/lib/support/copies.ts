// The copies of results that the package makes out of wasm memory, as an engine in trouble would make them.
import { vi } from "vitest";

/** Gives each to `change`, whose result takes its place, until vi.unstubAllGlobals(). */
export function whenCopied(change: (copy: Float32Array) => Float32Array): void {
  const Original = Float32Array;
  const stand = new Proxy(Original, {
    construct(target, values: unknown[], newTarget: new () => object) {
      const made = Reflect.construct(target, values, newTarget) as Float32Array;
      return values[0] instanceof Original ? change(made) : made;
    },
  });
  vi.stubGlobal("Float32Array", stand);
}
