import { createHook } from "node:async_hooks";

/**
 * The next hook that is enabled does not follow promises. The test runner enables one to know which test an error without a handler
 * belongs to; following every promise until it is collected takes a tenth of the CPU time of tests that await much. Without it such an
 * error is still a failure, of its test if it came from a timer or a socket that the test's own function made, else of the file.
 */
export function trackNoPromisesInNextHook(): void {
  const sample = createHook({ init() {}, trackPromises: false });
  const flag = Object.getOwnPropertySymbols(sample).find((symbol) => Reflect.get(sample, symbol) === true);
  // A runtime that keeps the setting elsewhere goes on as it is.
  if (flag === undefined) return;
  const prototype: { enable: typeof sample.enable } = Object.getPrototypeOf(sample);
  const { enable } = prototype;
  prototype.enable = function () {
    prototype.enable = enable;
    Reflect.set(this, flag, true);
    return enable.call(this);
  };
}
