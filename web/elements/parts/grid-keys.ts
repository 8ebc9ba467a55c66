/** Keyboard movement of the ARIA grid pattern. */

export interface Place {
  readonly row: number;
  readonly col: number;
}

/** Where a key leads from a cell, or undefined when the key does not move. `page` is the number of visible rows. */
export function placeAfterKey({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey">, { row, col }: Place, rows: number, cols: number, page: number): Place | undefined {
  const whole = ctrlKey || metaKey;
  const at = (nextRow: number, nextCol: number): Place =>
    ({ row: Math.max(0, Math.min(rows - 1, nextRow)), col: Math.max(0, Math.min(cols - 1, nextCol)) });
  switch (key) {
    case "ArrowUp": return at(whole ? 0 : row - 1, col);
    case "ArrowDown": return at(whole ? rows - 1 : row + 1, col);
    case "ArrowLeft": return at(row, whole ? 0 : col - 1);
    case "ArrowRight": return at(row, whole ? cols - 1 : col + 1);
    case "Home": return at(whole ? 0 : row, 0);
    case "End": return at(whole ? rows - 1 : row, cols - 1);
    case "PageUp": return at(row - page, col);
    case "PageDown": return at(row + page, col);
    default: return undefined;
  }
}
