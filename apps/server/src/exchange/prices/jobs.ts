import { HOUR_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { rateText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";
import type { Projector } from "../projector/projector.ts";
import { settleFunding } from "./funding.ts";
import type { Prices } from "./prices.ts";

/**
 * FUT-14: every full UTC hour, each of them after a pause. Run by hand it settles the last full hour where that was not
 * done yet: no hour is ever paid twice.
 */
export function fundingJob(exchange: Exchange, prices: Prices, projector: Pick<Projector, "hold">): JobDefinition {
  return {
    name: "funding",
    schedule: "0 * * * *",
    missed: "each",
    isRepeatable: true,
    beginRow: () => projector.hold(),
    async run({ due_ms }) {
      const hour = Math.floor(due_ms / HOUR_ms);
      const outcomes = await settleFunding(exchange, prices, hour);
      return {
        funding_time: hour * HOUR_ms,
        markets: outcomes.map(({ symbol, rate_e8, isSettled, positions }) => ({
          symbol,
          rate: rateText(rate_e8),
          settled: isSettled,
          positions_paid: positions,
        })),
      };
    },
  };
}

/** FUT-15: takes the engine past midnight, also where nobody trades, so that tiers come down when they are due. */
export function vipJob(exchange: Exchange): JobDefinition {
  return {
    name: "vip",
    schedule: "0 0 * * *",
    missed: "each",
    isRepeatable: true,
    async run() {
      const { time_ms, events } = await exchange.submit({ kind: "advance_time" }, true);
      const changes = events.filter((event) => event.kind === "tier_changed");
      return { engine_time: time_ms, tier_changes: changes.length };
    },
  };
}

/** Midnight before the hour that begins with it. */
export const createPriceJobs = (
  exchange: Exchange,
  prices: Prices,
  projector: Pick<Projector, "hold">,
): JobDefinition[] => [vipJob(exchange), fundingJob(exchange, prices, projector)];
