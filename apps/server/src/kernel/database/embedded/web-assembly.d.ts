/** What is used here of an interface that Node has and its types leave to the browser's. */
declare namespace WebAssembly {
  type Module = object;
  function compile(bytes: Uint8Array): Promise<Module>;
}
