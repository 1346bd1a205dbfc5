import { HistogramSeries, histogramText, labelText } from "../histogram.ts";

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;
const NAME = "bourse_http_request_duration_seconds";
const HELP = "Time from a request's arrival until its reply is handed to the socket";

/**
 * A Prometheus histogram of request durations by method, route and status. Counted here because the metrics library hashes the
 * labels of every observation, which costs a signed request a tenth of its time.
 */
export class RequestDurations {
  readonly #series = new Map<string, HistogramSeries>();

  observe(method: string, route: string, status: number, took_s: number): void {
    const key = `${method} ${route} ${status}`;
    let series = this.#series.get(key);
    if (!series) {
      series = new HistogramSeries(BUCKETS_S, labelText({ method, route, status: String(status) }));
      this.#series.set(key, series);
    }
    series.observe(took_s);
  }

  /** In Prometheus' text format. */
  text(): string {
    return histogramText(NAME, HELP, this.#series.values());
  }
}
