import { HOUR_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { rateText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";
import type { Projector } from "../projector/projector.ts";
import { settleFunding } from "./funding.ts";
import type { Prices } from "./prices.ts";

/**
 * FUT-14: runs every full UTC hour; after a downtime once for each missed hour. A manual run settles the last full hour
 * if it is not settled yet; no hour is settled twice.
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

/** FUT-15: moves the engine's time past midnight even without trading, so that tiers are lowered in time. */
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

/** Midnight runs before the funding of the same hour. */
export const createPriceJobs = (
  exchange: Exchange,
  prices: Prices,
  projector: Pick<Projector, "hold">,
): JobDefinition[] => [vipJob(exchange), fundingJob(exchange, prices, projector)];
