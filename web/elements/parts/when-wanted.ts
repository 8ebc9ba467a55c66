/** Puts work off until an element is near the viewport or the page is idle, so that a host page loads first. */

const NEAR = "300px";
const IDLE_LIMIT_MS = 1500;

/** Calls back once; returns the function that calls it off. */
export function whenWanted(element: Element, callback: () => void): () => void {
  const stops: (() => void)[] = [];
  const stop = (): void => {
    for (const end of stops.splice(0)) end();
  };
  const start = (): void => {
    stop();
    callback();
  };
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) start();
  }, { rootMargin: NEAR });
  observer.observe(element);
  stops.push(() => observer.disconnect());
  if ("requestIdleCallback" in globalThis) {
    const idle = requestIdleCallback(start, { timeout: IDLE_LIMIT_MS });
    stops.push(() => cancelIdleCallback(idle));
  } else {
    const timer = setTimeout(start, IDLE_LIMIT_MS);
    stops.push(() => clearTimeout(timer));
  }
  return stop;
}
