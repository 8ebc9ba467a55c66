/** A choice among a few, as native radio buttons drawn side by side. */
import { css, html, type TemplateResult } from "lit";

export interface Segment<T> {
  readonly value: T;
  readonly text: string | TemplateResult;
  /** Shown on hover, where the text is a symbol. */
  readonly title?: string;
}

export interface Segmented<T> {
  /** Unique within the shadow root. */
  readonly name: string;
  /** The name of the whole group, for screen readers and as its title. */
  readonly label: string;
  readonly segments: readonly Segment<T>[];
  readonly value: T;
  readonly mono?: boolean;
  /** One below the other, where the texts are too long to stand side by side. */
  readonly stacked?: boolean;
  /** Nothing can be chosen now; say why beside it. */
  readonly disabled?: boolean;
  onSelect(value: T): void;
}

export const segmentedStyles = css`
  .segmented { display: flex; margin: 0; padding: 0; min-width: 0; border: 1px solid var(--hairline); border-radius: 7px; background: var(--card); }
  .segmented label {
    position: relative; flex: 1 1 auto; display: flex; align-items: center; justify-content: center; text-align: center;
    min-height: 2.3em; padding: 0.25em 0.6em; font-size: 0.82em; line-height: 1.25; color: var(--muted); cursor: pointer;
  }
  .segmented label + label { border-inline-start: 1px solid var(--hairline); }
  .segmented label:first-of-type { border-start-start-radius: 6px; border-end-start-radius: 6px; }
  .segmented label:last-of-type { border-start-end-radius: 6px; border-end-end-radius: 6px; }
  .segmented.stacked { flex-direction: column; }
  .segmented.stacked label { border-radius: 0; }
  .segmented.stacked label:first-of-type { border-radius: 6px 6px 0 0; }
  .segmented.stacked label:last-of-type { border-radius: 0 0 6px 6px; }
  .segmented.stacked label + label { border-inline-start: 0; border-block-start: 1px solid var(--hairline); }
  .segmented label:hover { color: var(--ink); }
  .segmented label:has(:checked) { color: var(--ink); font-weight: 650; background: var(--quiet); }
  .segmented[aria-disabled="true"] label { color: var(--muted); font-weight: 400; cursor: default; background: none; }
  .segmented[aria-disabled="true"] { border-style: dashed; background: none; }
  .segmented[aria-disabled="true"] input { cursor: default; }
  .segmented label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 1px; z-index: 1; }
  .segmented input { position: absolute; inset: 0; margin: 0; opacity: 0; cursor: pointer; }
  @media (forced-colors: active) { .segmented label:has(:checked) { outline: 2px solid Highlight; outline-offset: -3px; } }
`;

export function segmented<T>({ name, label, segments, value, mono = false, stacked = false, disabled = false, onSelect }: Segmented<T>): TemplateResult {
  return html`<div class="segmented ${mono ? "mono" : ""} ${stacked ? "stacked" : ""}" role="radiogroup" aria-label=${label} aria-disabled=${disabled}>
    ${segments.map((segment) => html`<label title=${segment.title ?? ""}>
      <input type="radio" name=${name} .checked=${segment.value === value} ?disabled=${disabled} @change=${() => onSelect(segment.value)}>
      <span>${segment.text}</span>
    </label>`)}
  </div>`;
}
