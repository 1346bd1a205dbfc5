import type { Check } from "../../kernel/readiness.ts";
import type { Exchange } from "../host/exchange.ts";
import type { Prices } from "./prices.ts";

/** FUT-13: the alarm of a market that is halted for want of an index. */
export function pricesCheck(exchange: Pick<Exchange, "engine">, prices: Pick<Prices, "report">): Check {
  return {
    name: "prices",
    isVital: false,
    run: async () => {
      const reports = exchange.engine.state.markets.map(({ definition }) => prices.report(definition.symbol));
      const named = (phases: readonly string[]) =>
        reports.filter(({ guard }) => guard !== undefined && phases.includes(guard.phase)).map(({ symbol }) => symbol);
      const halted = named(["halted"]);
      if (halted.length > 0) throw new Error(`halted for want of an index: ${halted.join(", ")}`);
      const guarded = named(["reduce_only", "resuming"]);
      return guarded.length === 0 ? "every market has its index" : `reduce-only: ${guarded.join(", ")}`;
    },
  };
}
