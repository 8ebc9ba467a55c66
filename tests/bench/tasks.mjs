// What is measured: operations, sizes, inputs, and the right results in doubles.
import { attention, block, linear, stackBackward } from "./plain/encoder.mjs";
import { addNorm, layerNorm, layerNormBackward, rmsNorm } from "./plain/norms.mjs";

export const EPS = 1e-5;

const NORM_SIZES = [[7, 8], [128, 768], [128, 1000], [1, 16384], [2048, 768], [512, 4096]];
/** 10^4 to 10^7 elements. */
export const SCALING_SIZES = [13, 130, 1302, 13021].map((rows) => [rows, 768]);
const ENCODER = { heads: 4, dFf: 1024 };

/**
 * An operation: its inputs for a size, what it computes in plain loops (`plain(Kind, size, inputs)`, an array for each
 * output), the floats that it has to move, each array once, and how far (root mean square, relative) a contender may be
 * from the double reference before it counts as wrong and is not timed.
 */
const OPERATIONS = {
  layer_norm: { draw: rowInputs("x", "gamma", "beta"), plain: layerNorm, floats: ({ count, cols }) => 2 * count + 2 * cols, tolerance: 1e-5 },
  rms_norm: { draw: rowInputs("x", "gamma"), plain: rmsNorm, floats: ({ count, cols }) => 2 * count + cols, tolerance: 1e-5 },
  add_norm: { draw: rowInputs("x", "fx", "gamma", "beta"), plain: addNorm, floats: ({ count, cols }) => 4 * count + 2 * cols, tolerance: 1e-5 },
  layer_norm_backward: {
    draw: rowInputs("x", "dy", "gamma", "beta"), plain: layerNormBackward, floats: ({ count, cols }) => 3 * count + 3 * cols, tolerance: 1e-5,
  },
  linear: {
    draw: (random, { count, cols }) => ({ x: random(count), weight: random(cols * cols, cols ** -0.5), bias: random(cols) }),
    plain: (Kind, { cols }, inputs) => ({ y: linear(Kind, inputs, cols) }),
    floats: ({ count, cols }) => 2 * count + cols * cols + cols,
    tolerance: 1e-5,
  },
  attention: {
    draw: (random, size) => blockInputs(random, size, 1),
    plain: (Kind, size, { x, blocks }) => ({ y: attention(Kind, size, x, blocks[0]).y }),
    floats: ({ count, cols }) => 2 * count + 4 * cols * cols,
    tolerance: 1e-4,
  },
  block: {
    draw: (random, size) => blockInputs(random, size, 1),
    plain: (Kind, size, { x, blocks }) => ({ y: block(Kind, size, x, blocks[0]).y }),
    floats: ({ count, cols, dFf }) => 2 * count + 4 * cols * cols + 2 * cols * dFf,
    tolerance: 1e-4,
  },
  stack_backward: {
    draw: (random, size) => blockInputs(random, size, size.layers),
    plain: (Kind, size, inputs) => flatGradients(stackBackward(Kind, size, inputs)),
    floats: ({ count, cols, dFf, layers }) => 3 * count + 2 * layers * (4 * cols * cols + 2 * cols * dFf),
    // Where a value before a ReLU rounds to the other side of 0, a whole row of a gradient changes.
    tolerance: 1e-2,
  },
};

export const OPS = Object.keys(OPERATIONS);

/** Inputs of the norms; gamma is as large as trained ones get, and x is off centre. */
function rowInputs(...names) {
  return (random, { count, cols }) => {
    const drawn = { x: [count, 1, 0.3], fx: [count], dy: [count], gamma: [cols, 3], beta: [cols] };
    return Object.fromEntries(names.map((name) => [name, random(...drawn[name])]));
  };
}

function blockInputs(random, { count, cols: d, dFf }, layers) {
  const blocks = Array.from({ length: layers }, () => ({
    attnInWeight: random(3 * d * d, d ** -0.5), attnInBias: random(3 * d, 0.1),
    attnOutWeight: random(d * d, d ** -0.5), attnOutBias: random(d, 0.1),
    ffnUpWeight: random(dFf * d, d ** -0.5), ffnUpBias: random(dFf, 0.1),
    ffnDownWeight: random(d * dFf, dFf ** -0.5), ffnDownBias: random(d, 0.1),
    norm1Gamma: random(d, 0.1, 1), norm1Beta: random(d, 0.1), norm2Gamma: random(d, 0.1, 1), norm2Beta: random(d, 0.1),
  }));
  return { x: random(count), dy: random(count), blocks };
}

/** One array a gradient, by names such as "dx" and "0.attnInWeight". */
export function flatGradients({ dx, grads }) {
  const named = grads.flatMap((record, k) => Object.entries(record).map(([name, values]) => [`${k}.${name}`, values]));
  return { dx, ...Object.fromEntries(named) };
}

function doubles(inputs) {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, values]) => [name, name === "blocks" ? values.map(doubles) : Float64Array.from(values)]),
  );
}

export class Task {
  #randn;
  #inputs;

  /** @param randn (seed, count) => normal values, the package's own */
  constructor(randn, op, rows, cols, more = {}) {
    this.op = op;
    this.rows = rows;
    this.cols = cols;
    this.size = { rows, cols, count: rows * cols, ...more };
    this.bytes = 4 * OPERATIONS[op].floats(this.size);
    this.tolerance = OPERATIONS[op].tolerance;
    this.plain = OPERATIONS[op].plain;
    this.#randn = randn;
  }

  get name() {
    return `${this.op} ${this.rows} x ${this.cols}`;
  }

  /** The same float32 values at every start, each array with a seed of its own. */
  get inputs() {
    let seed = 0;
    const random = (count, scale = 1, offset = 0) =>
      Float32Array.from(this.#randn(seed++, count), (value) => value * scale + offset);
    return (this.#inputs ??= OPERATIONS[this.op].draw(random, this.size));
  }

  /** In doubles, an array for each output; also what the loops that only move a matrix should give. */
  right() {
    const inputs = doubles(this.inputs);
    const { x, fx } = inputs;
    return { ...this.plain(Float64Array, this.size, inputs), copy: x, added: fx && x.map((value, i) => value + fx[i]) };
  }
}

/** All that a run measures, of the operations named; `quick` is one small size of each norm. */
export function tasksOf(randn, { ops = OPS, quick = false } = {}) {
  const sizesOf = (op) => {
    if (op === "linear") return [[128, 768]];
    if (op === "attention" || op === "block") return [[64, 256, ENCODER]];
    if (op === "stack_backward") return [[64, 256, { ...ENCODER, layers: 12 }]];
    if (quick) return [NORM_SIZES[0]];
    return op === "layer_norm" ? [...NORM_SIZES, ...SCALING_SIZES] : NORM_SIZES;
  };
  return ops.flatMap((op) => sizesOf(op).map(([rows, cols, more]) => new Task(randn, op, rows, cols, more)));
}
