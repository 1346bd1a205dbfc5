import { sql } from "kysely";
import { plain } from "../../kernel/database/plain-rows.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Position } from "../../kernel/page-cursor.ts";
import { type Page, type PageRequest, pageOf, selectAfter } from "../../kernel/pages.ts";
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

const EVENT_ORDER = { command_number: "bigint", event_index: "integer" } as const;
/** The record is never pruned: a count of all of it would take ever longer. */
const MAX_COUNTED = 10_000;

/** The first of the hours that are watched: 24 whole ones and the running one. */
export const watchedFrom = (now_ms: number): number => Math.floor(now_ms / HOUR_ms) - WATCHED_hours;

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

  /** Reads the hours of pairs between whom money moved, not fills. */
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
        select distinct account, counterparty from exchange_pair_hour
        where hour >= ${from_hour} and (given_micros > 0 or taken_micros > 0)),
      sums as (
        select account, counterparty, sum(given_micros) as given, sum(taken_micros) as taken,
          sum(quote_micros) as quote, greatest(sum(given_micros), sum(taken_micros)) as moved
        from pairs join exchange_pair_hour using (account, counterparty)
        where hour >= ${from_hour} group by account, counterparty)
      select account, counterparty, given, taken, quote from sums
      where moved >= ${LISTED_micros} and moved * ${MIN_SHARE} >= quote and ${isBehind}
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
