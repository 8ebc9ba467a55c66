/** A matrix as an image, one pixel a block of numbers: for the overview map and for thumbnails. */
import { bytesOf, heatColours } from "./heat-colours.js";
import { colour, type Theme } from "./theme.js";

export interface ImageSource {
  readonly data: Float32Array;
  readonly rows: number;
  readonly cols: number;
  /** The value that gets the full colour. */
  readonly largest: number;
}

const MAX_SIDE = 1024;

/**
 * Draws the whole matrix, at most width x height pixels and never more than one pixel a number. A pixel that
 * stands for a block shows the value furthest from 0, so that no outlier vanishes; a block with NaN or an infinity
 * is checkered.
 */
export function drawMatrix(canvas: HTMLCanvasElement, { data, rows, cols, largest }: ImageSource, theme: Theme, width: number, height: number): void {
  const columns = Math.max(1, Math.min(cols, Math.round(width), MAX_SIDE));
  const lines = Math.max(1, Math.min(rows, Math.round(height), MAX_SIDE));
  canvas.width = columns;
  canvas.height = lines;
  const context = canvas.getContext("2d");
  if (!context) return;
  const image = context.createImageData(columns, lines);
  const colours = heatColours(theme);
  const checks = [bytesOf(colour("muted", theme)), bytesOf(colour("card", theme))] as const;
  const extreme = new Float32Array(columns);
  for (let line = 0; line < lines; line++) {
    extreme.fill(0);
    const end = Math.floor(((line + 1) * rows) / lines);
    for (let row = Math.floor((line * rows) / lines); row < end; row++) foldRow(extreme, data, row * cols, cols);
    for (let column = 0; column < columns; column++) {
      const value = extreme[column]!;
      const bytes = Number.isFinite(value) ? colours.at(value, largest).bytes : checks[(line + column) & 1]!;
      const at = 4 * (line * columns + column);
      image.data[at] = bytes[0];
      image.data[at + 1] = bytes[1];
      image.data[at + 2] = bytes[2];
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}

function foldRow(extreme: Float32Array, data: Float32Array, start: number, cols: number): void {
  const columns = extreme.length;
  for (let column = 0; column < columns; column++) {
    let furthest = extreme[column]!;
    const end = start + Math.floor(((column + 1) * cols) / columns);
    for (let at = start + Math.floor((column * cols) / columns); at < end; at++) {
      const value = data[at]!;
      // The negated comparison also lets NaN in, and keeps it.
      if (!(Math.abs(value) <= Math.abs(furthest))) furthest = Number.isNaN(furthest) ? furthest : value;
    }
    extreme[column] = furthest;
  }
}
