import { auditEngine, type Command, Engine, type EngineEvent, NEWEST_RULES, State } from "@bourse/engine";
import { EventLedger } from "../../../engine/src/checks/event-ledger.ts";
import { fingerprint } from "./fingerprint.ts";

/** An engine whose state is checked after its commands. */
export class WatchedEngine {
  readonly engine: Engine;
  readonly #ledger = new EventLedger();
  /** How often each kind of event occurred; fills also by their cause. */
  readonly counts = new Map<string, number>();

  constructor(rulesVersion: number = NEWEST_RULES) {
    this.engine = new Engine(new State(rulesVersion));
  }

  /** Applies a command without checking the result. */
  apply(command: Command): EngineEvent[] {
    this.engine.apply(command);
    const events = this.engine.events.decode();
    this.#ledger.hear(events);
    for (const event of events) this.#count(event);
    return events;
  }

  /** Applies a command and returns all problems afterwards, as text for people. */
  applyAndCheck(command: Command): string[] {
    const { state } = this.engine;
    const day = state.day;
    const before = fingerprint(state);
    const events = this.apply(command);
    const problems = this.problems();
    const isRefused = events.some(({ kind }) => kind === "refused" || kind === "ignored");
    // A midnight that passes with the command's time is not part of the refusal.
    if (isRefused && state.day === day && fingerprint(state) !== before)
      problems.push("a refusal has changed something");
    const numbers = events.flatMap((event) => Object.values(event)).filter((value) => typeof value === "number");
    const wrong = numbers.find((value) => !Number.isSafeInteger(value) || Object.is(value, -0));
    if (wrong !== undefined) problems.push(`an event holds ${wrong}`);
    return problems;
  }

  problems(): string[] {
    const { problems, belowZero } = auditEngine(this.engine);
    const unexplained = this.#ledger.unexplained(belowZero);
    return [
      ...problems,
      ...this.#ledger.compare(this.engine),
      ...unexplained.map(({ account, market, balance_micros }) => {
        return `account ${account} (market ${market}) is at ${balance_micros} and no liquidation was tried`;
      }),
    ];
  }

  countOf(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  #count(event: EngineEvent): void {
    this.#add(event.kind);
    if (event.kind === "fill") this.#add(`fill ${event.cause}`);
    if (event.kind === "liquidation_ended" && event.isResolved === 0) this.#add("unresolved");
  }

  #add(name: string): void {
    this.counts.set(name, this.countOf(name) + 1);
  }
}
