/** Exchanges with seeded order flow, and the tables they lead to, for tests. */
import { Engine, State } from "@bourse/engine";
import { sql } from "kysely";
import { type FlowOptions, OrderFlow } from "../../../../../packages/engine/src/codec/testing/order-flow.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { Applied, Exchange, Unstamped } from "../host/exchange.ts";
import { createMemoryExchange, recordApplied, rethrow } from "../testing/memory-exchange.ts";
import { Projector, type ProjectorOptions } from "./projector.ts";

export interface TestExchange {
  readonly exchange: Exchange;
  readonly engine: Engine;
  readonly clock: ManualClock;
  /** Everything applied so far, which is what a log would give again. */
  readonly applied: readonly Applied[];
  /** Applies so many further commands of the flow. */
  run(commands: number): Promise<void>;
  readonly reread: ProjectorOptions["reread"];
}

export function createTestExchange(seed: number, options?: FlowOptions, rulesVersion?: number): TestExchange {
  const engine = new Engine(new State(rulesVersion));
  const clock = new ManualClock(0);
  const exchange = createMemoryExchange({ engine, clock });
  const { applied, reread } = recordApplied(exchange);
  const flow = new OrderFlow(seed, engine.state, options);
  return {
    exchange,
    engine,
    clock,
    applied,
    async run(commands) {
      for (let count = 0; count < commands; count += 1) {
        const { time_ms, ...command } = flow.next();
        clock.advanceTo(time_ms);
        await exchange.submit(command as Unstamped);
      }
    },
    reread,
  };
}

/** A loaded projector that tells of nothing unless asked to. */
export async function createTestProjector(
  database: Pick<Database, "db">,
  { clock, reread }: Pick<TestExchange, "clock" | "reread">,
  options: Partial<ProjectorOptions> = {},
): Promise<Projector> {
  const sleep = () => new Promise<void>((resolve) => setImmediate(resolve));
  const projector = new Projector({ database, clock, reread, onError: rethrow, onFault: rethrow, sleep, ...options });
  await projector.load();
  return projector;
}

const KEYS: Readonly<Record<string, string>> = {
  exchange_market: "market",
  exchange_order: "order_id",
  exchange_algo_order: "algo_id",
  exchange_order_amendment: "order_id, amendment",
  exchange_fill: "market, trade, side",
  exchange_income: "income_id",
  exchange_funding_rate: "market, hour",
  exchange_kline: "market, kind, interval_ms, open_ms",
  exchange_bonus_line: "command_number, event_index",
  exchange_tier_change: "command_number, event_index",
  exchange_margin_move: "command_number",
  exchange_risk_event: "market, command_number, event_index",
  exchange_pair_hour: "account, counterparty, hour",
  exchange_cursor: "name",
};

/** How many rows each table has, and a digest of all of them: equal digests, equal tables. */
export async function digestTables({
  db,
}: Pick<Database, "db">): Promise<Record<string, { rows: number; md5: string }>> {
  const digests: Record<string, { rows: number; md5: string }> = {};
  for (const [table, key] of Object.entries(KEYS)) {
    const { rows } = await sql<{ rows: number; md5: string }>`
      select count(*)::int as rows, coalesce(md5(string_agg(t::text, ';' order by ${sql.raw(key)})), '') as md5
      from ${sql.table(table)} as t`.execute(db);
    digests[table] = rows[0]!;
  }
  return digests;
}

export async function emptyTables({ db }: Pick<Database, "db">): Promise<void> {
  const tables = Object.keys(KEYS).filter((table) => table !== "exchange_cursor");
  await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))}`.execute(db);
  await sql`update exchange_cursor set command_number = 0, last_income_id = 0, time_ms = 0`.execute(db);
}
