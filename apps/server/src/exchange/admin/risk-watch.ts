import type { FundReport, UnfairTransfer, UnfairTransfers } from "@bourse/api";
import {
  dailyBrake,
  type Engine,
  type FundMarketFigures,
  type MarketState,
  readFund,
  readFundIn,
} from "@bourse/engine";
import { sql } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import { type PageRequest, pageReply, wholeReply } from "../../kernel/pages.ts";
import { decimalText, moneyText, quantityText } from "../../kernel/units.ts";
import { marketInfo } from "../account/markets.ts";
import { ALARM_micros, movedOf, type PairTransfer, type RiskHistory, watchedFrom } from "../history/risk-history.ts";
import type { Finding } from "./invariants.ts";

export interface RiskWatchOptions {
  readonly database: Pick<Database, "db">;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly history: Pick<RiskHistory, "lastCapped" | "transfers" | "listedPairs">;
  readonly log: Pick<Log, "error" | "info">;
  readonly addressOf: (account: number) => string | undefined;
}

const PAIRS_KEPT_hours = 7 * 24;
/** The most pairs that a check reads; more are an alarm anyhow. */
const MAX_PAIRS = 1_000;
const SHARE_DIGITS = 4;
const USDT_micros = 1_000_000;

const isoOrNull = (time_ms: number | null | undefined) =>
  time_ms === null || time_ms === undefined ? null : new Date(time_ms).toISOString();

/** The value of the fund's position at the index, without sign. */
const inventoryValue = (lots: number, { indexTicks, definition }: MarketState) =>
  Math.abs(lots) * indexTicks * definition.unit_micros;

/** INV-10 and INV-11: the fund's losses and unfair transfers, watched by a job, shown to operators and as metrics. */
export class RiskWatch {
  readonly #options: RiskWatchOptions;
  /** By code, as the last check found it. */
  readonly #last = new Map<string, boolean>();
  #pairs = { listed: 0, alarms: 0 };

  constructor(options: RiskWatchOptions) {
    this.#options = options;
  }

  /** INV-10: no market at its cap, and the fund not far below its highest worth. */
  judgeFund(): Finding {
    const { state } = this.#options.engine;
    if (!state.isFair) return { ok: null, detail: `rules version ${state.rulesVersion} caps nothing` };
    const { equity_micros, highest_micros } = readFund(state);
    const problems: string[] = [];
    if (highest_micros - equity_micros >= dailyBrake(highest_micros)) {
      problems.push(`the fund is worth ${moneyText(equity_micros)} of ${moneyText(highest_micros)} USDT in 24 hours`);
    }
    for (const market of state.markets) {
      const figures = readFundIn(state, market);
      if (isRed(figures)) problems.push(`${market.definition.symbol}: ${capText(figures)}`);
    }
    if (problems.length > 0) return { ok: false, detail: problems.join("; ") };
    return { ok: true, detail: `the fund is worth ${moneyText(equity_micros)} USDT, no market is at its cap` };
  }

  /** INV-11: no pair of accounts moved much money by fills far from the mark. */
  async judgeTransfers(): Promise<Finding> {
    const { engine, clock, history } = this.#options;
    if (!engine.state.isFair) return { ok: null, detail: "fills carry the mark from rules version 5 on" };
    const pairs = await history.listedPairs(watchedFrom(clock.now()), MAX_PAIRS);
    const alarms = pairs.filter((pair) => movedOf(pair) >= ALARM_micros);
    this.#pairs = { listed: pairs.length, alarms: alarms.length };
    const [largest] = pairs;
    if (largest === undefined) return { ok: true, detail: "no pair is listed" };
    const most = `accounts ${largest.account} and ${largest.counterparty} with ${moneyText(movedOf(largest))} USDT`;
    return {
      ok: alarms.length === 0,
      detail: `${pairs.length} pairs are listed, ${alarms.length} alarm; most: ${most}`,
    };
  }

  async fundReport(): Promise<FundReport> {
    const { engine, history } = this.#options;
    const { state } = engine;
    const fund = readFund(state);
    const capped = await history.lastCapped(state.markets.map(({ number }) => number));
    const items = state.markets.map((market) => {
      const { definition, number } = market;
      const figures = readFundIn(state, market);
      return {
        symbol: definition.symbol,
        status: marketInfo(market).status,
        outflow: moneyText(figures.outflow_micros),
        cap: moneyText(figures.cap_micros),
        inventory: quantityText(definition, figures.lots),
        inventory_value: moneyText(inventoryValue(figures.lots, market)),
        inventory_limit: quantityText(definition, figures.limitLots),
        inventory_since: isoOrNull(figures.since_ms),
        capped: figures.isCapped,
        capped_since: figures.isCapped ? isoOrNull(capped.get(number)) : null,
        capped_until: isoOrNull(figures.cappedUntil_ms),
      };
    });
    return {
      rules_version: state.rulesVersion,
      principal: moneyText(fund.principal_micros),
      equity: moneyText(fund.equity_micros),
      highest_24h: moneyText(fund.highest_micros),
      outflow: moneyText(fund.outflow_micros),
      ...wholeReply(items),
    };
  }

  async transfers(request: PageRequest): Promise<UnfairTransfers> {
    const { clock, history } = this.#options;
    const since = new Date(watchedFrom(clock.now()) * HOUR_ms).toISOString();
    return { since, ...pageReply(await history.transfers(request), (pair) => this.#transferView(pair)) };
  }

  #transferView(pair: PairTransfer): UnfairTransfer {
    const { addressOf } = this.#options;
    const { account, counterparty, given_micros, taken_micros, quote_micros } = pair;
    const [from, to] = given_micros >= taken_micros ? [account, counterparty] : [counterparty, account];
    const moved = movedOf(pair);
    return {
      from_account: from,
      from_wallet: addressOf(from) ?? null,
      to_account: to,
      to_wallet: addressOf(to) ?? null,
      moved: moneyText(moved),
      moved_back: moneyText(given_micros < taken_micros ? given_micros : taken_micros),
      volume: moneyText(quote_micros),
      share: decimalText((moved * 10n ** BigInt(SHARE_DIGITS)) / quote_micros, SHARE_DIGITS, SHARE_DIGITS),
      alarm: moved >= ALARM_micros,
    };
  }

  /** Every minute. An alarm is one line of the log when it begins, and one when it ends. */
  job(): JobDefinition {
    return {
      name: "risk-watch",
      schedule: "* * * * *",
      missed: "latest",
      isRepeatable: true,
      run: async ({ due_ms }) => {
        const findings = { "INV-10": this.judgeFund(), "INV-11": await this.judgeTransfers() };
        for (const [code, finding] of Object.entries(findings)) this.#tell(code, finding);
        const { numAffectedRows = 0n } = await sql`
          delete from exchange_pair_hour
          where hour < ${Math.floor(due_ms / HOUR_ms) - PAIRS_KEPT_hours}`.execute(this.#options.database.db);
        return { ...findings, pair_hours_removed: Number(numAffectedRows) };
      },
    };
  }

  #tell(code: string, { ok, detail }: Finding): void {
    const was = this.#last.get(code) ?? true;
    if (ok === null) return;
    this.#last.set(code, ok);
    if (was && !ok) this.#options.log.error({ code, detail }, `${code} is violated: ${detail}`);
    if (!was && ok) this.#options.log.info({ code, detail }, `${code} holds again: ${detail}`);
  }

  watch(metrics: Metrics): void {
    const { state } = this.#options.engine;
    const perMarket = (name: string, help: string, read: (figures: FundMarketFigures, market: MarketState) => number) =>
      metrics.gauges(name, help, ["symbol"], () =>
        state.markets.map((market) => ({
          labels: { symbol: market.definition.symbol },
          value: read(readFundIn(state, market), market),
        })),
      );
    metrics.gauge("bourse_fund_equity_usdt", "The fund's principal and positions at the index", () => {
      return readFund(state).equity_micros / USDT_micros;
    });
    metrics.gauge("bourse_fund_highest_usdt", "The fund's highest equity of 24 hours", () => {
      return readFund(state).highest_micros / USDT_micros;
    });
    perMarket("bourse_fund_outflow_usdt", "What the fund has lost in the market in this hour", (figures) => {
      return figures.outflow_micros / USDT_micros;
    });
    perMarket("bourse_fund_outflow_cap_usdt", "What it may lose there in an hour", (figures) => {
      return figures.cap_micros / USDT_micros;
    });
    perMarket("bourse_fund_inventory_usdt", "The fund's position at the index, without sign", ({ lots }, market) => {
      return inventoryValue(lots, market) / USDT_micros;
    });
    perMarket("bourse_fund_capped", "1 while the fund's cap holds the market", ({ isCapped }) => (isCapped ? 1 : 0));
    metrics.gauge("bourse_unfair_transfer_pairs", "Pairs of accounts listed for transfers far from the mark", () => {
      return this.#pairs.listed;
    });
    metrics.gauge("bourse_unfair_transfer_alarms", "Those of them with 1,000 USDT or more", () => this.#pairs.alarms);
    metrics.gauges("bourse_invariant_ok", "1 if the last check passed, 0 if not", ["code"], () =>
      [...this.#last].map(([code, ok]) => ({ labels: { code }, value: ok ? 1 : 0 })),
    );
  }
}

const isRed = ({ isCapped, outflow_micros, cap_micros }: FundMarketFigures): boolean =>
  isCapped || (outflow_micros > 0 && outflow_micros >= cap_micros);

const capText = ({ outflow_micros, cap_micros, isCapped }: FundMarketFigures): string =>
  `${moneyText(outflow_micros)} of ${moneyText(cap_micros)} USDT lost in this hour${isCapped ? ", capped" : ""}`;
