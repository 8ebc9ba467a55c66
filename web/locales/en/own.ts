/** English: a person's own numbers. */
import type { Fault, FileWarning } from "../../elements/own-numbers/reading.js";
import { grouped as count } from "../grouped.js";

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
const megabytes = (bytes: number): string => (bytes < 1e5 ? `${count(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

export const own = {
  title: "Your own numbers",
  lead: "A row for each token, a column for each feature. Nothing leaves your computer.",
  paste: "Paste a table",
  pasteHint: "From a spreadsheet, or with commas, semicolons, tabs or spaces between the numbers.",
  pasted: "pasted table",
  choose: "Choose a file…",
  drop: "or drop one here: .npy, .npz, .safetensors, .csv, .tsv, .txt, .json",
  reading: (name: string, bytes: number) => `Reading ${name} (${megabytes(bytes)})…`,
  fault: ({ message }: Fault) => sentence(message),
  unreadable: (reason: string) => `The browser could not read the file: ${reason}`,
  kept: "The numbers on the page stay as they are.",
  refused: "Not read",
  warning: ({ message }: FileWarning) => sentence(message),
  which: "Array",
  shape: (shape: readonly number[]) => (shape.length ? shape.map(count).join(" × ") : "one number"),
  slice: "This array has more than two dimensions. Which slice?",
  axis: (axis: number, size: number) => `Index ${axis} (0 to ${count(size - 1)})`,
  axisProblem: (size: number) => `A whole number from 0 to ${count(size - 1)}`,
  preview: (rows: number, cols: number) => `${count(rows)} ${rows === 1 ? "row" : "rows"} × ${count(cols)} ${cols === 1 ? "column" : "columns"}`,
  previewTable: "The first rows and columns",
  cut: (used: number, rows: number) => `Of ${count(rows)} rows the first ${count(used)} are used: 4,194,304 numbers is the most.`,
  tooWide: (cols: number) => `A row has ${count(cols)} numbers; 4,194,304 is the most.`,
  inLink: "Few enough for the link: whoever opens it sees these numbers.",
  inMemory: "Too many for a link: they stay in this tab, and the link carries the settings only.",
  cancel: "Cancel",
  use: "Use these numbers",
};
