/** An engine with its projector and the bonus program's books, and nothing else around them, for tests. */
import { BUY, definitionOf, FIRST_MARKETS, PLAIN_ORDER, SELL } from "@bourse/engine";
import { sql } from "kysely";
import { migrations } from "../../../compose/migrations.ts";
import type { Unstamped } from "../../../exchange/host/exchange.ts";
import { connectTables, createMemoryExchange } from "../../../exchange/testing/memory-exchange.ts";
import { createAuditLog } from "../../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../../kernel/clock.ts";
import { openTestDatabase } from "../../../kernel/database/testing.ts";
import type { EngineRequest } from "../../../kernel/engine-requests/engine-requests.ts";
import { grantRef, Issuer } from "../../grants/issue.ts";
import { bonusDb, bonusTx } from "../../tables.ts";
import { BonusControl } from "../control.ts";
import { projectBonus } from "../projection.ts";

const START_ms = Date.UTC(2026, 5, 1, 12);
const BATCH_ID = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";
const OPERATOR = `0x${"52".repeat(20)}`;

/** A wallet address that is the same in every run. */
export const benchWallet = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

export async function createBonusBench() {
  const clock = new ManualClock(START_ms);
  const database = await openTestDatabase(migrations);
  const db = bonusDb(database);
  const exchange = createMemoryExchange({ clock, maxCommandsWaiting: 100_000 });
  const connected = await connectTables({ database, clock, exchange }, [projectBonus]);
  const { projector, dispatcher, engineRequests, directory } = connected;
  const audit = createAuditLog({ clock });
  const issuer = new Issuer({ directory, engineRequests });
  const parts = { ...connected, database, clock, audit, exchange };
  for (const market of FIRST_MARKETS)
    await exchange.submit({ kind: "add_market", definition: definitionOf(market) }, true);
  const now = new Date(START_ms);
  const terms = { name: "Test", amount_micros: 1n, validity_days: 7, redemption_closes_at: now };
  const newCampaign = () =>
    db
      .insertInto("bonus_campaign")
      .values({ ...terms, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
  let campaign = await newCampaign();
  const batch = {
    id: BATCH_ID,
    campaign_id: campaign.id,
    batch_name: "Test",
    grant_tier: "TEST",
    per_address_micros: 1n,
  };
  const counts = { created_count: 0, failed_count: 0, created_by: "test", created_at: now };
  await db
    .insertInto("bonus_batch")
    .values({ ...batch, max_leverage: 10, operator_addr: OPERATOR, ...counts })
    .execute();

  const settle = async () => {
    dispatcher.notify();
    await dispatcher.idle();
    await projector.waitForAll(30_000);
  };

  let told = 0;
  /** Writes a command for the engine to the outbox. */
  const tell = (command: EngineRequest["command"]) =>
    database.db.transaction().execute((tx) => {
      told += 1;
      return engineRequests.tell(tx, `bench:${told}`, command);
    });

  /** Writes grants to the database; the dispatcher sends them to the engine. */
  async function decide(addresses: readonly string[], amount_micros: bigint) {
    const issued = await database.db.transaction().execute(async (anyTx) => {
      const issue = { campaign, batch_id: BATCH_ID, amount_micros, max_leverage: 10, grant_tier: "TEST", addresses };
      return await issuer.issue(bonusTx(anyTx), { ...issue, now: new Date(clock.now()) });
    });
    await directory.load();
    return issued;
  }

  return {
    ...parts,
    db,
    settle,
    decide,
    control: new BonusControl(parts),
    /** Later grants belong to another campaign. */
    async beginCampaign() {
      campaign = await newCampaign();
    },
    tell,
    /** Whole USDT, to the wallet of that number; returns its account. */
    async deposit(wallet: number, amount: number): Promise<number> {
      const account = await directory.ensure(benchWallet(wallet));
      await tell({ kind: "deposit", account, amount_micros: amount * 1_000_000 });
      await settle();
      return account;
    },
    /** A price of BTCUSDT in USDT, as index and mark. */
    async price(price: number): Promise<void> {
      await exchange.submit({ kind: "set_price", market: 0, indexTicks: price * 10, markTicks: price * 10 }, true);
    },
    /** The account takes what the maker offers in BTCUSDT. */
    async trade(account: number, maker: number, side: typeof BUY | typeof SELL, size: number, price: number) {
      const order = {
        ...PLAIN_ORDER,
        kind: "place_order",
        market: 0,
        lots: Math.round(size * 1_000),
        ticks: price * 10,
      } as const;
      await exchange.submit({ ...order, account: maker, side: side === BUY ? SELL : BUY }, true);
      const { events } = await exchange.submit({ ...order, account, side }, true);
      if (!events.some(({ kind }) => kind === "fill")) throw new Error(`not filled: ${JSON.stringify(events)}`);
    },
    /** Writes grants and waits until all accounts have them. */
    async grant(addresses: readonly string[], amount_micros: bigint) {
      const issued = await decide(addresses, amount_micros);
      await settle();
      return issued;
    },
    grantRef,
    submit: (command: Unstamped) => exchange.submit(command, true),
    async row(id: bigint) {
      return await db.selectFrom("bonus_account").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    },
    async linesOf(id: bigint) {
      const lines = db.selectFrom("bonus_pool_line").selectAll().where("bonus_account_id", "=", id);
      return await lines.orderBy("id").execute();
    },
    async pool() {
      return await db.selectFrom("bonus_pool").selectAll().executeTakeFirstOrThrow();
    },
    async count(table: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(db);
      return rows[0]?.count ?? 0;
    },
    async close() {
      await dispatcher.stop();
      await exchange.close();
      await projector.stop();
      await database.close();
    },
  };
}

export type BonusBench = Awaited<ReturnType<typeof createBonusBench>>;
