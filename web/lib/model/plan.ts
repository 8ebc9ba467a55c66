// What the kernels lay out for a config before its memory is taken: sizes, and the records of steps and weights.
import type { Heap } from "../heap.js";
import type { WasmModule } from "../load/wasm-module.js";
import { OPS, stepId, weightName, type Op, type WeightName } from "./names.js";
import { refusal } from "./refusal.js";
import type { Settings } from "./settings.js";

/** One matrix that will be computed. Places count floats from where all values, or all gradients, begin. */
export interface PlannedStep {
  id: string;
  op: Op;
  block: number;
  /** The state of the stream that it is, else -1. */
  state: number;
  inputs: string[];
  rows: number;
  cols: number;
  place: number;
  gradientPlace: number;
}

/** One matrix or vector among the weights. */
export interface Parameter {
  name: WeightName;
  /** The block in whose record it stands. */
  block: number;
  rows: number;
  cols: number;
  place: number;
}

export interface Plan {
  stepRecords: Int32Array;
  parameterRecords: Int32Array;
  /** How many floats there are of each. */
  weights: number;
  values: number;
  gradients: number;
}

const STEP_INTEGERS = 12;
const PARAMETER_INTEGERS = 6;

/** @throws RangeError where the model refuses the config */
export function planOf(wasm: WasmModule, heap: Heap, call: string, settings: Settings): Plan {
  const { record } = settings;
  heap.open(call, 2 * record.length + 10, 2);
  const config = heap.doubles(record);
  const reason = wasm.modelCheck(config);
  if (reason !== 0) throw refusal(call, reason, settings);
  const sizes = heap.room(10);
  wasm.modelSizes(config, sizes);
  const [steps, parameters, weights, values, gradients] = Array.from(heap.copyDoubles(sizes, 5)) as [number, number, number, number, number];

  const stepIntegers = steps * STEP_INTEGERS;
  const parameterIntegers = parameters * PARAMETER_INTEGERS;
  heap.open(call, 2 * record.length + stepIntegers + parameterIntegers, 3);
  const stepsAt = heap.room(stepIntegers);
  const parametersAt = heap.room(parameterIntegers);
  wasm.modelPlan(heap.doubles(record), stepsAt, parametersAt);
  const stepRecords = new Int32Array(heap.copy(stepsAt, stepIntegers).buffer);
  const parameterRecords = new Int32Array(heap.copy(parametersAt, parameterIntegers).buffer);
  heap.close();
  return { stepRecords, parameterRecords, weights, values, gradients };
}

function recordsOf(all: Int32Array, integers: number): number[][] {
  return Array.from({ length: all.length / integers }, (_, i) => Array.from(all.subarray(i * integers, (i + 1) * integers)));
}

export function readSteps({ stepRecords }: Plan): PlannedStep[] {
  const steps: PlannedStep[] = [];
  for (const record of recordsOf(stepRecords, STEP_INTEGERS)) {
    const [code, block, site, state, first, second, third, , rows, cols, place, gradientPlace] = record as Twelve;
    const op = OPS[code]!;
    const inputs = [first, second, third].filter((input) => input >= 0).map((input) => steps[input]!.id);
    steps.push({ id: stepId(op, block, site), op, block, state, inputs, rows, cols, place, gradientPlace });
  }
  return steps;
}

export function readParameters({ parameterRecords }: Plan, layers: number): Parameter[] {
  return recordsOf(parameterRecords, PARAMETER_INTEGERS).map((record) => {
    const [kind, block, site, rows, cols, place] = record as Six;
    return { name: weightName(kind, site), block: Math.min(block, layers - 1), rows, cols, place };
  });
}

type Six = [number, number, number, number, number, number];
type Twelve = [...Six, ...Six];
