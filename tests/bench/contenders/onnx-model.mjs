// ONNX models, made in code: the part of onnx.proto that inference needs, and what is written with it.

const field = (type, id, rule) => ({ type, id, ...(rule && { rule }) });
const SCHEMA = {
  nested: {
    ModelProto: { fields: { irVersion: field("int64", 1), opsetImport: field("OperatorSetIdProto", 8, "repeated"), graph: field("GraphProto", 7) } },
    OperatorSetIdProto: { fields: { domain: field("string", 1), version: field("int64", 2) } },
    GraphProto: {
      fields: {
        node: field("NodeProto", 1, "repeated"), name: field("string", 2), initializer: field("TensorProto", 5, "repeated"),
        input: field("ValueInfoProto", 11, "repeated"), output: field("ValueInfoProto", 12, "repeated"),
      },
    },
    NodeProto: {
      fields: {
        input: field("string", 1, "repeated"), output: field("string", 2, "repeated"), opType: field("string", 4),
        attribute: field("AttributeProto", 5, "repeated"), domain: field("string", 7),
      },
    },
    AttributeProto: { fields: { name: field("string", 1), f: field("float", 2), i: field("int64", 3), type: field("int32", 20) } },
    TensorProto: { fields: { dims: field("int64", 1, "repeated"), dataType: field("int32", 2), name: field("string", 8), rawData: field("bytes", 9) } },
    ValueInfoProto: { fields: { name: field("string", 1), type: field("TypeProto", 2) } },
    TypeProto: { fields: { tensorType: field("TensorTypeProto", 1) } },
    TensorTypeProto: { fields: { elemType: field("int32", 1), shape: field("TensorShapeProto", 2) } },
    TensorShapeProto: { fields: { dim: field("DimensionProto", 1, "repeated") } },
    DimensionProto: { fields: { dimValue: field("int64", 1) } },
  },
};

const FLOAT = 1;
const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;
const IR_VERSION = 10;
const OPSET = 23;

const floats = (name, dims) =>
  ({ name, type: { tensorType: { elemType: FLOAT, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } } });

/** A node; attributes are whole numbers, or `{ float }`. */
export function node(opType, input, output, attributes = {}, domain = "") {
  const attribute = Object.entries(attributes).map(([name, value]) =>
    (typeof value === "number" ? { name, i: value, type: ATTRIBUTE_INT } : { name, f: value.float, type: ATTRIBUTE_FLOAT }));
  return { opType, input, output, attribute, domain };
}

/**
 * @param protobuf protobufjs (light)
 * @param inputs, outputs dimensions by name
 * @param weights [values, dimensions] by name
 * @returns the bytes of the model
 */
export function encodeModel(protobuf, { nodes, inputs, outputs, weights }) {
  const initializer = Object.entries(weights).map(([name, [values, dims]]) =>
    ({ name, dims, dataType: FLOAT, rawData: new Uint8Array(values.buffer, values.byteOffset, values.byteLength) }));
  const valuesOf = (dimensions) => Object.entries(dimensions).map(([name, dims]) => floats(name, dims));
  const graph = { name: "graph", node: nodes, initializer, input: valuesOf(inputs), output: valuesOf(outputs) };
  const opsetImport = [{ domain: "", version: OPSET }, { domain: "com.microsoft", version: 1 }];
  const Model = protobuf.Root.fromJSON(SCHEMA).lookupType("ModelProto");
  return Model.encode({ irVersion: IR_VERSION, opsetImport, graph }).finish();
}
