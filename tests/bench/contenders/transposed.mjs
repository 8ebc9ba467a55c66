// PyTorch's weights are outFeatures x inFeatures; ONNX and TensorFlow.js multiply by inFeatures x outFeatures.

/** The transpose of a rows x cols matrix. */
export function transposed(values, cols) {
  const rows = values.length / cols;
  const result = new Float32Array(values.length);
  for (let r = 0; r < rows; r++) for (let c = 0; c < cols; c++) result[c * rows + r] = values[r * cols + c];
  return result;
}
