/** Files dropped anywhere on the page. */

/** Tells when files are dragged over the page, and the first file that is dropped; returns the function that ends it. */
export function watchFileDrop(page: Document, onOver: (over: boolean) => void, onFile: (file: File) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  // Entering a child leaves its parent, so what counts is how often.
  let depth = 0;
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const move = (step: number) => (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    depth = Math.max(0, depth + step);
    onOver(depth > 0);
  };
  page.addEventListener("dragenter", move(1), { signal });
  page.addEventListener("dragleave", move(-1), { signal });
  page.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  }, { signal });
  page.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    depth = 0;
    onOver(false);
    const file = event.dataTransfer?.files[0];
    if (file && !event.defaultPrevented) onFile(file);
    event.preventDefault();
  }, { signal });
  return () => ended.abort();
}
