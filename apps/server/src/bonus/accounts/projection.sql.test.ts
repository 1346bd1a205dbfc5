import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BUY, PLAIN_ORDER } from "@bourse/engine";
import type { KyselyPlugin } from "kysely";
import type { Applied } from "../../exchange/host/exchange.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { bonusTx } from "../tables.ts";
import { projectBonus } from "./projection.ts";
import { type BonusBench, benchWallet, createBonusBench } from "./testing/bonus-bench.ts";

const USDT = 1_000_000n;

describe("what the projector makes of bonuses", () => {
  let bench: BonusBench;
  before(async () => {
    bench = await createBonusBench();
    await bench.submit({ kind: "set_price", market: 0, indexTicks: 600_000, markTicks: 600_000 });
  });
  after(() => bench.close());

  /** Counts the SQL statements that the projection of a batch needs, and rolls them back. */
  async function statementsOf(applied: readonly Applied[]): Promise<number> {
    let statements = 0;
    const plugin: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const batch = { applied, first: 1, last: 1, units_micros: new Map() };
    const undone = new Error("undone");
    await assert.rejects(
      bench.database.db.transaction().execute(async (tx) => {
        await projectBonus(bonusTx(tx).withPlugin(plugin) as never, batch);
        throw undone;
      }),
      undone,
    );
    return statements;
  }

  it("BON-11: a grant is in flight until the engine has it, then the row and the pool's line name its event", async () => {
    await bench.dispatcher.stop();
    const [issued] = await bench.decide([benchWallet(1)], 50n * USDT);
    const id = issued?.bonus_account_id ?? 0n;
    assert.deepEqual([(await bench.row(id)).is_credited, (await bench.linesOf(id))[0]?.command_number], [false, null]);
    bench.dispatcher.start();
    await bench.settle();
    const row = await bench.row(id);
    assert.deepEqual([row.status, row.is_credited, row.bonus_micros, row.ended_at], ["active", true, 50n * USDT, null]);
    const [line] = await bench.linesOf(id);
    const event = await bench.db
      .selectFrom("exchange_bonus_line" as never)
      .selectAll()
      .where("account" as never, "=", row.account as never)
      .executeTakeFirst();
    const { command_number, event_index } = event as unknown as { command_number: bigint; event_index: number };
    assert.deepEqual([line?.command_number, line?.event_index], [command_number, event_index]);
  });

  it("BON-11: a grant that the engine refuses ends as refused and comes back to the pool", async () => {
    const before_ = await bench.pool();
    const address = benchWallet(2);
    // The maximum balance of an account: no bonus fits beside it.
    const account = await bench.directory.ensure(address);
    await bench.settle();
    await bench.database.db.transaction().execute((tx) =>
      bench.outbox.enqueue(tx, {
        topic: "exchange",
        ref: "test-deposit",
        payload: { kind: "deposit", account, amount_micros: 10 ** 15 },
      }),
    );
    const [issued] = await bench.grant([address], 7n * USDT);
    const id = issued?.bonus_account_id ?? 0n;
    const row = await bench.row(id);
    assert.deepEqual([row.status, row.is_credited, row.bonus_micros], ["refused", false, 0n]);
    assert.ok(row.ended_at !== null);
    const lines = await bench.linesOf(id);
    assert.deepEqual(
      lines.map(({ kind, amount_micros, event_index }) => [kind, amount_micros, event_index]),
      [
        ["GRANT", 7n * USDT, null],
        ["REFUSED", 7n * USDT, null],
      ],
    );
    assert.ok(
      lines.every(({ command_number }) => command_number !== null),
      "it is no longer in flight",
    );
    const after_ = await bench.pool();
    assert.equal(after_.granted_micros - after_.returned_micros, before_.granted_micros - before_.returned_micros);
  });

  it("BON-9: thousands that expire together are written by as many statements as one", async () => {
    const addresses = Array.from({ length: 1_000 }, (_, at) => benchWallet(10_000 + at));
    const issued = await bench.grant(addresses, 2n * USDT);
    bench.clock.advance(7 * DAY_ms);
    const applied = await Promise.all(issued.map(({ account }) => bench.submit({ kind: "expire_bonus", account })));
    await bench.settle();
    const rows = bench.db
      .selectFrom("bonus_account")
      .select("status")
      .where("amount_micros", "=", 2n * USDT);
    const statuses = (await rows.execute()).map(({ status }) => status);
    assert.ok(statuses.length === 1_000 && statuses.every((status) => status === "recalled"));
    const pool = await bench.pool();
    const lines = bench.db.selectFrom("bonus_pool_line").select("id").where("kind", "=", "EXPIRE");
    assert.equal((await lines.execute()).length, 1_000);
    assert.equal(pool.returned_micros, 1_000n * 2n * USDT + 7n * USDT);
    // Running bonuses, so that every statement matches some rows.
    const running = bench.db.updateTable("bonus_account").set({ status: "active", ended_at: null });
    await running.where("amount_micros", "=", 2n * USDT).execute();
    const renumbered = applied.map((one, at) => ({ ...one, number: 10_000_000 + at }));
    const many = await statementsOf(renumbered);
    assert.equal(many, await statementsOf(renumbered.slice(0, 1)));
    assert.ok(many <= 6, `${many} statements`);
  });

  it("batches without bonuses cost no statement", async () => {
    const account = await bench.directory.ensure(benchWallet(3));
    const order = { ...PLAIN_ORDER, account, market: 0, side: BUY, ticks: 600_000, lots: 1 };
    const applied = await bench.submit(order);
    assert.equal(await statementsOf([applied]), 0);
  });

  it("BON-11: what the engine says of an account without a bonus row holds nobody up", async () => {
    const account = await bench.directory.ensure(benchWallet(4));
    const number = bench.exchange.engine.state.externalNumber + 1;
    await bench.dispatcher.stop();
    const terms = { amount_micros: 5_000_000, maxLeverage: 5, expires_ms: bench.clock.now() + DAY_ms };
    await bench.submit({ kind: "grant_bonus", account, number, ...terms });
    await bench.projector.waitForAll(10_000);
    assert.equal(bench.projector.status().lastError, null);
  });
});
