// How long calls take: contenders take turns, and the shortest of their rounds counts.

const WARM_MS = 50;
const ROUND_MS = 2;
const LEAST_ROUNDS = 10;
const MOST_ROUNDS = 40;
const BUDGET_MS = 700;
/** A longer call drives its own arrays out of the caches. */
const LONGEST_REFRESHED_MS = 50;

/** Milliseconds a call, over `times` calls without a pause. */
async function round({ call, asynchronous }, times) {
  const began = performance.now();
  if (asynchronous) for (let i = 0; i < times; i++) await call();
  else for (let i = 0; i < times; i++) call();
  return (performance.now() - began) / times;
}

/** A call before those that count brings back what other contenders' turns drove out of the caches, as in a loop. */
async function refresh(entry, ms) {
  if (ms < LONGEST_REFRESHED_MS) await round(entry, 1);
}

/** Calls until the engine has compiled the hot code for good; gives the time of a call, roughly. */
async function warm(entry, warmMs) {
  let least = Infinity;
  const end = performance.now() + warmMs;
  for (let times = 1; ; times = Math.min(2 * times, 4096)) {
    const ms = await round(entry, times);
    least = Math.min(least, ms);
    if (performance.now() + times * ms > end) return least;
  }
}

/**
 * Milliseconds a call, by contender. A round lasts about 2 ms, or one call; within a second or so there are 10 to 40.
 *
 * @param entries each { call, asynchronous }
 */
export async function shortestTimes(entries, { warmMs = WARM_MS, rounds } = {}) {
  const times = [];
  const calls = [];
  let cost = 0;
  for (const entry of entries) {
    const ms = Math.max(await warm(entry, warmMs), 1e-5);
    calls.push(ms);
    times.push(Math.max(1, Math.ceil(ROUND_MS / ms)));
    cost += (times.at(-1) + 1) * ms;
  }
  const count = rounds ?? Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, Math.floor(BUDGET_MS / cost)));
  const shortest = entries.map(() => Infinity);
  for (let k = 0; k < count; k++) {
    for (const [i, entry] of entries.entries()) {
      await refresh(entry, calls[i]);
      shortest[i] = Math.min(shortest[i], await round(entry, times[i]));
    }
  }
  return shortest;
}
