/** Puts work off until an element is near the viewport, so that a host page loads first. */

const NEAR = "300px";

/** Calls back once; returns the function that calls it off. */
export function whenWanted(element: Element, callback: () => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    callback();
  }, { rootMargin: NEAR });
  observer.observe(element);
  return () => observer.disconnect();
}
