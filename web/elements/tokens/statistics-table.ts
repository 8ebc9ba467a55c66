/** Mean and spread before and after, for the chosen token and for the whole matrix; each number opens to its formula. */
import { css, html, type TemplateResult } from "lit";
import type { Messages } from "../../locales/index.js";
import type { TokensResult } from "../../state/compute.js";
import { formatPlain, fullPrecision, formatNumber } from "../parts/format.js";
import type { Subject } from "./worked-entry.js";

export const statisticsStyles = css`
  .statistics { border-collapse: separate; border-spacing: 0.75em 0; margin: 1.2em -0.75em 0; width: calc(100% + 1.5em); table-layout: fixed; }
  .statistics th { padding: 0; font-size: 0.75em; font-weight: 400; text-align: start; color: var(--muted); vertical-align: bottom; text-wrap: balance; }
  .statistics thead th { padding-top: 0.5em; border-top: 2px solid var(--hairline); }
  .statistics thead td { width: 20%; }
  .statistics tbody :is(th, td) { vertical-align: baseline; }
  .statistics td { padding: 0; }
  .statistics tr.whole td, .statistics tr.whole th { padding-top: 0.1em; }
  .figure { padding: 0.1em 0.15em; margin-inline-start: -0.15em; font-family: var(--mono); font-size: 1em; font-weight: 700; background: none; border: 0; border-radius: 4px; cursor: pointer; text-align: start; }
  .whole .figure { font-size: 0.8em; font-weight: 400; color: var(--muted); }
  @container (max-width: 26em) {
    .statistics { border-spacing: 0.4em 0; margin-inline: -0.4em; width: calc(100% + 0.8em); }
    .statistics th { font-size: 0.7em; }
    .figure { font-size: 0.8em; }
    .whole .figure { font-size: 0.72em; }
  }
  @container (max-width: 21em) {
    .statistics { border-spacing: 0.3em 0; margin-inline: -0.3em; width: calc(100% + 0.6em); }
    .statistics thead td { width: 16%; }
    .figure { font-size: 0.74em; }
    .whole .figure { font-size: 0.7em; }
  }
  .figure:hover, .figure[aria-pressed="true"] { color: var(--statistic); text-decoration: underline; text-underline-offset: 0.2em; }
`;

interface StatisticsTable {
  readonly result: TokensResult;
  readonly row: number;
  readonly rms: boolean;
  readonly text: Messages["tokens"];
  readonly subject: Subject;
  onOpen(subject: Subject): void;
}

export function statisticsTable({ result, row, rms, text, subject, onOpen }: StatisticsTable): TemplateResult {
  const spreadName = rms ? text.rms : text.std;
  const columns = (["before", "after"] as const).flatMap((of) => [
    { of, kind: "mean" as const, name: text[of](text.mean) },
    { of, kind: "spread" as const, name: text[of](spreadName) },
  ]);
  const value = (of: "before" | "after", kind: "mean" | "spread", which: number | "whole"): number => {
    const key = kind === "mean" ? "mean" : rms ? "rms" : "std";
    return which === "whole" ? result.whole[of][key] : result[of][key][which]!;
  };
  const line = (which: number | "whole", name: string): TemplateResult => html`<tr class=${which === "whole" ? "whole" : ""}>
    <th scope="row">${name}</th>
    ${columns.map(({ of, kind, name: column }) => {
      const number = value(of, kind, which);
      const open = subject.kind === kind && subject.of === of && subject.row === which;
      return html`<td><button class="figure" type="button" aria-pressed=${open} title=${fullPrecision(number)}
        aria-label="${text.open(`${column}, ${name}, ${fullPrecision(number)}`)}" @click=${() => onOpen({ kind, of, row: which })}>${figure(number, of === "after")}</button></td>`;
    })}
  </tr>`;
  return html`<table class="statistics" aria-label=${text.statistics}>
    <thead><tr><td></td>${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${line(row, text.thisToken(row))}${line("whole", text.allTokens(result.rows))}</tbody>
  </table>`;
}

/** Where 0 or 1 is expected, the digits that differ from it count. */
const figure = (value: number, after: boolean): string => {
  if (after && Math.abs(value) < 1e-6) return "0";
  return after && Math.abs(value - 1) < 1e-3 ? formatPlain(value, 6) : formatNumber(value, 3);
};
