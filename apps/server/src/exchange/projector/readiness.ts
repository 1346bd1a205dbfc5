import type { Clock } from "../../kernel/clock.ts";
import type { Check } from "../../kernel/readiness.ts";
import type { Projector } from "./projector.ts";

const PATIENCE_ms = 10_000;

/** RUN-7: fails where the tables can never catch up, or have not been written for a while. */
export function projectorCheck(projector: Pick<Projector, "status">, clock: Clock): Check {
  return {
    name: "projector",
    isVital: true,
    async run() {
      const { fault, failing_since, lastError, cursor, lag_commands } = projector.status();
      if (fault !== null) throw new Error(fault);
      if (failing_since !== null && clock.now() - failing_since.getTime() > PATIENCE_ms) {
        throw new Error(`nothing was written since ${failing_since.toISOString()}: ${lastError}`);
      }
      return `${cursor} commands written, ${lag_commands} to go`;
    },
  };
}
