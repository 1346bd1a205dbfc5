import { after, afterEach } from "node:test";
import { GlobalWindow, PropertySymbol } from "happy-dom";

// Node has these too, but the document knows only its own. What else both have (timers, fetch, URL …) stays Node's.
const OF_THE_DOCUMENT = ["Event", "EventTarget", "CustomEvent", "Navigator", "navigator", "Storage"];
const STORAGES = ["localStorage", "sessionStorage"];

const dom = new GlobalWindow({ url: "http://127.0.0.1:8080/app/", width: 1440, height: 900 });

for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(dom))) {
  const isWanted = !(name in globalThis) || [...OF_THE_DOCUMENT, ...STORAGES].includes(name);
  if (isWanted) Object.defineProperty(globalThis, name, { ...descriptor, configurable: true });
}
// One window under all its names, so that what a test replaces is replaced everywhere.
for (const name of ["window", "self", "top", "parent"]) {
  Object.defineProperty(globalThis, name, { value: globalThis, configurable: true, writable: true });
}
Reflect.set(dom.document, PropertySymbol.defaultView, globalThis);
Reflect.set(globalThis, "IS_REACT_ACT_ENVIRONMENT", true);

// It looks for the document when it is loaded.
const { cleanup } = await import("@testing-library/react");

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
after(() => dom.happyDOM.close());
