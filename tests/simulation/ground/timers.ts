import { AsyncLocalStorage } from "node:async_hooks";

/** The timers of one process. */
type Timers = Set<NodeJS.Timeout>;

const own = new AsyncLocalStorage<Timers>();
/** The key under which `util.promisify` finds the promise form. */
const promisified = Symbol.for("nodejs.util.promisify.custom");
const global = { setTimeout, setInterval, clearTimeout, clearInterval };
let isWatching = false;

/** Clears the timers of a dead process; each remaining one would keep the whole process in memory. */
export class OwnTimers {
  readonly #timers: Timers = new Set();

  constructor() {
    watch();
  }

  /** Runs an action that belongs to the process. */
  within<T>(action: () => T): T {
    return own.run(this.#timers, action);
  }

  end(): void {
    for (const timer of this.#timers) global.clearTimeout(timer);
    this.#timers.clear();
  }
}

/** From the first process on, records each timer with the process that sets it. */
function watch(): void {
  if (isWatching) return;
  isWatching = true;
  const noted = (timer: NodeJS.Timeout) => {
    own.getStore()?.add(timer);
    return timer;
  };
  const forget = (clear: (timer: NodeJS.Timeout) => void) => (timer: NodeJS.Timeout) => {
    own.getStore()?.delete(timer);
    clear(timer);
  };
  const once = (action: (...args: unknown[]) => void, delay_ms?: number, ...args: unknown[]) => {
    const timers = own.getStore();
    const timer = global.setTimeout(() => {
      timers?.delete(timer);
      action(...args);
    }, delay_ms);
    return noted(timer);
  };
  const repeated = (action: (...args: unknown[]) => void, delay_ms?: number, ...args: unknown[]) =>
    noted(global.setInterval(action, delay_ms, ...args));
  Object.assign(globalThis, {
    setTimeout: Object.assign(once, { [promisified]: Reflect.get(global.setTimeout, promisified) }),
    setInterval: repeated,
    clearTimeout: forget(global.clearTimeout),
    clearInterval: forget(global.clearInterval),
  });
}
