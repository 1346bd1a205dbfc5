const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** Labels in Prometheus' notation, without the braces. */
export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
}

/** One series of a histogram: the number of observations in each bucket. */
export class HistogramSeries {
  readonly #bounds: readonly number[];
  readonly #labels: string;
  /** One count per bucket and one beyond the last, not cumulative. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[], labels = "") {
    this.#bounds = bounds;
    this.#labels = labels;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  lines(name: string): string[] {
    let total = 0;
    const rest = this.#labels === "" ? "" : `,${this.#labels}`;
    const braced = this.#labels === "" ? "" : `{${this.#labels}}`;
    const buckets = this.#bounds.map((bound, place) => {
      total += this.#counts[place]!;
      return `${name}_bucket{le="${bound}"${rest}} ${total}`;
    });
    total += this.#counts[this.#bounds.length]!;
    return [
      ...buckets,
      `${name}_bucket{le="+Inf"${rest}} ${total}`,
      `${name}_sum${braced} ${this.#sum}`,
      `${name}_count${braced} ${total}`,
    ];
  }
}

/** In Prometheus' text format. */
export function histogramText(name: string, help: string, series: Iterable<HistogramSeries>): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  for (const each of series) lines.push(...each.lines(name));
  return `${lines.join("\n")}\n`;
}

/**
 * A Prometheus histogram without labels for the path of every command. Counted here, because the metrics library hashes the labels
 * of each observation, even if there are none.
 */
export class Histogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series: HistogramSeries;

  constructor(name: string, help: string, bounds: readonly number[]) {
    this.#name = name;
    this.#help = help;
    this.#series = new HistogramSeries(bounds);
  }

  observe(value: number): void {
    this.#series.observe(value);
  }

  text(): string {
    return histogramText(this.#name, this.#help, [this.#series]);
  }
}
