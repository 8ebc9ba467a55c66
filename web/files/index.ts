// The entry addnorm/files: people's own numbers, read and written. No DOM, no import of the kernels.

export { readTensors } from "./read-tensors.js";
export { readTable, type Table } from "./table.js";
export { selectSlice, toMatrix, type Matrix, type Tensor } from "./tensor.js";
export { writeCsv, writeNpy } from "./write.js";
export { FileError, type FileErrorCode, type FileErrorDetails, type Place } from "./errors.js";
export type { FileWarning, FileWarningCode, FileWarningDetails } from "./warnings.js";
export { defaultMaxBytes, type ReadOptions } from "./options.js";
export type { Separator } from "./table-rows.js";
