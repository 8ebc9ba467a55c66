/*
 * Starts the embedded view. Scripts that import others may not be fetched into a sandboxed frame or from a disk, which
 * have no origin: there the whole of it is taken from one plain script.
 */
{
  const { dataset } = document.currentScript;
  if (self.origin === "null") document.head.append(Object.assign(document.createElement("script"), { src: dataset.alone }));
  else import(new URL(dataset.module, document.baseURI).href);
}
