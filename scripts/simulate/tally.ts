import type { SeedOutcome } from "./messages.ts";

type Counts = Map<string, number>;

function add(into: Counts, counts: Readonly<Record<string, number>>): void {
  for (const [name, times] of Object.entries(counts)) into.set(name, (into.get(name) ?? 0) + times);
}

const total = (counts: Counts) => [...counts.values()].reduce((sum, times) => sum + times, 0);
const quoted = (seed: string) => (/^\w+$/.test(seed) ? seed : JSON.stringify(seed));
const shown = (value: number) => Math.round(value).toLocaleString("en-US");

function table(title: string, counts: Counts): string[] {
  const rows = [...counts].sort(([, one], [, other]) => other - one);
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  return ["", title, ...rows.map(([name, times]) => `  ${name.padEnd(width)}  ${shown(times).padStart(10)}`)];
}

/** The results of all seeds so far. */
export class Tally {
  readonly failed: SeedOutcome[] = [];
  readonly #begun_ms = performance.now();
  readonly #faults: Counts = new Map();
  readonly #crashes: Counts = new Map();
  readonly #actions: Counts = new Map();
  readonly #checks: Counts = new Map();
  readonly #happened: Counts = new Map();
  #done = 0;
  #fills = 0;
  #events = 0;
  #incarnations = 0;
  #seconds = 0;

  add(outcome: SeedOutcome): void {
    this.#done += 1;
    this.#fills += outcome.fills;
    this.#events += outcome.events;
    this.#incarnations += outcome.incarnations;
    this.#seconds += outcome.took_ms / 1_000;
    add(this.#faults, outcome.faults);
    add(this.#crashes, outcome.crashes);
    add(this.#actions, outcome.actions);
    add(this.#checks, outcome.checks);
    add(this.#happened, outcome.happened);
    if (outcome.failures.length > 0) this.failed.push(outcome);
  }

  line(of: number): string {
    const passed_s = (performance.now() - this.#begun_ms) / 1_000;
    const actions = total(this.#actions);
    const parts = [
      `${this.#done} of ${of} seeds`,
      `${this.failed.length} failed`,
      `${shown(actions)} actions (${shown(actions / passed_s)} a second)`,
      `${shown(total(this.#faults))} faults`,
      `${shown(total(this.#crashes))} crashes`,
      `${shown(passed_s)} s`,
    ];
    return parts.join(", ");
  }

  report({ days, actions }: { readonly days: number; readonly actions: number }): string {
    const perSeed_s = this.#done === 0 ? 0 : this.#seconds / this.#done;
    const sums = `${shown(this.#fills)} fills, ${shown(this.#events)} private events, ${shown(this.#incarnations)} processes`;
    const failures = this.failed.flatMap(({ seed, failures: texts, logged }) => [
      "",
      `Seed ${seed} failed:`,
      ...texts.map((text) => `  ${text}`),
      ...logged.map((text) => `  logged: ${text}`),
      `  again: npm run simulate -- --seed ${quoted(seed)} --days ${days} --actions ${actions}`,
    ]);
    return [
      ...table("Faults that struck", this.#faults),
      ...table("Where processes died", this.#crashes),
      ...table("Actions", this.#actions),
      ...table("What happened to accounts", this.#happened),
      ...table("Checks of the auditor", this.#checks),
      ...failures,
      "",
      `${this.#done} seeds, ${this.failed.length} failed; ${sums}; ${perSeed_s.toFixed(1)} s a seed.`,
    ].join("\n");
  }
}
