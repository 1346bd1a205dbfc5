import { BUY, type EventOf } from "@bourse/engine";
import { sql } from "kysely";
import type { Applied } from "../exchange/index.ts";
import type { Tx } from "../kernel/database/database.ts";
import { DAY_ms, HOUR_ms } from "../kernel/dates.ts";
import { moneyText } from "../kernel/units.ts";
import { setHolds } from "./holds.ts";

/** VLT-4: from this much against the mark on. */
const OFF_MARK_micros = 100_000_000n;

/** An account whose position went to the fund or to the other side because it could not go on. */
interface Bankruptcy {
  readonly account: number;
  readonly market: number;
  readonly time_ms: number;
}

const NOBODY: readonly Bankruptcy[] = [];

/**
 * The bankrupt of a command: whoever the fund took over from, and whoever stood on the other side of those that were deleveraged
 * for a bankrupt. The fund itself is no account.
 */
function bankruptciesOf({ events, time_ms }: Applied): readonly Bankruptcy[] {
  const isForced = (event: Applied["events"][number]) =>
    event.kind === "fill" && (event.cause === "takeover" || event.cause === "adl");
  if (!events.some(isForced)) return NOBODY;
  const found: Bankruptcy[] = [];
  const reduced = new Set<number>();
  for (const event of events) if (event.kind === "adl" && event.reason === "bankrupt") reduced.add(event.account);
  for (const event of events) {
    if (event.kind !== "fill" || event.account <= 0) continue;
    const { account, market, cause } = event;
    const isLoser = cause === "takeover" || (cause === "adl" && reduced.size > 0 && !reduced.has(account));
    if (isLoser) found.push({ account, market, time_ms });
  }
  return found;
}

async function noteBankruptcies(tx: Tx, found: readonly Bankruptcy[]): Promise<void> {
  if (found.length === 0) return;
  await sql`
    insert into wallet_bankruptcy (market, account, time_ms)
    select market, account, max(time_ms)
    from unnest(${found.map(({ market }) => market)}::int[], ${found.map(({ account }) => account)}::int[],
      ${found.map(({ time_ms }) => time_ms)}::bigint[]) as one (market, account, time_ms)
    group by market, account
    on conflict (market, account) do update set time_ms = excluded.time_ms`.execute(tx);
}

interface Winner {
  readonly account: number;
  readonly bankrupt: number;
  readonly volume_micros: bigint;
  readonly off_mark_micros: bigint;
  readonly gain_micros: bigint;
}

/**
 * VLT-4: who traded directly with a bankrupt account of the market in the hour before, for half of its volume or more or for
 * 100 USDT against the mark or more, and has gained there in that hour.
 */
async function winnersOf(tx: Tx, market: number, { number, time_ms }: Applied): Promise<readonly Winner[]> {
  const since_ms = time_ms - HOUR_ms;
  const { rows } = await sql<Winner>`
    with trades as (
      select mine.account as bankrupt, other.account, sum(mine.quote_micros) as volume,
        sum(case when coalesce(mine.mark_ticks, 0) = 0 then 0
          else mine.quote_micros / mine.ticks
            * greatest(0, case when mine.side = ${BUY} then mine.ticks - mine.mark_ticks else mine.mark_ticks - mine.ticks end)
          end) as off_mark
      from wallet_bankruptcy as bankrupt
      join exchange_fill as mine on mine.account = bankrupt.account and mine.market = bankrupt.market
        and mine.time_ms >= ${since_ms}::bigint and mine.command_number <= ${number}::bigint
        and mine.cause in ('trade', 'liquidation')
      join exchange_fill as other on other.market = mine.market and other.trade = mine.trade and other.side <> mine.side
        and other.account > 0 and other.account <> mine.account
      where bankrupt.market = ${market}::int and bankrupt.time_ms >= ${since_ms}::bigint
      group by mine.account, other.account
    ), shares as (
      select *, sum(volume) over (partition by bankrupt) as total from trades
    ), close as (
      select distinct on (account) * from shares
      where 2 * volume >= total or off_mark >= ${OFF_MARK_micros}::bigint
      order by account, off_mark desc, volume desc
    )
    select close.account, close.bankrupt, close.volume::bigint as volume_micros, close.off_mark::bigint as off_mark_micros,
      gain.micros as gain_micros
    from close cross join lateral (
      select coalesce(sum(realised_micros), 0)::bigint as micros from exchange_fill
      where account = close.account and market = ${market}::int and time_ms >= ${since_ms}::bigint
        and command_number <= ${number}::bigint
    ) as gain
    where gain.micros > 0`.execute(tx);
  return rows;
}

async function holdWinners(tx: Tx, { market, outflow_micros }: EventOf<"fund_capped">, at: Applied): Promise<void> {
  const outflow = BigInt(Math.max(0, outflow_micros));
  const winners = await winnersOf(tx, market, at);
  const holds = winners.flatMap(({ account, bankrupt, volume_micros, off_mark_micros, gain_micros }) => {
    const amount_micros = gain_micros < outflow ? gain_micros : outflow;
    if (amount_micros === 0n) return [];
    const figures = `${moneyText(volume_micros)} USDT traded, ${moneyText(off_mark_micros)} against the mark`;
    const ref = `fund-capped:${at.number}:${market}:${account}`;
    return [{ ref, account, amount_micros, note: `market ${market}, bankrupt account ${bankrupt}: ${figures}` }];
  });
  const set_at = new Date(at.time_ms);
  const ends_at = new Date(at.time_ms + DAY_ms);
  await setHolds(tx, holds, { reason: "fund_capped", wait_ms: DAY_ms, set_at, ends_at });
}

/** VLT-4: notes who went bankrupt, and holds the gains of those who traded with them when the fund has lost too much in a market. */
export async function projectFundHolds(tx: Tx, applied: readonly Applied[]): Promise<void> {
  let found: Bankruptcy[] = [];
  for (const command of applied) {
    found.push(...bankruptciesOf(command));
    for (const event of command.events) {
      if (event.kind !== "fund_capped" || event.market < 0) continue;
      await noteBankruptcies(tx, found);
      found = [];
      await holdWinners(tx, event, command);
    }
  }
  await noteBankruptcies(tx, found);
}
