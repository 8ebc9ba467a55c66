/*
 * Starts the embedded view. Scripts that import others may not be fetched into a sandboxed frame or from a disk, which
 * have no origin: there the whole of it is taken from one plain script.
 */
{
  const { dataset } = document.currentScript;
  const add = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes));
  if (self.origin === "null") add("script", { src: dataset.alone });
  else {
    for (const href of dataset.imported.split(" ")) add("link", { rel: "modulepreload", href });
    import(new URL(dataset.module, document.baseURI).href);
  }
}
