import { setImmediate as nextTurn } from "node:timers/promises";
import { type Engine, FUND_ACCOUNT } from "@bourse/engine";
import { equityOf } from "../history/jobs.ts";
import type { SampleRow } from "./tables.ts";

/** One trader of so many is among those with the highest margin balance. */
const TOP_PART = 5;
const ACCOUNTS_AT_ONCE = 5_000;

type State = Engine["state"];
type Market = State["markets"][number];

/** Samples all markets. Reads memory in parts, so that trading is not blocked; each market is read at one moment. */
export async function sampleMarkets(engine: Engine, time_ms: number): Promise<SampleRow[]> {
  const top = await topTraders(engine, time_ms);
  const rows: SampleRow[] = [];
  for (const market of engine.state.markets) {
    // Before the first price nothing can have been traded.
    if (market.markTicks > 0) rows.push({ ...figuresOf(market, time_ms), ...sidesOf(engine.state, market, top) });
    await nextTurn();
  }
  return rows;
}

const figuresOf = ({ number, openInterestLots, markTicks, indexTicks, lastTicks }: Market, time_ms: number) => ({
  market: number,
  time_ms,
  open_interest_lots: openInterestLots,
  mark_ticks: markTicks,
  index_ticks: indexTicks,
  last_ticks: lastTicks,
});

/** Who is long and who is short. */
function sidesOf({ positions }: State, market: Market, top: ReadonlySet<number>) {
  const sides = {
    long_accounts: 0,
    short_accounts: 0,
    top_long_accounts: 0,
    top_short_accounts: 0,
    top_long_lots: 0,
    top_short_lots: 0,
  };
  for (const position of market.positions) {
    const lots = positions.lots(position);
    const account = positions.account(position);
    if (lots === 0 || account === FUND_ACCOUNT) continue;
    const side = lots > 0 ? "long" : "short";
    sides[`${side}_accounts`] += 1;
    if (!top.has(account)) continue;
    sides[`top_${side}_accounts`] += 1;
    sides[`top_${side}_lots`] += Math.abs(lots);
  }
  return sides;
}

/** The accounts with the highest margin balance, of those that have a position; of equal ones those with lower numbers. */
async function topTraders(engine: Engine, time_ms: number): Promise<ReadonlySet<number>> {
  const traders: { readonly account: number; readonly balance_micros: number }[] = [];
  for (let from = FUND_ACCOUNT + 1; from <= engine.state.accounts.count; from += ACCOUNTS_AT_ONCE) {
    const end = Math.min(from + ACCOUNTS_AT_ONCE, engine.state.accounts.count + 1);
    for (let account = from; account < end; account += 1) {
      if (hasPosition(engine.state, account))
        traders.push({ account, balance_micros: balanceOf(engine, account, time_ms) });
    }
    await nextTurn();
  }
  traders.sort((a, b) => b.balance_micros - a.balance_micros || a.account - b.account);
  return new Set(traders.slice(0, Math.ceil(traders.length / TOP_PART)).map(({ account }) => account));
}

function hasPosition({ accounts, positions }: State, account: number): boolean {
  for (let at = accounts.firstPosition(account); at !== 0; at = positions.next(at)) {
    if (positions.lots(at) !== 0) return true;
  }
  return false;
}

function balanceOf(engine: Engine, account: number, time_ms: number): number {
  const equity = equityOf(engine, account, time_ms);
  return equity === undefined ? 0 : equity.principal_micros + equity.bonus_micros + equity.unrealised_micros;
}
