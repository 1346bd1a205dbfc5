import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The platform's Prometheus metrics, in a registry of its own. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpDuration: new Histogram({
      name: "bourse_http_request_duration_seconds",
      help: "Time from the request's arrival to the end of its reply",
      labelNames: ["method", "route", "status"] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
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
