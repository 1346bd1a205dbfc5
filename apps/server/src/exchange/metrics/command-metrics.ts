import { BUY, type Command } from "@bourse/engine";
import type { Histogram } from "../../kernel/histogram.ts";
import type { CommandLog } from "../../kernel/journal/command-log.ts";
import type { Labelled, Metrics } from "../../kernel/metrics.ts";
import { type Applied, type Exchange, ExchangeOverloaded, type ExchangeUnavailable } from "../host/exchange.ts";
import type { ExchangeProbe, Taken } from "../host/logged-exchange.ts";

const BATCH_COMMANDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] as const;
const SHORT_S = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;
const REPLY_S = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;

/** Commands whose reply a trader waits for. */
const ORDER_KINDS: ReadonlySet<Command["kind"]> = new Set<Command["kind"]>([
  "place_order",
  "place_conditional",
  "modify_order",
  "cancel_order",
  "cancel_all",
]);

interface Outcomes {
  done: number;
  refused: number;
  /** Delivered a second time after a crash and ignored. */
  ignored: number;
}

/**
 * Metrics of commands in log and engine. Nothing else counts them, so they are counted here: a few additions for each
 * command and two clock reads for each batch.
 */
export class CommandMetrics implements ExchangeProbe {
  readonly #outcomes = new Map<Command["kind"], Outcomes>();
  readonly #notTaken = { overloaded: 0, unavailable: 0 };
  readonly #batch: Histogram;
  readonly #sync: Histogram;
  readonly #apply: Histogram;
  readonly #reply: Histogram;
  readonly #fundingRounds = new Map<number, number>();
  #liquidations = 0;
  #deleveraged = 0;

  constructor(metrics: Metrics) {
    this.#batch = metrics.histogram("bourse_journal_batch_commands", "Commands written with one sync", BATCH_COMMANDS);
    this.#sync = metrics.histogram(
      "bourse_journal_sync_seconds",
      "Time to write and sync a batch of commands",
      SHORT_S,
    );
    this.#apply = metrics.histogram(
      "bourse_apply_batch_seconds",
      "Time to apply a durable batch and tell of it",
      SHORT_S,
    );
    const reply = "Time from taking an order, a change or a cancel until it is durable, applied and answered";
    this.#reply = metrics.histogram("bourse_order_reply_seconds", reply, REPLY_S);
  }

  /**
   * The same log with measured appends. The exchange appends one batch at a time, so a call is one write and one sync.
   */
  measured(log: CommandLog): CommandLog {
    return {
      append: async (records, origins) => {
        const begun_ms = performance.now();
        await log.append(records, origins);
        this.#sync.observe((performance.now() - begun_ms) / 1_000);
        this.#batch.observe(records.length);
      },
      followRules: (rulesVersion, chain) => log.followRules?.(rulesVersion, chain),
      close: () => log.close(),
    };
  }

  refused(error: ExchangeOverloaded | ExchangeUnavailable): void {
    this.#notTaken[error instanceof ExchangeOverloaded ? "overloaded" : "unavailable"] += 1;
  }

  applied(batch: readonly Taken[], begun_ms: number, ended_ms: number): void {
    this.#apply.observe((ended_ms - begun_ms) / 1_000);
    for (const { command, taken_ms } of batch) {
      if (ORDER_KINDS.has(command.kind)) this.#reply.observe((ended_ms - taken_ms) / 1_000);
    }
  }

  /** Registers the metrics and counts the commands of an exchange from now on. */
  watch(metrics: Metrics, exchange: Pick<Exchange, "engine" | "listen" | "waiting" | "failure">): void {
    exchange.listen(this.heard);
    const { markets } = exchange.engine.state;
    metrics.counters("bourse_commands_total", "Commands applied, by kind and outcome", ["kind", "outcome"], () =>
      this.#commands(),
    );
    metrics.counters("bourse_commands_not_taken_total", "Commands turned away, by reason", ["reason"], () =>
      Object.entries(this.#notTaken).map(([reason, value]) => ({ labels: { reason }, value })),
    );
    metrics.gauge("bourse_commands_waiting", "Commands taken and not answered yet", () => exchange.waiting);
    metrics.gauge("bourse_engine_stopped", "1 once the engine takes no commands until a restart", () =>
      exchange.failure === undefined ? 0 : 1,
    );
    metrics.counters("bourse_funding_rounds_total", "Hours of funding settled, by market", ["symbol"], () =>
      markets.map(({ number, definition }) => ({
        labels: { symbol: definition.symbol },
        value: this.#fundingRounds.get(number) ?? 0,
      })),
    );
    metrics.counter("bourse_liquidations_total", "Liquidations begun", () => this.#liquidations);
    metrics.counter("bourse_adl_fills_total", "Hand-overs by auto-deleveraging", () => this.#deleveraged);
  }

  /** For other exchanges whose commands are counted too. */
  readonly heard = ({ command, events }: Applied): void => {
    let outcomes = this.#outcomes.get(command.kind);
    if (outcomes === undefined) {
      outcomes = { done: 0, refused: 0, ignored: 0 };
      this.#outcomes.set(command.kind, outcomes);
    }
    // A refusal is the last event. Before it there are at most the events of midnights that the command's time has
    // passed.
    const last = events.at(-1)?.kind;
    outcomes[last === "refused" || last === "ignored" ? last : "done"] += 1;
    for (const event of events) {
      if (event.kind === "liquidation_started") this.#liquidations += 1;
      else if (event.kind === "funding_settled") {
        this.#fundingRounds.set(event.market, (this.#fundingRounds.get(event.market) ?? 0) + 1);
      } else if (event.kind === "fill" && event.cause === "adl" && event.side === BUY) {
        // Each hand-over has a fill on both sides; only the buy is counted.
        this.#deleveraged += 1;
      }
    }
  };

  *#commands(): Iterable<Labelled<"kind" | "outcome">> {
    for (const [kind, outcomes] of this.#outcomes) {
      for (const [outcome, value] of Object.entries(outcomes)) {
        if (value > 0) yield { labels: { kind, outcome }, value };
      }
    }
  }
}
