const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;
const NAME = "bourse_http_request_duration_seconds";

interface Series {
  readonly labels: string;
  /** One count per bucket and one beyond the last, not yet added up. */
  readonly counts: Float64Array;
  sum_s: number;
}

const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

function seriesText({ labels, counts, sum_s }: Series): string {
  let total = 0;
  const lines = BUCKETS_S.map((bound, index) => {
    total += counts[index]!;
    return `${NAME}_bucket{le="${bound}",${labels}} ${total}`;
  });
  total += counts[BUCKETS_S.length]!;
  return [
    ...lines,
    `${NAME}_bucket{le="+Inf",${labels}} ${total}`,
    `${NAME}_sum{${labels}} ${sum_s}`,
    `${NAME}_count{${labels}} ${total}`,
  ].join("\n");
}

/**
 * A Prometheus histogram of request durations by method, route and status. Counted by hand because the metrics
 * library hashes the labels of every observation, which costs a signed request a tenth of its time.
 */
export class RequestDurations {
  readonly #series = new Map<string, Series>();

  observe(method: string, route: string, status: number, took_s: number): void {
    const key = `${method} ${route} ${status}`;
    let series = this.#series.get(key);
    if (!series) {
      const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`;
      series = { labels, counts: new Float64Array(BUCKETS_S.length + 1), sum_s: 0 };
      this.#series.set(key, series);
    }
    let bucket = 0;
    while (bucket < BUCKETS_S.length && took_s > BUCKETS_S[bucket]!) bucket += 1;
    series.counts[bucket]! += 1;
    series.sum_s += took_s;
  }

  /** In Prometheus' text format. */
  text(): string {
    const header = `# HELP ${NAME} Time from a request's arrival until its reply is handed to the socket\n# TYPE ${NAME} histogram`;
    return `${[header, ...[...this.#series.values()].map(seriesText)].join("\n")}\n`;
  }
}
