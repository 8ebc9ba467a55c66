// How long calls take: contenders take turns, and the shortest of all their rounds counts.

const WARM_MS = 50;
/** Of calls without a pause: the clocks are good to 5 us. */
const ROUND_MS = 1;
/** Of rounds, for one contender: many short ones find a moment when nothing else runs on the machine. */
const TURN_MS = 8;
const LEAST_TURNS = 10;
const MOST_TURNS = 20;
const BUDGET_MS = 700;
/** A turn of shorter calls begins with one that is not timed, which brings its arrays back into the caches. */
const LONG_MS = 50;

/** Milliseconds a call, over `times` calls without a pause. */
async function round({ call, asynchronous }, times) {
  const began = performance.now();
  if (asynchronous) for (let i = 0; i < times; i++) await call();
  else for (let i = 0; i < times; i++) call();
  return (performance.now() - began) / times;
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

/** The shortest round of one turn. */
async function turn({ entry, untimed, times, rounds }) {
  await round(entry, untimed);
  let shortest = Infinity;
  for (let k = 0; k < rounds; k++) shortest = Math.min(shortest, await round(entry, times));
  return shortest;
}

/**
 * Milliseconds a call, by contender; 10 turns each at least, more where they take less than a second or so together.
 *
 * @param entries each { call, asynchronous }
 * @param turns so many instead, of one round each
 */
export async function shortestTimes(entries, { warmMs = WARM_MS, turns } = {}) {
  const plans = [];
  let cost = 0;
  for (const entry of entries) {
    const ms = Math.max(await warm(entry, warmMs), 1e-5);
    const times = Math.max(1, Math.ceil(ROUND_MS / ms));
    const rounds = turns ? 1 : Math.max(1, Math.floor(TURN_MS / (times * ms)));
    const untimed = ms < LONG_MS ? 1 : 0;
    plans.push({ entry, untimed, times, rounds });
    cost += (untimed + times * rounds) * ms;
  }
  const count = turns ?? Math.min(MOST_TURNS, Math.max(LEAST_TURNS, Math.floor(BUDGET_MS / cost)));
  const shortest = entries.map(() => Infinity);
  for (let k = 0; k < count; k++) {
    for (const [i, plan] of plans.entries()) shortest[i] = Math.min(shortest[i], await turn(plan));
  }
  return shortest;
}
