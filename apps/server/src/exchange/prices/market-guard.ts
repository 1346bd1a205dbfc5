import { type Engine, HALTED, type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { answerWithin } from "../../kernel/wait.ts";
import type { Exchange } from "../host/exchange.ts";
import type { GuardRecord, PriceStore } from "./store.ts";

/** The engine's market. */
export type EngineMarket = Engine["state"]["markets"][number];

/** FUT-13: without an index for so long a market is halted. */
const HALT_AFTER_ms = 5 * MINUTE_ms;
/** FUT-13: so long the sources agree before a halted market lets reduce, and again before it trades. */
const CALM_ms = MINUTE_ms;
/** A database that is silent for longer must not keep a market open, in real time. */
const STORE_TIMEOUT_ms = 1_000;

export interface MarketGuardOptions {
  readonly exchange: Pick<Exchange, "submit">;
  readonly store: Pick<PriceStore, "keepGuard">;
  readonly market: EngineMarket;
  /** From the store: what the guard had made of the market when the exchange last ran. */
  readonly kept: GuardRecord | undefined;
  /** The market is halted for want of an index. */
  readonly onHalted: (market: EngineMarket) => void;
  readonly onError: (message: string, error: unknown) => void;
}

/** What the guard judges by. */
export interface GuardedMoment {
  readonly now_ms: number;
  readonly hasIndex: boolean;
  /** A pinned price stands for the sources at once. */
  readonly isPinned: boolean;
}

interface StatusSet {
  readonly number: number;
  readonly status: MarketStatus;
}

/**
 * FUT-13: makes a market reduce-only while it has no index. By the rules of version 5 it halts the market after five
 * minutes; when the sources have agreed for a minute, the market lets reduce for another minute and trades then. The
 * guard only takes back its own changes, so that a status that an admin has set stays, and it does not end a cap of the
 * fund (FUT-22).
 */
export class MarketGuard {
  readonly #options: MarketGuardOptions;
  /** What the guard has made of the market. */
  #record: GuardRecord | undefined;
  /** Since when the market has no index; undefined while it has one. */
  #lost_ms: number | undefined;
  /** Since when it has one, as far as this process has seen. */
  #agreed_ms = Number.POSITIVE_INFINITY;
  /** When the guard let a halted market reduce; 0 after a restart, since which the sources have to agree anyway. */
  #resumed_ms = 0;
  #working: Promise<void> | undefined;
  /** The statuses set while a command of the guard is pending; undefined while none is. */
  #heard: StatusSet[] | undefined;
  /** Whether that command is to trade. */
  #isReleasing = false;
  /** How often somebody else has set the status. */
  #othersWords = 0;

  constructor(options: MarketGuardOptions) {
    this.#options = options;
    this.#record = recordAfterRestart(options.kept, options.market.status);
    if (this.#record !== undefined && this.#record.phase !== "resuming") this.#lost_ms = this.#record.since_ms;
  }

  /** What the guard has made of the market; undefined while it leaves it alone. */
  get record(): GuardRecord | undefined {
    return this.#record;
  }

  /** FUT-13: whether nobody may be judged, because there is no price to judge by. */
  get isBlind(): boolean {
    const { isFair, status } = this.#options.market;
    return isFair && this.#lost_ms !== undefined && status !== HALTED;
  }

  /** Changes the status if necessary. Never rejects; runs one change at a time. */
  judge(moment: GuardedMoment): Promise<void> {
    this.#watch(moment);
    if (this.#working !== undefined) return this.#working;
    const step = moment.hasIndex ? this.#stepWithIndex(moment) : this.#stepWithoutIndex(moment);
    if (step === undefined) return Promise.resolve();
    this.#working = step
      .call(this, moment)
      .catch((error) => this.#options.onError("the status of a market could not be set", error))
      .finally(() => {
        this.#working = undefined;
      });
    return this.#working;
  }

  /** Called for every status that is set by a command, including the guard's own. */
  onStatus(number: number, status: MarketStatus): void {
    if (this.#heard !== undefined) {
      this.#heard.push({ number, status });
      return;
    }
    this.#othersWords += 1;
    // The time without an index counts anew from somebody's word on.
    this.#lost_ms = undefined;
    if (this.#record !== undefined) void this.#letGo();
  }

  /** FUT-22: the fund's cap has struck. It must not be ended by a release that is pending. */
  onCapped(number: number): void {
    if (this.#isReleasing) this.#heard?.push({ number, status: REDUCE_ONLY });
  }

  #watch({ now_ms, hasIndex }: GuardedMoment): void {
    if (!hasIndex) {
      this.#lost_ms ??= now_ms;
      this.#agreed_ms = Number.POSITIVE_INFINITY;
      return;
    }
    this.#lost_ms = undefined;
    this.#agreed_ms = Math.min(this.#agreed_ms, now_ms);
  }

  #stepWithoutIndex({ now_ms }: GuardedMoment) {
    const { status, isFair } = this.#options.market;
    if (status === TRADING) return this.#hold;
    const isLong = now_ms - this.#lost_ms! >= HALT_AFTER_ms;
    return status === REDUCE_ONLY && isFair && isLong ? this.#halt : undefined;
  }

  #stepWithIndex({ now_ms, isPinned }: GuardedMoment) {
    const phase = this.#record?.phase;
    if (phase === undefined) return undefined;
    const calm_ms = isPinned ? CALM_ms : now_ms - Math.max(this.#agreed_ms, this.#resumed_ms);
    const isCalm = calm_ms >= CALM_ms;
    if (phase === "halted" && !isPinned) return isCalm ? this.#letReduce : undefined;
    const isDue = phase === "reduce_only" || isCalm;
    return isDue && !this.#options.market.fund.isCapped ? this.#release : undefined;
  }

  async #hold(): Promise<void> {
    await this.#take({ phase: "reduce_only", since_ms: this.#lost_ms!, resumes: TRADING }, TRADING, REDUCE_ONLY);
  }

  async #halt(): Promise<void> {
    const { market, onHalted } = this.#options;
    // What only an admin has made reduce-only stays so afterwards; the cap of the fund ends by itself.
    const own = market.fund.isStopped ? TRADING : REDUCE_ONLY;
    const record: GuardRecord = {
      phase: "halted",
      since_ms: this.#lost_ms!,
      resumes: this.#record?.resumes ?? own,
    };
    if (await this.#take(record, REDUCE_ONLY, HALTED)) onHalted(market);
  }

  /** Stored before the change: after a crash in between, the stored record has no effect or leads to a careful resumption. */
  async #take(record: GuardRecord, from: MarketStatus, to: MarketStatus): Promise<boolean> {
    const words = this.#othersWords;
    await this.#keep(record);
    const isStillDue = this.#options.market.status === from && this.#othersWords === words;
    if (isStillDue && (await this.#set(to))) {
      this.#record = record;
      return true;
    }
    await this.#letGo();
    return false;
  }

  /** The sources have agreed for a minute: a halted market lets reduce. */
  async #letReduce({ now_ms }: GuardedMoment): Promise<void> {
    const record = this.#record!;
    const isInEffect = await this.#set(REDUCE_ONLY);
    if (!isInEffect || record.resumes === REDUCE_ONLY) return this.#letGo();
    this.#record = { ...record, phase: "resuming" };
    this.#resumed_ms = now_ms;
    await this.#keep(this.#record);
  }

  async #release(): Promise<void> {
    await this.#set(this.#record!.resumes);
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    this.#record = undefined;
    await this.#keep(undefined);
  }

  /** Returns whether the status is in effect. A status that somebody else has set meanwhile takes precedence. */
  async #set(status: MarketStatus): Promise<boolean> {
    const { exchange, market } = this.#options;
    const heard: StatusSet[] = [];
    this.#heard = heard;
    this.#isReleasing = status === TRADING;
    let number: number;
    try {
      ({ number } = await exchange.submit({ kind: "set_market_status", market: market.number, status }, true));
    } finally {
      this.#heard = undefined;
    }
    const last = heard.filter((other) => other.number !== number).at(-1);
    if (last === undefined) return true;
    if (last.number < number) {
      await exchange.submit({ kind: "set_market_status", market: market.number, status: last.status }, true);
    }
    return false;
  }

  async #keep(record: GuardRecord | undefined): Promise<void> {
    const { store, market, onError } = this.#options;
    try {
      await answerWithin(store.keepGuard(market.definition.symbol, record), STORE_TIMEOUT_ms);
    } catch (error) {
      // The market's status must not depend on the database.
      onError("who has set the status of a market could not be kept", error);
    }
  }
}

/** What of a stored record holds: the status says whether its change has happened, or somebody else's since. */
function recordAfterRestart(kept: GuardRecord | undefined, status: MarketStatus): GuardRecord | undefined {
  if (kept === undefined || status === TRADING) return undefined;
  if (status === HALTED) return kept.phase === "halted" ? kept : undefined;
  if (kept.phase !== "halted") return kept;
  return kept.resumes === TRADING ? { ...kept, phase: "resuming" } : undefined;
}
