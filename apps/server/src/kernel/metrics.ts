import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { Histogram } from "./histogram.ts";
import { RequestDurations } from "./http/request-durations.ts";

/** A value with what tells it apart from the others of its metric. */
export interface Labelled<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

type Reading<Value> = () => Value | Promise<Value>;

/**
 * The platform's Prometheus metrics, in a registry of its own. What is kept somewhere anyway is read at the moment of a
 * scrape (`gauge`, `counter` and their labelled forms); only what nobody keeps is counted as it happens.
 */
export function createMetrics(registry = new Registry()) {
  const registers = [registry];
  const requestDurations = new RequestDurations();
  const histograms: Histogram[] = [];

  /** A number that goes up and down. A reading of NaN says that it is not known. */
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

  /** One per combination of labels; those that are not read are not shown. */
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

  /** A number that somebody else counts, and that never falls while the process lives. */
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
    /** Shows how the jobs fare at the moment of each scrape. */
    watchJobs(list: () => readonly { readonly name: string; readonly consecutiveFailures: number }[]): void {
      gauges("bourse_job_consecutive_failures", "Failures of a job since it last succeeded", ["job"], () =>
        list().map(({ name, consecutiveFailures }) => ({ labels: { job: name }, value: consecutiveFailures })),
      );
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The same with the process's own: memory, garbage, delays. They are watched for as long as the process lives. */
export function createProcessMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return createMetrics(registry);
}
