/** Changed numbers of x. */
import type { Edit } from "./schema.js";

/** The list with one more change; an earlier change of the same number gives way. */
export function withEdit(edits: readonly Edit[], edit: Edit): readonly Edit[] {
  return [...edits.filter(({ row, col }) => row !== edit.row || col !== edit.col), edit];
}
