import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { moneyText } from "../../kernel/units.ts";
import { netOutflow_micros, type PoolState, readPool } from "../pool.ts";
import { type BonusTx, bonusTx } from "../tables.ts";
import type { EngineShadow } from "./shadow.ts";

/** An account whose ledger and shadow differ. */
export interface Mismatch {
  readonly account: number;
  /** Granted minus returned, by the pool's ledger. */
  readonly ledger_micros: bigint;
  /** Held plus consumed, by the engine. */
  readonly shadow_micros: bigint;
}

/** A grant that the engine had not received. */
export interface FlyingGrant {
  readonly address: string;
  readonly amount_micros: bigint;
  readonly time_ms: bigint;
}

/** The pool's ledger and the shadow, as of one command of the engine. */
export interface Books {
  readonly command_number: number;
  readonly ledger_micros: bigint;
  readonly shadow_micros: bigint;
  /** The largest difference first. */
  readonly mismatches: readonly Mismatch[];
  readonly inFlight: { readonly count: number; readonly total_micros: bigint; readonly grants: readonly FlyingGrant[] };
  readonly pool: PoolState;
  /** The sums of the pool's lines, grants in flight included. */
  readonly lines: Pick<PoolState, "granted_micros" | "returned_micros">;
  readonly countsByStatus: Readonly<Record<string, number>>;
  readonly sumsByLine_micros: Readonly<Record<string, bigint>>;
}

/** BON-11: the maximum length of each list in a report. */
export const MAX_LISTED = 50;

interface Compared {
  readonly account: number | null;
  readonly ledger_micros: bigint;
  readonly shadow_micros: bigint;
}

/**
 * Ledger and shadow per account; the first row is the total. The engine stores the consumed amount of an account's latest grant
 * only; that of earlier grants is in their rows. It changes only where principal gives back what they paid of unfair losses (BON-7):
 * what was given back after the shadow's command is added again.
 */
async function compare(tx: BonusTx, shadow: EngineShadow): Promise<{ total: Compared; mismatches: Mismatch[] }> {
  const upTo = BigInt(shadow.command_number);
  const { rows } = await sql<Compared>`
    with shadow as (
      select * from unnest(${shadow.accounts}::int[], ${shadow.held_micros}::bigint[]) as one (account, held)
    ), ledger as (
      select account, sum(case when kind = 'GRANT' then amount_micros else -amount_micros end) as net
      from bonus_pool_line where command_number <= ${upTo} group by account
    ), granted as (
      select own.id, line.account, own.consumed_micros,
        row_number() over (partition by line.account order by line.command_number desc) as age
      from bonus_pool_line as line join bonus_account as own on own.id = line.bonus_account_id
      where line.kind = 'GRANT' and line.command_number <= ${upTo} and own.status <> 'refused'
    ), repaid as (
      select bonus_account_id, sum(amount_micros) as amount from bonus_pool_line
      where kind <> 'GRANT' and command_number > ${upTo} group by bonus_account_id
    ), earlier as (
      select account, sum(consumed_micros + coalesce(repaid.amount, 0)) as consumed
      from granted left join repaid on repaid.bonus_account_id = granted.id
      where age > 1 group by account
    ), compared as materialized (
      select account, coalesce(net, 0)::bigint as ledger_micros,
        (coalesce(held, 0) + coalesce(consumed, 0))::bigint as shadow_micros
      from ledger full join shadow using (account) left join earlier using (account)
    )
    select null::int as account, coalesce(sum(ledger_micros), 0)::bigint as ledger_micros,
      coalesce(sum(shadow_micros), 0)::bigint as shadow_micros
    from compared
    union all
    select account, ledger_micros, shadow_micros from compared where ledger_micros <> shadow_micros`.execute(tx);
  const total = rows.find(({ account }) => account === null);
  if (total === undefined) throw new Error("the books have no sum");
  const mismatches = rows.flatMap(({ account, ...sides }) => (account === null ? [] : [{ account, ...sides }]));
  return { total, mismatches: mismatches.sort(byDifference) };
}

const differenceOf = ({ ledger_micros, shadow_micros }: Mismatch) => {
  const difference = ledger_micros - shadow_micros;
  return difference < 0n ? -difference : difference;
};

function byDifference(a: Mismatch, b: Mismatch): number {
  const [first, second] = [differenceOf(a), differenceOf(b)];
  if (first !== second) return first > second ? -1 : 1;
  return a.account - b.account;
}

async function readInFlight(tx: BonusTx, command_number: number): Promise<Books["inFlight"]> {
  const flying = sql`line.kind = 'GRANT' and (line.command_number is null or line.command_number > ${BigInt(command_number)})`;
  const { rows: sums } = await sql<{ count: number; total_micros: bigint }>`
    select count(*)::int as count, coalesce(sum(amount_micros), 0)::bigint as total_micros
    from bonus_pool_line as line where ${flying}`.execute(tx);
  const { count = 0, total_micros = 0n } = sums[0] ?? {};
  if (count === 0) return { count, total_micros, grants: [] };
  const { rows: grants } = await sql<FlyingGrant>`
    select own.address, line.amount_micros, line.time_ms
    from bonus_pool_line as line join bonus_account as own on own.id = line.bonus_account_id
    where ${flying} order by line.id limit ${MAX_LISTED}`.execute(tx);
  return { count, total_micros, grants };
}

async function readLines(tx: BonusTx): Promise<Books["lines"]> {
  const { rows } = await sql<Books["lines"]>`
    select coalesce(sum(amount_micros) filter (where kind = 'GRANT'), 0)::bigint as granted_micros,
      coalesce(sum(amount_micros) filter (where kind <> 'GRANT'), 0)::bigint as returned_micros
    from bonus_pool_line`.execute(tx);
  return rows[0] ?? { granted_micros: 0n, returned_micros: 0n };
}

async function countByStatus(tx: BonusTx): Promise<Record<string, number>> {
  const counts = await tx
    .selectFrom("bonus_account")
    .select(["status", sql<number>`count(*)::int`.as("count")])
    .groupBy("status")
    .orderBy("status")
    .execute();
  return Object.fromEntries(counts.map(({ status, count }) => [status, count]));
}

async function readLineSums(tx: BonusTx): Promise<Record<string, bigint>> {
  const sums = await tx.selectFrom("bonus_line_sum").selectAll().orderBy("line").execute();
  return Object.fromEntries(sums.map(({ line, amount_micros }) => [line, amount_micros]));
}

/** BON-11: reads the database's side. The projector must have reached the shadow's command. */
export function readBooks({ db }: Pick<Database, "db">, shadow: EngineShadow): Promise<Books> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (anyTx) => {
      const tx = bonusTx(anyTx);
      const { total, mismatches } = await compare(tx, shadow);
      return {
        command_number: shadow.command_number,
        ledger_micros: total.ledger_micros,
        shadow_micros: total.shadow_micros,
        mismatches,
        inFlight: await readInFlight(tx, shadow.command_number),
        pool: await readPool(tx),
        lines: await readLines(tx),
        countsByStatus: await countByStatus(tx),
        sumsByLine_micros: await readLineSums(tx),
      };
    });
}

/** The stored sums of the pool equal the sums of its lines. */
export const arePoolSumsRight = ({ pool, lines }: Pick<Books, "pool" | "lines">): boolean =>
  pool.granted_micros === lines.granted_micros && pool.returned_micros === lines.returned_micros;

/** Exact equality: the total, each account, and the pool's own sums. */
export const areBooksRight = (books: Books): boolean =>
  books.ledger_micros === books.shadow_micros && books.mismatches.length === 0 && arePoolSumsRight(books);

/** BON-2: everything granted and not returned, grants in flight included. */
export const isWithinCap = ({ pool, ledger_micros }: Books, cap_micros: bigint): boolean =>
  netOutflow_micros(pool) <= cap_micros && ledger_micros <= cap_micros;

/** The problem as a text for people; undefined if the books agree. */
export function problemOf(books: Books): string | undefined {
  if (areBooksRight(books)) return undefined;
  const difference = books.ledger_micros - books.shadow_micros;
  const problems = [
    ...(difference === 0n ? [] : [`pool ledger and accounts differ by ${moneyText(difference)} USDT`]),
    ...(books.mismatches.length === 0 ? [] : [`${books.mismatches.length} accounts do not add up`]),
    ...(arePoolSumsRight(books) ? [] : ["the pool's sums are not those of its lines"]),
  ];
  return problems.join("; ");
}
