import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Position } from "../../kernel/page-cursor.ts";
import { type Page, type PageRequest, pageOf, selectAfter } from "../../kernel/pages.ts";
import { ascending, limitWithin, openWindow, type TimeWindow } from "../../kernel/windows.ts";
import type { RiskEventRow } from "../projector/tables.ts";
import type { HistoryParts } from "./order-history.ts";

/** INV-11: two accounts, and the money that moved between them by fills far from the mark. */
export interface PairTransfer {
  readonly account: number;
  readonly counterparty: number;
  /** From `account` to `counterparty`, and the reverse. */
  readonly given_micros: bigint;
  readonly taken_micros: bigint;
  /** Everything that the pair traded. */
  readonly quote_micros: bigint;
}

/** INV-11: from this on a pair is listed, if it is one part in a hundred of its volume; from the other on it is an alarm. */
export const LISTED_micros = 100_000_000n;
export const ALARM_micros = 1_000_000_000n;
const MIN_SHARE = 100;
const WATCHED_hours = 24;

/** A position that was closed against its owner's will. */
export interface ForcedClose {
  readonly market: number;
  readonly side: number;
  readonly lots: number;
  readonly ticks: number;
  readonly time_ms: number;
}

export interface ForcedClosesQuery extends TimeWindow {
  readonly market?: number | undefined;
  readonly limit?: number | undefined;
}

const EVENT_ORDER = { command_number: "bigint", event_index: "integer" } as const;
/** The record is never pruned: a count of all of it would take ever longer. */
const MAX_COUNTED = 10_000;

/** The first of the hours that are watched: 24 whole ones and the running one. */
export const watchedFrom = (now_ms: number): number => Math.floor(now_ms / HOUR_ms) - WATCHED_hours;

/** INV-11: what a pair has traded with each other in the book. Both fills of a trade have its time. */
const volumeOfSuspect = (from_ms: number) => sql`
  select sum(own.quote_micros)
  from exchange_fill as own
  join exchange_fill as other on other.market = own.market and other.trade = own.trade
    and other.side = 1 - own.side and other.time_ms = own.time_ms
  where own.account = suspects.account and own.time_ms >= ${from_ms} and other.account = suspects.counterparty
    and own.mark_ticks is not null and own.cause not in ('takeover', 'adl')`;

/** FUT-24, INV-11: the public record, and what pairs of accounts gave each other. */
export class RiskHistory {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** A market's record, oldest first unless it is asked for from its end. */
  async events(
    market: number,
    request: PageRequest & { readonly isDescending?: boolean },
  ): Promise<Page<RiskEventRow>> {
    const { db, cursors, projector } = this.#parts;
    const { isDescending = false } = request;
    await projector.waitForAll();
    const all = db.selectFrom("exchange_risk_event").selectAll().where("market", "=", market);
    return await pageOf(cursors, request, {
      name: ["risk-events", market, ...(isDescending ? ["desc"] : [])],
      read: async (after, limit) => {
        const rows = await selectAfter(all, EVENT_ORDER, after, isDescending).limit(limit).execute();
        return rows.map(plain) as RiskEventRow[];
      },
      count: async () => {
        const { rows } = await sql<{ count: bigint }>`
          select count(*) as count
          from (select from exchange_risk_event where market = ${market} limit ${MAX_COUNTED}) as counted`.execute(db);
        return Number(rows[0]?.count ?? 0);
      },
      positionOf: ({ command_number, event_index }) => [command_number, event_index],
    });
  }

  /** FUT-24: liquidations, by orders and by take-overs, of one market or of all, oldest first; without a start the latest. */
  async forcedCloses(query: ForcedClosesQuery): Promise<ForcedClose[]> {
    await this.#parts.projector.waitForAll();
    const window = openWindow(query);
    const direction = window.isFromStart ? "asc" : "desc";
    let select = this.#parts.db
      .selectFrom("exchange_risk_event")
      .select(["market", "side", "lots", "ticks", "time_ms"])
      // As the index has it.
      .where(sql<boolean>`kind in ('liquidation', 'takeover')`)
      .where("time_ms", ">=", BigInt(window.from_ms))
      .where("time_ms", "<=", BigInt(window.to_ms))
      .orderBy("time_ms", direction)
      .orderBy("command_number", direction)
      .orderBy("event_index", direction)
      .limit(limitWithin(query.limit, 100, 1000));
    if (query.market !== undefined) select = select.where("market", "=", query.market);
    const closes = (await select.execute()).map(({ market, side, lots, ticks, time_ms }) => ({
      market,
      side: Number(side),
      lots: Number(lots),
      ticks: Number(ticks),
      time_ms: Number(time_ms),
    }));
    return ascending(closes, window.isFromStart);
  }

  /** When each market last reached its cap. */
  async lastCapped(markets: readonly number[]): Promise<Map<number, number>> {
    const { rows } = await sql<{ market: number; time_ms: bigint | null }>`
      select market, (
        select time_ms from exchange_risk_event as e where e.market = m.market and kind = 'fund_capped'
        order by command_number desc, event_index desc limit 1) as time_ms
      from unnest(${markets}::int[]) as m (market)`.execute(this.#parts.db);
    return new Map(
      rows.flatMap(({ market, time_ms }) => (time_ms === null ? [] : [[market, Number(time_ms)] as const])),
    );
  }

  /** INV-11: the pairs that are listed, those with the most money first. */
  async transfers(request: PageRequest): Promise<Page<PairTransfer>> {
    const { cursors, clock, projector } = this.#parts;
    await projector.waitForAll();
    const from_hour = watchedFrom(clock.now());
    return await pageOf(cursors, request, {
      name: ["unfair-transfers"],
      read: (after, limit) => this.listedPairs(from_hour, limit, after),
      count: async () => (await this.listedPairs(from_hour, MAX_COUNTED)).length,
      positionOf: (pair) => [String(movedOf(pair)), pair.account, pair.counterparty],
    });
  }

  /**
   * Reads the hours of pairs between whom money moved. Volume comes from the fills, and only of pairs that moved enough and whose
   * trades far from the mark are not too much volume by themselves: few, where nobody gives money away.
   */
  async listedPairs(from_hour: number, limit: number, after?: Position): Promise<PairTransfer[]> {
    const [moved = "0", account = 0, counterparty = 0] = after ?? [];
    const isBehind =
      after === undefined
        ? sql`true`
        : sql`(-moved, account, counterparty) > (-${moved}::numeric, ${account}::int, ${counterparty}::int)`;
    const { rows } = await sql<
      Record<"given" | "taken" | "quote", string> & Record<"account" | "counterparty", number>
    >`
      with pairs as (
        select account, counterparty, sum(given_micros) as given, sum(taken_micros) as taken,
          sum(quote_micros) as far_quote, greatest(sum(given_micros), sum(taken_micros)) as moved
        from exchange_pair_hour
        where hour >= ${from_hour} and (given_micros > 0 or taken_micros > 0) group by account, counterparty),
      suspects as materialized (
        select * from pairs
        where moved >= ${LISTED_micros} and moved * ${MIN_SHARE} >= far_quote and ${isBehind}),
      sums as (
        select suspects.*, greatest(far_quote, (${volumeOfSuspect(from_hour * HOUR_ms)})) as quote from suspects)
      select account, counterparty, given, taken, quote from sums
      where moved * ${MIN_SHARE} >= quote
      order by -moved, account, counterparty limit ${limit}`.execute(this.#parts.db);
    return rows.map(({ given, taken, quote, ...pair }) => ({
      ...pair,
      given_micros: BigInt(given),
      taken_micros: BigInt(taken),
      quote_micros: BigInt(quote),
    }));
  }
}

/** The money in the direction in which there was more of it. */
export const movedOf = ({ given_micros, taken_micros }: PairTransfer): bigint =>
  given_micros > taken_micros ? given_micros : taken_micros;
