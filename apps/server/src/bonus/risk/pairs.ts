import { BUY } from "@bourse/engine";
import { sql } from "kysely";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { BonusDb, BonusTx } from "../tables.ts";
import type { PairTrades, RiskWallet } from "./links.ts";
import { type HeldLots, oppositePercent } from "./opposite.ts";
import { Turns } from "./turns.ts";

const KEY = "bonus-risk.pairs";

/** Up to where fills have been counted. Times in the log never decrease, so the time finds the fills and the command separates them. */
interface Counted {
  readonly command_number: number;
  readonly time_ms: number;
}

/** The pairs with the most money between them that an assessment looks at. */
const MAX_PAIRS = 20_000;
/** Opposite positions are looked for where the two have traded this share of the bonus wallet's volume with each other, or more. */
const MIN_SHARE = 10n;
/** The newest fills of an account that are compared. */
const MAX_FILLS = 1_000;

/**
 * BON-12: adds the fills since the last time to what bonuses have traded with whom, up to the tables' cursor. One transaction with
 * the place it came to, so each fill counts once.
 */
export async function countPairs(tx: BonusTx, now: Date): Promise<number> {
  await lockInTransaction(tx, KEY);
  const stored = await tx.selectFrom("kernel_state").select("value").where("key", "=", KEY).executeTakeFirst();
  const from = (stored?.value as unknown as Counted | undefined) ?? { command_number: 0, time_ms: 0 };
  const { rows } = await sql<{ command_number: bigint; time_ms: bigint }>`
    select command_number, time_ms from exchange_cursor where name = 'projector'`.execute(tx);
  const upTo = { command_number: Number(rows[0]?.command_number ?? 0n), time_ms: Number(rows[0]?.time_ms ?? 0n) };
  if (upTo.command_number <= from.command_number) return 0;
  const { numAffectedRows = 0n } = await sql`
    insert into bonus_pair (bonus_account_id, other, volume_micros, off_mark_micros)
    select own.id, other.account, sum(mine.quote_micros),
      sum(case when coalesce(mine.mark_ticks, 0) = 0 then 0
        else mine.quote_micros / mine.ticks
          * greatest(0, case when mine.side = ${BUY} then mine.ticks - mine.mark_ticks else mine.mark_ticks - mine.ticks end)
        end)
    from (
      select distinct on (account) id, account, (extract(epoch from granted_at) * 1000)::bigint as granted_ms
      from bonus_account where is_credited order by account, id desc
    ) as own
    join exchange_fill as mine on mine.account = own.account and mine.time_ms >= greatest(own.granted_ms, ${from.time_ms}::bigint)
      and mine.command_number > ${from.command_number}::bigint and mine.command_number <= ${upTo.command_number}::bigint
    join exchange_fill as other on other.market = mine.market and other.trade = mine.trade and other.side <> mine.side
      and other.account <> mine.account and other.account > 0
    group by own.id, other.account
    on conflict (bonus_account_id, other) do update set
      volume_micros = bonus_pair.volume_micros + excluded.volume_micros,
      off_mark_micros = bonus_pair.off_mark_micros + excluded.off_mark_micros`.execute(tx);
  const value = JSON.stringify(upTo);
  await tx
    .insertInto("kernel_state")
    .values({ key: KEY, value, updated_at: now })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at: now }))
    .execute();
  return Number(numAffectedRows);
}

export interface PairRow {
  readonly account: number;
  readonly other: number;
  readonly address: string;
  readonly granted_ms: bigint;
  readonly grant_micros: bigint;
  readonly volume_micros: bigint;
  readonly total_micros: bigint;
  readonly off_mark_micros: bigint;
}

/** What these wallets' newest bonuses have traded with whom, the most money first. */
export async function readPairs(db: BonusDb, wallets: readonly RiskWallet[]): Promise<readonly PairRow[]> {
  const { rows } = await sql<PairRow>`
    select own.account, pair.other, account.address, (extract(epoch from own.granted_at) * 1000)::bigint as granted_ms,
      own.amount_micros as grant_micros, pair.volume_micros, pair.off_mark_micros,
      (sum(pair.volume_micros) over (partition by own.id))::bigint as total_micros
    from (
      select distinct on (account) id, account, granted_at, amount_micros from bonus_account
      where account = any(${wallets.map(({ account }) => account)}::int[]) and is_credited order by account, id desc
    ) as own
    join bonus_pair as pair on pair.bonus_account_id = own.id
    join exchange_account as account on account.account = pair.other
    order by pair.off_mark_micros desc, pair.volume_micros desc, own.account, pair.other limit ${MAX_PAIRS}`.execute(
    db,
  );
  return rows;
}

/** The wallets that have traded with bonus wallets and had no bonus themselves. */
export function counterparties(wallets: readonly RiskWallet[], pairs: readonly PairRow[]): RiskWallet[] {
  const known = new Set(wallets.map(({ account }) => account));
  const found = new Map<number, RiskWallet>();
  for (const { other, address, granted_ms } of pairs) {
    if (known.has(other)) continue;
    const earliest_ms = Math.min(found.get(other)?.granted_ms ?? Number.POSITIVE_INFINITY, Number(granted_ms));
    found.set(other, { address, account: other, status: "none", granted_ms: earliest_ms });
  }
  return [...found.values()];
}

/** The pairs as the search for links takes them, with their wallets' indexes. */
export async function tradesOf(
  db: BonusDb,
  wallets: readonly RiskWallet[],
  pairs: readonly PairRow[],
  { makers, now_ms }: { readonly makers: ReadonlySet<string>; readonly now_ms: number },
): Promise<PairTrades[]> {
  const places = new Map(wallets.map(({ account }, place) => [account, place]));
  const close = pairs.filter(({ volume_micros, total_micros }) => MIN_SHARE * volume_micros >= total_micros);
  const held = await readHeldLots(db, wallets, close);
  const turns = new Turns();
  const found: PairTrades[] = [];
  for (const pair of pairs) {
    const [bonus, other] = [places.get(pair.account), places.get(pair.other)];
    if (bonus === undefined || other === undefined) continue;
    if (turns.isOver) await turns.next();
    const [own, others] = [held.get(pair.account), held.get(pair.other)];
    const isClose = MIN_SHARE * pair.volume_micros >= pair.total_micros;
    const opposite_percent =
      isClose && own !== undefined && others !== undefined
        ? oppositePercent(own, others, { from_ms: Number(pair.granted_ms), to_ms: now_ms })
        : 0;
    const { grant_micros, volume_micros, total_micros, off_mark_micros } = pair;
    const isWithMaker = makers.has(pair.address);
    found.push({
      bonus,
      other,
      grant_micros,
      volume_micros,
      total_micros,
      off_mark_micros,
      isWithMaker,
      opposite_percent,
    });
  }
  return found;
}

/** The positions of these pairs' accounts after each of their newest fills, oldest first. */
async function readHeldLots(
  db: BonusDb,
  wallets: readonly RiskWallet[],
  pairs: readonly PairRow[],
): Promise<ReadonlyMap<number, readonly HeldLots[]>> {
  const since = new Map(wallets.map(({ account, granted_ms }) => [account, granted_ms]));
  const accounts = [...new Set(pairs.flatMap(({ account, other }) => [account, other]))];
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<{ account: number; market: number; position_lots: bigint; time_ms: bigint }>`
    select own.account, fill.market, fill.position_lots, fill.time_ms
    from unnest(${accounts}::int[], ${accounts.map((account) => BigInt(since.get(account) ?? 0))}::bigint[]) as own (account, since_ms)
    cross join lateral (
      select market, position_lots, time_ms, trade from exchange_fill
      where account = own.account and time_ms >= own.since_ms order by time_ms desc, trade desc limit ${MAX_FILLS}
    ) as fill
    order by own.account, fill.time_ms, fill.trade`.execute(db);
  const held = new Map<number, HeldLots[]>();
  for (const { account, market, position_lots, time_ms } of rows) {
    const lots = { market, lots: Number(position_lots), time_ms: Number(time_ms) };
    const known = held.get(account);
    if (known === undefined) held.set(account, [lots]);
    else known.push(lots);
  }
  return held;
}
