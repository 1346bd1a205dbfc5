import { type Engine, FUND_ACCOUNT } from "@bourse/engine";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { RowInserter } from "../projector/columns.ts";
import { EQUITY_COLUMNS, type EquityRow } from "../projector/tables.ts";

const UNFILLED_KEPT_ms = 3 * DAY_ms;
const ALGOS_KEPT_ms = 7 * DAY_ms;
const IDS_PER_STATEMENT = 20_000;
const ACCOUNTS_AT_ONCE = 5_000;

const ENDED = sql`('CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED')`;

/** Deletes in ranges of ids, so that no statement takes long. */
async function prune(database: Pick<Database, "db">, table: string, key: string, condition: ReturnType<typeof sql>) {
  const { db } = database;
  const id = sql.ref(key);
  const { rows } = await sql<{ first: bigint | null; last: bigint | null }>`
    select min(${id}) as first, max(${id}) as last from ${sql.table(table)}`.execute(db);
  const { first = null, last = null } = rows[0] ?? {};
  let pruned = 0;
  if (first === null || last === null) return pruned;
  for (let from = first; from <= last; from += BigInt(IDS_PER_STATEMENT)) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)}
      where ${id} >= ${from} and ${id} < ${from + BigInt(IDS_PER_STATEMENT)}
        and status in ${ENDED} and ${condition}`.execute(db);
    pruned += Number(numAffectedRows);
  }
  return pruned;
}

/** Deletes orders without a fill three days after they were placed, and conditional orders a week after their end. */
export function orderPruneJob(database: Pick<Database, "db">): JobDefinition {
  return {
    name: "order-prune",
    schedule: "20 3 * * *",
    missed: "latest",
    async run({ due_ms }) {
      const unfilled = sql`executed_lots = 0 and created_ms < ${due_ms - UNFILLED_KEPT_ms}`;
      const orders = await prune(database, "exchange_order", "order_id", unfilled);
      const old = sql`updated_ms < ${due_ms - ALGOS_KEPT_ms}`;
      const algo_orders = await prune(database, "exchange_algo_order", "algo_id", old);
      const { numAffectedRows = 0n } = await sql`
        delete from exchange_order_amendment as a
        where not exists (select from exchange_order as o where o.order_id = a.order_id)`.execute(database.db);
      return { orders, algo_orders, amendments: Number(numAffectedRows) };
    },
  };
}

/** The figures of an account in memory; undefined if all are zero. */
export function equityOf(engine: Engine, account: number, time_ms: number): EquityRow | undefined {
  const { accounts, positions, markets } = engine.state;
  let principal_micros = accounts.principal(account);
  let unrealised_micros = 0;
  for (let at = accounts.firstPosition(account); at !== 0; at = positions.next(at)) {
    const { markTicks, definition } = markets[positions.market(at)]!;
    principal_micros += positions.isolated(at);
    unrealised_micros += positions.lots(at) * markTicks * definition.unit_micros - positions.cost(at);
  }
  const bonus_micros = accounts.bonus(account);
  if (principal_micros === 0 && bonus_micros === 0 && unrealised_micros === 0) return undefined;
  return { account, time_ms, principal_micros, bonus_micros, unrealised_micros };
}

/** A repeated run keeps the rows of the first. */
const equities = new RowInserter("exchange_equity", EQUITY_COLUMNS, "on conflict (account, time_ms) do nothing");

/** Writes every account's equity each hour. Reads memory in parts, so that trading is not blocked. */
export function equitySnapshotJob(database: Pick<Database, "db">, engine: Engine): JobDefinition {
  return {
    name: "equity-snapshot",
    schedule: "0 * * * *",
    missed: "latest",
    async run({ due_ms }) {
      let written = 0;
      for (let from = FUND_ACCOUNT; from <= engine.state.accounts.count; from += ACCOUNTS_AT_ONCE) {
        const rows: EquityRow[] = [];
        const end = Math.min(from + ACCOUNTS_AT_ONCE, engine.state.accounts.count + 1);
        for (let account = from; account < end; account += 1) {
          const row = equityOf(engine, account, due_ms);
          if (row !== undefined) rows.push(row);
        }
        await database.db.transaction().execute((tx) => equities.insert(tx, rows));
        written += rows.length;
      }
      return { accounts: written };
    },
  };
}
