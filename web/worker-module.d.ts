/** Vite makes a Blob worker of such an import, which runs on pages of another origin and from file://, too. */
declare module "*?worker&inline" {
  const Constructor: new () => Worker;
  export default Constructor;
}
