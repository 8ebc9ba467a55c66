/** What a heatmap is given to draw beside its matrix. */

/** A column beside the matrix with one value a row; its cells count on after the matrix's columns. */
export interface StatColumn {
  readonly label: string;
  /** The name in words, for screen readers. */
  readonly name: string;
  readonly values: Float32Array;
  /** The size that its digits are chosen for, where it is not the column's own largest value. */
  readonly scale?: number;
}

/** What the grid is called by screen readers. */
export interface HeatmapText {
  readonly grid: string;
  /** Over the names of the rows. */
  readonly corner: string;
  row(row: number): string;
  col(col: number): string;
  readonly overview: string;
  readonly overviewNote: string;
}
