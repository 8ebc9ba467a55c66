// The same operations in plain JavaScript loops, each giving fresh arrays.

export function jsContender() {
  return {
    prepare(task) {
      // Minutes, for nothing that anyone would run.
      if (task.op === "stack_backward") return [];
      const call = () => task.plain(Float32Array, task.size, task.inputs);
      return [{ contender: "js", call, outputs: call }];
    },
  };
}
