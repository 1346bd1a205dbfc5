import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { Histogram } from "./histogram.ts";
import { RequestDurations } from "./http/request-durations.ts";

/** A value with its labels. */
export interface Labelled<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

type Reading<Value> = () => Value | Promise<Value>;

/**
 * The platform's Prometheus metrics, in a registry of its own. Values that exist elsewhere are read at each scrape (`gauge`,
 * `counter` and their labelled forms); only other values are counted as they happen.
 */
export function createMetrics(registry = new Registry()) {
  const registers = [registry];
  const requestDurations = new RequestDurations();
  const histograms: Histogram[] = [];

  /** A number that rises and falls. NaN means unknown. */
  function gauge(name: string, help: string, read: Reading<number>): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  }

  /** One per combination of labels; combinations that are not read are not shown. */
  function gauges<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: Reading<Iterable<Labelled<Label>>>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const readings = await read();
        this.reset();
        for (const { labels, value } of readings) this.set(labels, value);
      },
    });
  }

  /** A number that is counted elsewhere and never falls while the process runs. */
  function counter(name: string, help: string, read: Reading<number>): void {
    new Counter({
      name,
      help,
      registers,
      async collect() {
        const value = await read();
        this.reset();
        this.inc(value);
      },
    });
  }

  function counters<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: Reading<Iterable<Labelled<Label>>>,
  ): void {
    new Counter({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const readings = await read();
        this.reset();
        for (const { labels, value } of readings) this.inc(labels, value);
      },
    });
  }

  function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const made = new Histogram(name, help, bounds);
    histograms.push(made);
    return made;
  }

  return {
    contentType: registry.contentType,
    /** Everything in Prometheus' text format. */
    async text(): Promise<string> {
      const byHand = [requestDurations, ...histograms].map((each) => each.text());
      return (await registry.metrics()) + byHand.join("");
    },
    requestDurations,
    gauge,
    gauges,
    counter,
    counters,
    histogram,
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
    /** Reads the state of the jobs at each scrape. */
    watchJobs(list: () => readonly { readonly name: string; readonly consecutiveFailures: number }[]): void {
      gauges("bourse_job_consecutive_failures", "Failures of a job since it last succeeded", ["job"], () =>
        list().map(({ name, consecutiveFailures }) => ({ labels: { job: name }, value: consecutiveFailures })),
      );
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The same with the process's own metrics: memory, garbage collection, delays. They are collected as long as the process runs. */
export function createProcessMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return createMetrics(registry);
}
