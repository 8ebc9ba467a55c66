/** The look of the share dialog. */
import { css } from "lit";

export const shareStyles = css`
  :host { display: contents !important; }
  dialog {
    width: min(46em, calc(100vw - 1.5em)); max-height: calc(100dvh - 1.5em); padding: 0; overflow: auto;
    color: var(--ink); background: var(--card); border: 1px solid var(--hairline); border-radius: 10px; box-shadow: 0 1em 3em rgb(0 0 0 / 25%);
  }
  dialog::backdrop { background: rgb(0 0 0 / 40%); }
  .head { display: flex; justify-content: space-between; align-items: center; gap: 1em; position: sticky; top: 0; z-index: 1; padding: 1em 1.4em 0.8em; background: var(--card); }
  h2 { font-size: 1.05em; font-weight: 650; outline-color: transparent; }
  h3 { margin-top: 0.4em; padding-top: 1.1em; border-top: 1px solid var(--hairline); font-size: 0.95em; font-weight: 650; }
  .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.9em; padding: 0 1.4em 1.4em; }
  section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.4em; }
  .line { display: flex; justify-content: space-between; align-items: end; gap: 1em; }
  .line label, .name { font-size: 0.85em; font-weight: 650; }
  .line .button { font-size: 0.82em; }
  textarea { width: 100%; padding: 0.5em 0.6em; font-size: 0.78em; line-height: 1.5; resize: vertical; white-space: pre; overflow: auto; background: var(--ground); border: 1px solid var(--outline); border-radius: 7px; }
  textarea[rows="1"] { resize: none; overflow-y: hidden; }
  .note { font-size: 0.78em; line-height: 1.5; color: var(--muted); }
  .problem { font-size: 0.82em; }
  .choices { display: flex; flex-wrap: wrap; gap: 0.7em 1.5em; }
  .choice { display: grid; gap: 0.3em; flex: 1 1 12em; }
  figure { display: grid; gap: 0.4em; }
  .picture { height: 15em; overflow: hidden; color: var(--ink); background: var(--ground); border: 1px solid var(--hairline); border-radius: 7px; }
  .small { width: 200%; padding: 1.6em; transform: scale(0.5); transform-origin: 0 0; }
  .said { position: sticky; bottom: 0; margin: 0 -1.4em -1.4em; padding: 0.6em 1.7em 0.9em; font-size: 0.85em; background: var(--card); }
  .said:empty { visibility: hidden; }
  @media (max-width: 30rem) { .head { padding-inline: 1em; } .body { padding-inline: 1em; } .said { margin-inline: -1em; } }
`;
