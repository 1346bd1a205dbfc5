import { BUY, SELL } from "@bourse/engine";
import type { AccountDirectory, Exchange } from "../../exchange/index.ts";
import type { MovableClock } from "../../kernel/clock.ts";
import type { Db } from "../../kernel/database/database.ts";
import { DAY_ms, dayOf, HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import { seededRandom } from "../../kernel/random.ts";
import { keepClock } from "../clock-state.ts";
import type { DemoCampaign } from "./campaign.ts";
import { COUNTERPART, OWN_MONEY } from "./growth-cast.ts";
import { allTraders, type DemoTrader, type People } from "./people.ts";
import type { DemoSeasons } from "./seasons.ts";
import { type RoundTrip, tradeRoundTrips } from "./trading.ts";
import type { WebClient } from "./web-client.ts";

const KEY = "demo-history";
const ARRIVAL_HOUR = 1;
const TRADING_HOURS = [9, 17];
/** BRK-9: after midnight. */
const SETTLEMENT_ms = 10 * MINUTE_ms;
const DAYS_PER_PAYOUT = 7;
const COUNTERPART_usdt = 50_000_000;
/** Half as much again is within the position limits of small markets at a leverage of ten. */
const MAX_IN_SMALL_MARKETS_usdt = 60_000;

interface Progress {
  /** The UTC midnight of the first day. */
  readonly first_ms: number;
  /** The number of completed days. */
  readonly done: number;
}

export interface DemoHistoryOptions {
  readonly db: Db;
  readonly clock: MovableClock;
  readonly days: number;
  readonly exchange: Exchange;
  readonly directory: Pick<AccountDirectory, "ensure">;
  readonly web: WebClient;
  readonly people: People;
  readonly seasons: DemoSeasons;
  readonly campaign: DemoCampaign;
  /** The seed of the random trades. */
  readonly seed: string;
  /** Moves the clock to that time, and the prices with it. */
  readonly moveClock: (target_ms: number) => Promise<void>;
  /** Updates the chain to the clock. */
  readonly followClock: () => Promise<void>;
  /** Makes deposits, once per wallet; resolves when they are credited. */
  readonly deposit: (wallets: readonly { readonly address: string; readonly usdt: number }[]) => Promise<void>;
  /** BRK-9: closes a day. */
  readonly settle: (period: string) => Promise<unknown>;
  /** Runs a background job that is due. */
  readonly runJob: (name: string) => Promise<unknown>;
  readonly now: () => number;
  readonly onProgress: (line: string) => void;
}

/**
 * The history of the demo's exchange before its first visitor: partners and customers join, trade, are settled daily and paid
 * weekly. The platform starts in the past and reaches the present through these days; every row is computed by the platform itself.
 * After an interruption it continues with the same day.
 */
export class DemoHistory {
  readonly #options: DemoHistoryOptions;
  readonly #random;

  constructor(options: DemoHistoryOptions) {
    this.#options = options;
    this.#random = seededRandom(`demo history ${options.seed}`);
  }

  /** Advances the platform to the present. Does nothing if it is there already. */
  async build(): Promise<void> {
    const { clock, days, now, onProgress } = this.#options;
    if (clock.offset_ms >= 0) return;
    const begun_ms = performance.now();
    try {
      if (days > 0) await this.#liveAll();
      onProgress(`  made in ${((performance.now() - begun_ms) / 1_000).toFixed(1)} s`);
    } catch (error) {
      // A demo with an incomplete history is better than none.
      onProgress(`  the demo's history is not complete: ${error instanceof Error ? error.message : String(error)}`);
    }
    await this.#options.moveClock(now());
    await this.#options.followClock();
    await keepClock(this.#options.db, clock);
  }

  async #liveAll(): Promise<void> {
    const { clock, days, now, onProgress, people } = this.#options;
    let progress = (await this.#load()) ?? { first_ms: Math.floor(clock.now() / DAY_ms) * DAY_ms, done: 0 };
    onProgress(`Making ${days} days of demo history (once; DEMO_HISTORY_DAYS=0 leaves it out) …`);
    const counterpart = { address: people.addressOf(COUNTERPART), usdt: COUNTERPART_usdt };
    const own = OWN_MONEY.map(({ label, usdt }) => ({ address: people.addressOf(label), usdt }));
    if (progress.done === 0) await this.#options.deposit([counterpart, ...people.deposits(), ...own]);
    while (progress.done < days && progress.first_ms + (progress.done + 1) * DAY_ms <= now()) {
      await this.#live(progress);
      progress = { ...progress, done: progress.done + 1 };
      await this.#save(progress);
      if (progress.done % 10 === 0) onProgress(`  day ${progress.done} of ${days}`);
    }
    // Today has started: its leaderboard is not empty.
    await this.#options.moveClock(now());
    await this.#runDue();
    await this.#trade(days);
  }

  async #live({ first_ms, done: day }: Progress): Promise<void> {
    const { moveClock, followClock, settle, people, days } = this.#options;
    const midnight_ms = first_ms + day * DAY_ms;
    await moveClock(midnight_ms + ARRIVAL_HOUR * HOUR_ms);
    await followClock();
    await this.#runDue();
    await people.arrive(day, days - 1);
    if (day === 0) await this.#options.seasons.open(first_ms, days);
    await this.#options.campaign.live(days - 1 - day);
    if (day === days - 1) await this.#options.seasons.close();
    for (const hour of TRADING_HOURS) {
      await moveClock(midnight_ms + hour * HOUR_ms);
      await this.#trade(day);
    }
    await moveClock(midnight_ms + DAY_ms + SETTLEMENT_ms);
    await settle(dayOf(midnight_ms));
    if ((day + 1) % DAYS_PER_PAYOUT === 0) await this.#payOut(await people.admin());
  }

  /** Runs the jobs that are due after midnight. */
  async #runDue(): Promise<void> {
    for (const job of ["points-earn", "season", "bonus-expiry"]) await this.#options.runJob(job);
  }

  async #trade(day: number): Promise<void> {
    const { exchange, directory, people } = this.#options;
    const counterpart = await directory.ensure(people.addressOf(COUNTERPART));
    const trips: RoundTrip[] = [];
    for (const trader of allTraders()) {
      if (trader.from > day || !this.#isChosen(day)) continue;
      const customer = await directory.ensure(people.addressOf(trader.label));
      trips.push({ ...this.#trip(trader, exchange.engine.state.markets.length), customer, counterpart });
    }
    await tradeRoundTrips(exchange, trips);
  }

  /** Weekends have less activity, and activity grows a little with time. */
  #isChosen(day: number): boolean {
    const weekday = day % 7;
    const chance = (weekday >= 5 ? 40 : 80) + Math.min(30, day);
    return this.#byte() % 256 < chance;
  }

  #trip({ trade_usdt }: DemoTrader, markets: number): Omit<RoundTrip, "customer" | "counterpart"> {
    // Large trades use BTC and ETH only; small trades use every market.
    const choice = trade_usdt > MAX_IN_SMALL_MARKETS_usdt ? 2 : markets;
    const market = this.#byte() % Math.max(1, Math.min(choice, markets));
    const size = 0.5 + this.#byte() / 256;
    const side = this.#byte() % 2 === 0 ? BUY : SELL;
    return { market, side, value_usdt: Math.round(trade_usdt * size), isMaker: this.#byte() % 5 === 0 };
  }

  #byte(): number {
    return this.#random.bytes(1)[0] ?? 0;
  }

  async #payOut(admin: string): Promise<void> {
    const { web } = this.#options;
    const url = "/api/v1/broker/admin/rebate/payout-batches";
    const { id } = await web.call<{ id: string }>("POST", url, admin, { min_amount: "1" });
    await web.call("POST", `${url}/${id}/pay`, admin);
  }

  async #load(): Promise<Progress | undefined> {
    const { db } = this.#options;
    const row = await db.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
    return row?.value as Progress | undefined;
  }

  async #save(progress: Progress): Promise<void> {
    const { db, clock } = this.#options;
    const row = { value: JSON.stringify(progress), updated_at: new Date(clock.now()) };
    await keepClock(db, clock);
    await db
      .insertInto("kernel_state")
      .values({ key: KEY, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
  }
}
