// Ends with 0 when node_modules holds what package-lock.json names for this machine, else with 1.
import { readFileSync } from "node:fs";

function packagesOf(file) {
  return Object.entries(JSON.parse(readFileSync(file, "utf8")).packages).filter(([path]) => path !== "");
}

function modulesMatch() {
  const installed = new Map(packagesOf("node_modules/.package-lock.json"));
  const wanted = packagesOf("package-lock.json");
  const named = new Set(wanted.map(([path]) => path));
  return (
    [...installed.keys()].every((path) => named.has(path)) &&
    wanted.every(([path, { version, optional }]) => (installed.get(path)?.version ?? (optional && version)) === version)
  );
}

try {
  process.exitCode = modulesMatch() ? 0 : 1;
} catch {
  process.exitCode = 1;
}
