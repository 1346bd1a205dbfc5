import type { Clock } from "../../kernel/clock.ts";
import type { Timers } from "../prices/timers.ts";

/** How often the clock is looked at, in real time. */
const LOOK_MS = 20;

/**
 * What repeats by the platform's clock: where that is moved forward second by second, as many steps are taken as in real
 * seconds. A leap over several periods is one step, since there was nothing to see in between.
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
