import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { RequestDurations } from "./http/request-durations.ts";

/** The platform's Prometheus metrics, in a registry of its own. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requestDurations = new RequestDurations();
  return {
    contentType: registry.contentType,
    /** Everything in Prometheus' text format. */
    text: async () => (await registry.metrics()) + requestDurations.text(),
    requestDurations,
    refusals: new Counter({
      name: "bourse_refusals_total",
      help: "Requests refused before their route, by reason",
      labelNames: ["reason"] as const,
      registers,
    }),
    jobRuns: new Counter({
      name: "bourse_job_runs_total",
      help: "Job runs, by outcome",
      labelNames: ["job", "outcome"] as const,
      registers,
    }),
    /** Shows how the jobs fare at the moment of each scrape. */
    watchJobs(list: () => readonly { readonly name: string; readonly consecutiveFailures: number }[]): void {
      new Gauge({
        name: "bourse_job_consecutive_failures",
        help: "Failures of a job since it last succeeded",
        labelNames: ["job"] as const,
        registers,
        collect() {
          for (const { name, consecutiveFailures } of list()) this.set({ job: name }, consecutiveFailures);
        },
      });
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
