/** Registers an element once, however many copies of the package the page holds; without a document there is nothing to do. */
export function define(name: string, element: CustomElementConstructor): void {
  if (globalThis.customElements && !customElements.get(name)) customElements.define(name, element);
}
