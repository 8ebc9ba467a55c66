// The parts of the elements that need no page: rounding, colours, the virtual grid, and how an entry is worked out.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatFor, formatNumber, formatParameter, formatPlain, fullPrecision } from "../../web/elements/parts/format.js";
import { placeAfterKey } from "../../web/elements/parts/grid-keys.js";
import { contrast, HeatColours } from "../../web/elements/parts/heat-colours.js";
import { layoutHeatmap } from "../../web/elements/parts/heatmap-layout.js";
import { colour, type Colour, type Theme } from "../../web/elements/parts/theme.js";
import { VirtualAxis } from "../../web/elements/parts/virtual-axis.js";
import { workedEntry, type Subject } from "../../web/elements/tokens/worked-entry.js";
import { grouped } from "../../web/locales/grouped.js";
import { computeTokens } from "../../web/state/compute.js";
import { parseFloat32, parseNumber } from "../../web/state/number-text.js";
import { Store } from "../../web/state/store.js";
import { load } from "./support/package.js";

const an = await load();
const plain = (text: string): string => text.replaceAll("\u2212", "-");

test("counts and bounds are written with their digits in threes", () => {
  for (const value of [0, 7, 999, 1000, 4096, 123456, 4194304, -1e6, 4294967295, 0.5, 1234.25]) expect(grouped(value)).toBe(value.toLocaleString("en"));
});

describe("the rounding rule", () => {
  test("gives all numbers of a column the decimals that its largest needs", () => {
    const format = formatFor(18.52, 4);
    expect([18.5227, -11.5099, 0.5, 0].map(format).map(plain)).toEqual(["18.52", "-11.51", "0.50", "0.00"]);
    expect(plain(formatFor(0.9999996, 3)(-0.9999996))).toBe("-1.00");
  });

  test("writes a true minus, and no minus before nothing", () => {
    expect(formatFor(1, 3)(-0.5)).toBe("\u22120.50");
    fc.assert(fc.property(fc.double({ noNaN: true }), fc.double({ min: 0, noNaN: true }), fc.integer({ min: 1, max: 7 }), (value, scale, digits) => {
      const text = formatFor(scale, digits)(value);
      expect(text).not.toContain("-");
      if (!/[1-9∞]/.test(text)) expect(text).not.toContain("\u2212");
    }));
  });

  test("goes over to powers of ten where decimals would not do", () => {
    expect([1.5e-7, -2.5e8, 0].map((value) => plain(formatNumber(value)))).toEqual(["1.50e-7", "-2.50e8", "0"]);
    expect(plain(formatParameter(1e-5))).toBe("1e-5");
    expect(formatParameter(0.5)).toBe("0.5");
  });

  test("names what is no number, and drops no digit that counts", () => {
    expect([NaN, Infinity, -Infinity].map(formatFor(1, 3))).toEqual(["NaN", "∞", "\u2212∞"]);
    expect(formatPlain(0.99999878)).toBe("0.999999");
    expect(formatPlain(2)).toBe("2");
  });

  test("keeps the whole float32 in titles, readable back", () => {
    fc.assert(fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseFloat32(fullPrecision(value))).toBe(value);
    }));
  });

  test("reads numbers strictly", () => {
    expect(["1e-5", "\u22123.5", " 7 ", ".5", "+2."].map(parseNumber)).toEqual([1e-5, -3.5, 7, 0.5, 2]);
    expect(["", "1,5", "0x10", "1e", "--1", "1 2", "NaN"].map(parseNumber)).toEqual(new Array(7).fill(undefined));
    expect(parseFloat32("1e39")).toBeUndefined();
  });
});

describe.each<Theme>(["light", "dark"])("the %s theme", (theme) => {
  const texts: Colour[] = ["ink", "muted", "stream", "branch", "statistic", "parameter", "warning"];

  test.each(texts)("writes %s readably on every ground", (name) => {
    for (const ground of ["ground", "card", "quiet"] as const) expect(contrast(colour(name, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each<Colour>(["outline", "focus", "stream", "bar"])("draws %s visibly on a card", (name) => {
    expect(contrast(colour(name, theme), colour("card", theme))).toBeGreaterThanOrEqual(3);
  });

  test("draws bars and the mean visibly on the band of one sigma", () => {
    for (const name of ["bar", "stream", "statistic"] as const) expect(contrast(colour(name, theme), colour("band", theme))).toBeGreaterThanOrEqual(3);
  });

  test("has a readable number on every colour of the scale, strong and dimmed", () => {
    const colours = new HeatColours(theme);
    for (let i = -100; i <= 100; i++) {
      for (const dimmed of [false, true]) {
        const { fill, text } = colours.at(i, 100, dimmed);
        expect(contrast(fill, text), `${i}, dimmed ${dimmed}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  test("centres the scale on 0 and ends it at the largest value", () => {
    const colours = new HeatColours(theme);
    expect(colours.at(0, 5).fill).toBe(colour("heatZero", theme));
    expect(colours.at(5, 5).fill).toBe(colour("heatPositive", theme));
    expect(colours.at(-50, 5).fill).toBe(colour("heatNegative", theme));
    expect(colours.at(0, 0).fill).toBe(colour("heatZero", theme));
  });
});

describe("the virtual axis", () => {
  const axes = fc.record({ count: fc.integer({ min: 1, max: 5_000_000 }), size: fc.integer({ min: 10, max: 60 }), view: fc.integer({ min: 60, max: 900 }), part: fc.double({ min: 0, max: 1, noNaN: true }) });

  test("never takes more room than a browser can lay out, and reaches the last line", () => {
    fc.assert(fc.property(axes, ({ count, size, view }) => {
      const axis = new VirtualAxis(count, size);
      expect(axis.space).toBeLessThanOrEqual(8_000_000);
      const end = Math.max(0, axis.space - view);
      expect(axis.window(end, view).end).toBe(count);
      expect(axis.window(0, view).first).toBe(0);
    }));
  });

  test("shows the line that it reveals, and moves no further than needed", () => {
    fc.assert(fc.property(axes, fc.double({ min: 0, max: 1, noNaN: true }), ({ count, size, view, part }, where) => {
      const axis = new VirtualAxis(count, size);
      const index = Math.min(count - 1, Math.floor(where * count));
      const scroll = axis.reveal(index, part * Math.max(0, axis.space - view), view);
      const offset = axis.position(index, scroll, view) - scroll;
      expect(offset).toBeGreaterThanOrEqual(-1);
      expect(offset + size).toBeLessThanOrEqual(view + 1);
      expect(axis.reveal(index, scroll, view)).toBeCloseTo(scroll, 3);
    }));
  });
});

describe("the keys of the grid", () => {
  const from = (key: string, ctrlKey = false) => placeAfterKey({ key, ctrlKey, metaKey: false }, { row: 5, col: 3 }, 100, 10, 8);

  test("move by a cell, to the ends of a row, of the grid, and by a page", () => {
    expect(from("ArrowUp")).toEqual({ row: 4, col: 3 });
    expect(from("ArrowRight")).toEqual({ row: 5, col: 4 });
    expect(from("Home")).toEqual({ row: 5, col: 0 });
    expect(from("End")).toEqual({ row: 5, col: 9 });
    expect(from("Home", true)).toEqual({ row: 0, col: 0 });
    expect(from("End", true)).toEqual({ row: 99, col: 9 });
    expect(from("PageDown")).toEqual({ row: 13, col: 3 });
    expect(from("PageUp")).toEqual({ row: 0, col: 3 });
  });

  test("leave Tab, letters and Escape alone", () => {
    for (const key of ["Tab", "a", "Escape"]) expect(from(key)).toBeUndefined();
  });
});

describe("the layout of a heatmap", () => {
  const layout = (width: number, rows = 7, cols = 8, scale = 2.3) => layoutHeatmap({ rows, cols, scale, statScales: [6, 9], width, unit: 16 });

  test("fits 7 x 8 into a phone and into a card", () => {
    for (const width of [304, 390]) {
      const { cols, headWidth, statWidths } = layout(width);
      expect(cols.space + headWidth + statWidths[0]! + statWidths[1]!).toBeLessThanOrEqual(width);
    }
  });

  test("shows more digits where there is room", () => {
    expect(plain(layout(304).format(-0.5123))).toBe("-0.5");
    expect(plain(layout(700).format(-0.5123))).toBe("-0.512");
  });

  test("gives cells that scroll the room that their numbers need", () => {
    const { cols, format } = layout(390, 2048, 768, 60);
    expect(format(-56.25).length * 6).toBeLessThan(cols.size);
  });
});

describe("a worked entry", () => {
  const subject: Subject = { kind: "cell", row: 3, col: 2 };
  const numbersOf = (patch: ConstructorParameters<typeof Store>[0], what: Subject = subject): string => {
    const { state, own } = new Store(patch);
    return plain(workedEntry(computeTokens(an, state, own), state, what).numbers.map(({ text }) => text).join(""));
  };

  test.each([
    [{ step: 1 }, "-11.5099 - (-1.0631) = -10.447"],
    [{ step: 2 }, "(-11.5099 - (-1.0631)) / (8.6045 + 1e-5) = -1.2141"],
    [{ step: 2, epsPlacement: "inside", eps: 0.5 }, "(-11.5099 - (-1.0631)) / √(8.6045² + 0.5) = -1.2100"],
    [{ step: 2, norm: "rms" }, "-11.5099 / √(8.6699² + 1e-5) = -1.3276"],
    [{ step: 3, gamma: [-2], beta: [0.5] }, "(-2) × (-1.2141) + 0.5 = 2.9282"],
    [{ step: 3, norm: "rms", gammaOffset: 1 }, "(1 + 1) × (-1.3276) = -2.6551"],
  ] as const)("of the state %o reads %s", (patch, line) => {
    expect(numbersOf(patch as object)).toBe(line);
  });

  test("of a mean and of a spread puts the token's numbers in", () => {
    expect(numbersOf({}, { kind: "mean", of: "before", row: 3 })).toBe(
      "((-5.444) + 1.109 + (-11.510) + 3.757 + (-6.006) + (-2.917) + (-6.017) + 18.523) / 8 = -1.06315");
    expect(numbersOf({ variance: "sample" }, { kind: "spread", of: "before", row: 3 })).toMatch(/^√\(\(\(-5\.444 - \(-1\.06315\)\)² \+ .* \+ … \+ .*\) \/ 7\) = 9\.19861$/);
    expect(numbersOf({}, { kind: "mean", of: "before", row: "whole" })).toMatch(/ \+ … \+ .*\) \/ 56 = -1\.68530$/);
  });
});
