import type { Timers } from "../../exchange/index.ts";
import type { Clock } from "../../kernel/clock.ts";

/** How often the clock is read, in real time. */
const LOOK_MS = 20;

/**
 * Timers by the platform's clock: if the clock is moved second by second, as many steps run as in real seconds. A jump over several
 * periods is one step, because nothing happened in between.
 */
export function clockTimers(clock: Clock, timers: Timers): Timers {
  return {
    every(period_ms, run) {
      let due_ms = clock.now() + period_ms;
      return timers.every(LOOK_MS, () => {
        const now_ms = clock.now();
        if (now_ms < due_ms) return;
        due_ms = (now_ms - due_ms < period_ms ? due_ms : now_ms) + period_ms;
        run();
      });
    },
  };
}
