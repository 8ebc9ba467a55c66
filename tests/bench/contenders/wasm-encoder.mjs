// Attention, a block or a stack in wasm memory, through the records that cpp/bindings/bindings.cc tells.
import { EPS, flatGradients } from "../tasks.mjs";

const FLOAT = 4;
const STEP_INTEGERS = 12;
const PARAMETER_INTEGERS = 6;
/** Places in the lists of cpp/model/trace.h. */
const OP_ATTENTION = 6;
const RESIDUAL_NONE = 1;
const NORM_NONE = 6;
/** The kinds of parameters in their order; # is the site. */
const WEIGHTS = [
  "attnInWeight", "attnInBias", "attnOutWeight", "attnOutBias", "ffnUpWeight", "ffnUpBias", "ffnDownWeight", "ffnDownBias",
  "norm#Gamma", "norm#Beta",
];

/** Bytes in wasm memory, each part at a multiple of 64. */
class Room {
  constructor(wasm) {
    this.wasm = wasm;
    this.taken = [];
  }
  take(Kind, count) {
    const at = this.wasm.allocate(count * Kind.BYTES_PER_ELEMENT);
    if (at === 0) throw new RangeError(`bench: out of memory, ${count * Kind.BYTES_PER_ELEMENT} bytes wanted`);
    this.taken.push(at);
    this.view(Kind, at, count).fill(0);
    return at;
  }
  put(Kind, values) {
    const at = this.take(Kind, values.length);
    this.view(Kind, at, values.length).set(values);
    return at;
  }
  view(Kind, at, count) {
    return new Kind(this.wasm.HEAPF32.buffer, at, count);
  }
  free() {
    for (const at of this.taken) this.wasm.release(at);
  }
}

function configRecord(op, { rows, cols, heads, dFf, layers = 1 }) {
  const residual = op === "attention" ? RESIDUAL_NONE : 0;
  const norm = op === "attention" ? NORM_NONE : 0;
  return [1, rows, cols, cols, heads, dFf, layers, 0, 0, 0, 0, 0, residual, 0, 0, norm, 1, EPS, 0, 0, 0, 0];
}

/** The records of a run, in `room`. */
function plan(wasm, room, config) {
  const sizes = room.take(Float64Array, 5);
  wasm.modelSizes(config, sizes);
  const [steps, parameters, weights, values, gradients] = room.view(Float64Array, sizes, 5);
  const stepsAt = room.take(Int32Array, steps * STEP_INTEGERS);
  const parametersAt = room.take(Int32Array, parameters * PARAMETER_INTEGERS);
  wasm.modelPlan(config, stepsAt, parametersAt);
  const records = (at, count, integers) =>
    Array.from({ length: count }, (_, i) => Array.from(room.view(Int32Array, at + 4 * i * integers, integers)));
  return {
    stepsAt, parametersAt, weights, values, gradients,
    steps: records(stepsAt, steps, STEP_INTEGERS).map(([op, , , , , , , , rows, cols, place, gradient]) => ({ op, rows, cols, place, gradient })),
    parameters: records(parametersAt, parameters, PARAMETER_INTEGERS).map(([kind, block, site, rows, cols, place]) =>
      ({ name: WEIGHTS[kind].replace("#", site), block, count: rows * cols, place })),
  };
}

export function encoderRun(wasm, { op, size, inputs }) {
  const room = new Room(wasm);
  const config = room.put(Float64Array, configRecord(op, size));
  const { stepsAt, parametersAt, weights, values, gradients, steps, parameters } = plan(wasm, room, config);
  const weightsAt = room.take(Float32Array, weights);
  for (const { name, block, count, place } of parameters) {
    room.view(Float32Array, weightsAt + place * FLOAT, count).set(inputs.blocks[block][name] ?? []);
  }
  const valuesAt = room.take(Float32Array, values);
  const run = room.put(Uint32Array, [config, stepsAt, parametersAt, weightsAt, room.put(Float32Array, inputs.x), 0, 0, valuesAt]);
  const free = () => room.free();

  if (op !== "stack_backward") {
    const last = op === "attention" ? steps.findIndex((step) => step.op === OP_ATTENTION) : steps.length - 1;
    const call = () => wasm.modelForward(run, 0, last + 1);
    const outputs = () => {
      call();
      return { y: room.view(Float32Array, valuesAt + steps[last].place * FLOAT, size.count).slice() };
    };
    return { call, outputs, free };
  }

  const dy = room.put(Float32Array, inputs.dy);
  const gradientsAt = room.take(Float32Array, gradients);
  const dweightsAt = room.take(Float32Array, weights);
  const call = () => {
    wasm.HEAPF32.fill(0, dweightsAt / FLOAT, dweightsAt / FLOAT + weights);
    wasm.modelForward(run, 0, steps.length);
    wasm.modelBackward(run, dy, gradientsAt, dweightsAt, 0, steps.length);
  };
  const outputs = () => {
    call();
    const grads = inputs.blocks.map(() => ({}));
    for (const { name, block, count, place } of parameters) {
      grads[block][name] = room.view(Float32Array, dweightsAt + place * FLOAT, count).slice();
    }
    const dx = room.view(Float32Array, gradientsAt + steps[0].gradient * FLOAT, size.count).slice();
    return flatGradients({ dx, grads });
  };
  return { call, outputs, free };
}
