import type { Metrics } from "../../kernel/metrics.ts";
import type { ChainClient } from "../client.ts";
import type { Operator } from "./operator.ts";

export function watchOperator(metrics: Metrics, operator: Operator, client: ChainClient): void {
  const { gauge, counter, counters } = metrics;
  counter("bourse_chain_requests_total", "Requests to the chain's node", () => client.requests);
  counter("bourse_chain_failed_requests_total", "Requests that the chain's node failed to answer", () => {
    return client.failedRequests;
  });
  counters(
    "bourse_operator_transactions_total",
    "The operator's transactions, by what became of them",
    ["state"],
    () => {
      const { open: _, ...since } = operator.counts;
      return Object.entries(since).map(([state, value]) => ({ labels: { state }, value }));
    },
  );
  gauge("bourse_operator_open_transactions", "Transactions whose outcome is open", () => operator.counts.open);
}
