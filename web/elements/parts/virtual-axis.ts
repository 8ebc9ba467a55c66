/** One direction of a virtualized grid: which lines are visible at a scroll offset, and where they stand. */

/** Browsers stop laying out somewhere beyond 16 million pixels; longer axes are scrolled in proportion. */
const SPACE_LIMIT = 8_000_000;

/** Lines from `first` up to but without `end`. */
export interface LineWindow {
  readonly first: number;
  readonly end: number;
}

/** Scroll offsets of both axes, and the pixels that each has for showing. */
export interface ScrollView {
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
}

export const lines = ({ first, end }: LineWindow): number[] => Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);

/** The window's lines, and one more even when it is elsewhere: the line with the focus must survive scrolling. */
export function linesWith(window: LineWindow, line: number): number[] {
  const inside = lines(window);
  if (line < window.first) return [line, ...inside];
  return line >= window.end ? [...inside, line] : inside;
}

export class VirtualAxis {
  readonly count: number;
  /** Pixels of one line. */
  readonly size: number;

  constructor(count: number, size: number) {
    this.count = count;
    this.size = size;
  }

  /** Pixels that the scrolled content takes. */
  get space(): number {
    return Math.min(this.count * this.size, SPACE_LIMIT);
  }

  /** Lines that show in `view` pixels, `extra` more on either side. */
  window(scroll: number, view: number, extra = 0): LineWindow {
    const offset = this.#offset(scroll, view);
    const first = Math.floor(offset / this.size) - extra;
    const end = Math.ceil((offset + view) / this.size) + extra;
    return { first: Math.max(0, Math.min(first, this.count)), end: Math.max(0, Math.min(end, this.count)) };
  }

  /** Where a line stands in the scrolled space, while the scroll offset is as given. */
  position(index: number, scroll: number, view: number): number {
    return index * this.size - this.#offset(scroll, view) + scroll;
  }

  /** The scroll offset nearest to the given one that shows the whole line. */
  reveal(index: number, scroll: number, view: number): number {
    const offset = this.#offset(scroll, view);
    const start = index * this.size;
    if (start < offset) return this.#scroll(start, view);
    if (start + this.size > offset + view) return this.#scroll(start + this.size - view, view);
    return scroll;
  }

  /** The scroll offset that puts the given fraction (0 to 1) of all lines in the middle of the view. */
  center(fraction: number, view: number): number {
    return this.#scroll(Math.max(0, fraction * this.count * this.size - view / 2), view);
  }

  /** Hidden pixels of all lines over hidden pixels of the scrolled space; 1 unless the axis is very long. */
  #ratio(view: number): number {
    const total = this.count * this.size;
    return total <= SPACE_LIMIT ? 1 : (total - view) / (SPACE_LIMIT - view);
  }

  #offset(scroll: number, view: number): number {
    return scroll * this.#ratio(view);
  }

  #scroll(offset: number, view: number): number {
    return offset / this.#ratio(view);
  }
}
