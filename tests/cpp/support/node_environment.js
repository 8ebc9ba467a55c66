// Shows a wasm program in Node the one variable of the environment that it asks for.
Module["preRun"] = [
  function () {
    if (process.env.ADDNORM_SEED) ENV["ADDNORM_SEED"] = process.env.ADDNORM_SEED;
  },
];
