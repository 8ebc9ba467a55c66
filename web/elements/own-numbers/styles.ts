/** The look of the dialog for a person's own numbers. */
import { css } from "lit";

export const dialogStyles = css`
  dialog {
    width: min(38em, calc(100vw - 1.5em)); max-height: calc(100dvh - 1.5em); padding: 0; overflow: auto;
    color: var(--ink); background: var(--card); border: 1px solid var(--hairline); border-radius: 10px; box-shadow: 0 1em 3em rgb(0 0 0 / 25%);
  }
  dialog::backdrop { background: rgb(0 0 0 / 40%); }
  form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6em; padding: 1.4em; }
  h2 { font-size: 1.05em; font-weight: 650; }
  .lead { font-size: 0.88em; }
  label { font-size: 0.85em; font-weight: 650; margin-top: 0.4em; }
  textarea { width: 100%; padding: 0.5em 0.6em; font-size: 0.85em; line-height: 1.5; resize: vertical; white-space: pre; overflow: auto; background: var(--ground); border: 1px solid var(--outline); border-radius: 7px; }
  .note { font-size: 0.78em; line-height: 1.5; color: var(--muted); overflow-wrap: anywhere; }
  .zone { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4em 0.8em; margin-top: 0.4em; padding: 0.7em; border: 1px dashed var(--outline); border-radius: 7px; }
  .zone .note { flex: 1 1 14em; }
  .zone.over { border-color: var(--focus); background: var(--quiet); }
  .outcome { display: grid; gap: 0.5em; min-width: 0; }
  .outcome:not(:empty) { margin-top: 0.4em; }
  .problem { font-size: 0.85em; overflow-wrap: anywhere; }
  .size { font-size: 0.88em; overflow-wrap: anywhere; }
  .which { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3em 0.8em; margin: 0; }
  .which select { max-width: 100%; min-width: 0; flex: 1 1 12em; font-weight: 400; font-size: 1em; }
  fieldset { margin: 0; padding: 0; border: 0; min-width: 0; }
  legend { padding: 0; font-size: 0.85em; }
  .axes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9em, 100%), 1fr)); gap: 0.4em 1em; margin-top: 0.3em; }
  .preview { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 0.75em; }
  th, td { padding: 0.15em 0.6em; text-align: end; white-space: nowrap; font-weight: 400; }
  th { color: var(--muted); }
  td { border-bottom: 1px solid var(--hairline); }
  thead td { border: 0; }
  progress { width: 100%; accent-color: var(--statistic); }
  .actions { display: flex; justify-content: flex-end; gap: 0.6em; position: sticky; bottom: 0; padding-block: 0.9em 1.4em; margin-bottom: -1.4em; background: var(--card); }
  .primary:enabled { color: var(--card); background: var(--ink); border-color: var(--ink); font-weight: 650; }
  .primary:enabled:hover { color: var(--ink); background: var(--quiet); }
`;
