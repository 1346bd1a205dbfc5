import { BUY, SELL } from "@bourse/engine";
import { sql } from "kysely";
import type { BonusDb } from "../tables.ts";
import type { Activity } from "./activity.ts";
import type { RiskWallet } from "./links.ts";

/** The number of newest orders per wallet that are compared; its newest fills determine them. */
const MAX_ORDERS = 100;
const MAX_FILLS = 1_000;
/** Wallets per statement: other queries wait for the embedded database meanwhile. */
const WALLETS_PER_STATEMENT = 100;

interface OrderRow {
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly lots: bigint;
  readonly time_ms: bigint;
}

async function inParts<One, Row>(all: readonly One[], read: (part: readonly One[]) => Promise<readonly Row[]>) {
  const rows: Row[] = [];
  for (let at = 0; at < all.length; at += WALLETS_PER_STATEMENT) {
    rows.push(...(await read(all.slice(at, at + WALLETS_PER_STATEMENT))));
  }
  return rows;
}

const sinceGrant = (wallets: readonly RiskWallet[]) => sql`
  unnest(${wallets.map(({ account }) => account)}::int[],
    ${wallets.map(({ granted_ms }) => BigInt(granted_ms))}::bigint[]) as wallet (account, since_ms)`;

/** Orders filled since the wallet's grant: the time of the first fill and the sum of all fills. */
export async function readOrders(db: BonusDb, wallets: readonly RiskWallet[]): Promise<Activity[]> {
  const places = new Map(wallets.map(({ account }, place) => [account, place]));
  const rows = await inParts(wallets, async (part) => {
    const { rows } = await sql<OrderRow>`
      select wallet.account, orders.market, orders.side, orders.lots, orders.time_ms
      from ${sinceGrant(part)} cross join lateral (
        select order_id, market, side, sum(lots)::bigint as lots, min(time_ms) as time_ms from (
          select order_id, market, side, lots, time_ms from exchange_fill
          where account = wallet.account and time_ms >= wallet.since_ms and order_id > 0 and cause = 'trade'
          order by time_ms desc limit ${MAX_FILLS}
        ) as fills
        group by order_id, market, side order by min(time_ms) desc limit ${MAX_ORDERS}
      ) as orders`.execute(db);
    return rows;
  });
  return rows.map(({ account, market, side, lots, time_ms }) => ({
    wallet: places.get(account)!,
    market,
    side,
    lots: Number(lots),
    time_ms: Number(time_ms),
  }));
}

/** The realised profit and loss of each wallet since its grant, by the wallet's index; without fees and funding. */
export async function readRealised(db: BonusDb, wallets: readonly RiskWallet[]): Promise<bigint[]> {
  const rows = await inParts(wallets, async (part) => {
    const { rows } = await sql<{ account: number; realised_micros: bigint }>`
      select wallet.account, sum(fill.realised_micros)::bigint as realised_micros
      from ${sinceGrant(part)}
      join exchange_fill as fill on fill.account = wallet.account and fill.time_ms >= wallet.since_ms
      group by wallet.account`.execute(db);
    return rows;
  });
  const realised = new Map(rows.map(({ account, realised_micros }) => [account, realised_micros]));
  return wallets.map(({ account }) => realised.get(account) ?? 0n);
}

/** A wallet's current position. */
export interface Holding {
  readonly wallet: number;
  readonly account: number;
  readonly market: number;
  /** Negative for a short position. */
  readonly lots: number;
}

interface OpenedRow {
  readonly account: number;
  readonly market: number;
  readonly opened_ms: bigint | null;
}

/** Positions with their opening time: the first fill after the position was last flat or on the other side. */
export async function readOpenings(db: BonusDb, holdings: readonly Holding[]): Promise<Activity[]> {
  const rows = await inParts(holdings, async (part) => {
    const accounts = part.map(({ account }) => account);
    const markets = part.map(({ market }) => market);
    const signs = part.map(({ lots }) => Math.sign(lots));
    const { rows } = await sql<OpenedRow>`
      select held.account, held.market, (
        select min(fill.time_ms) from exchange_fill as fill
        where fill.account = held.account and fill.market = held.market
          and fill.time_ms >= coalesce(before.time_ms, 0) and fill.trade > coalesce(before.trade, 0)
      ) as opened_ms
      from unnest(${accounts}::int[], ${markets}::int[], ${signs}::int[]) as held (account, market, sign)
      left join lateral (
        select time_ms, trade from exchange_fill as fill
        where fill.account = held.account and fill.market = held.market and sign(fill.position_lots) <> held.sign
        order by fill.time_ms desc, fill.trade desc limit 1
      ) as before on true`.execute(db);
    return rows;
  });
  const opened = new Map(rows.map(({ account, market, opened_ms }) => [`${account}:${market}`, opened_ms]));
  return holdings.flatMap(({ wallet, account, market, lots }) => {
    const opened_ms = opened.get(`${account}:${market}`) ?? null;
    if (opened_ms === null) return [];
    return [{ wallet, market, side: lots > 0 ? BUY : SELL, lots: Math.abs(lots), time_ms: Number(opened_ms) }];
  });
}
