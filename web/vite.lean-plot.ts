// A Vite plugin: leaves out what Observable Plot brings along and no chart here asks for, maps and colour schemes, a sixth of its weight.
// @ts-expect-error comes without types
import * as geo from "d3-geo";
// @ts-expect-error comes without types
import * as schemes from "d3-scale-chromatic";
import type { Plugin } from "vite";

const UNUSED: Readonly<Record<string, object>> = { "d3-geo": geo, "d3-scale-chromatic": schemes };

/** Plot makes a number format of the browser's when it is loaded, which takes a phone a tenth of a second, and no chart here asks for it. */
const EAGER_FORMAT = /const number = formatNumber\(locale\);(\s+return .*\? )number :/;

/** In the place of both libraries stand functions of the same names that give nothing. */
export function leanPlot(): Plugin {
  return {
    name: "addnorm:lean-plot",
    enforce: "pre",
    resolveId: (source) => (source in UNUSED ? `\0${source}` : null),
    load(id) {
      const unused = UNUSED[id.slice(1)];
      return id.startsWith("\0") && unused ? Object.keys(unused).map((name) => `export const ${name} = () => undefined;`).join("\n") : null;
    },
    transform: {
      filter: { id: /@observablehq\/plot\/src\/format\.js$/ },
      handler(code, id) {
        if (!EAGER_FORMAT.test(code)) throw new Error(`${id} has no ${EAGER_FORMAT}: Plot has changed, look anew at what it does when it is loaded`);
        return { code: code.replace(EAGER_FORMAT, "$1formatNumber(locale) :"), map: null };
      },
    },
  };
}
