import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AccountBonusFact, BonusFact } from "../../exchange/streams/private-facts.ts";
import { DAY_ms, HOUR_ms } from "../../kernel/dates.ts";
import { type BonusBench, benchWallet, createBonusBench } from "./testing/bonus-bench.ts";
import { ExpiryWarnings } from "./warnings.ts";

const USDT = 1_000_000n;

describe("warnings before a bonus expires", () => {
  let bench: BonusBench;
  let told: [number, BonusFact][] = [];
  let warnings: ExpiryWarnings;
  let isMute = false;
  let wallets = 0;

  before(async () => {
    bench = await createBonusBench();
    const tellBonus = async (news: readonly AccountBonusFact[]) => {
      if (isMute) throw new Error("nothing can be stored");
      told.push(...news.map(({ account, fact }): [number, BonusFact] => [account, fact]));
    };
    warnings = new ExpiryWarnings({ ...bench, tellBonus });
  });
  after(() => bench.close());

  async function granted(): Promise<{ account: number; id: bigint; expires_ms: number }> {
    wallets += 1;
    told = [];
    const [issued] = await bench.grant([benchWallet(wallets)], 100n * USDT);
    const { account = 0, bonus_account_id: id = 0n } = issued ?? {};
    return { account, id, expires_ms: bench.clock.now() + 7 * DAY_ms };
  }
  const endAll = async () => {
    bench.clock.advance(8 * DAY_ms);
    for (let account = 1; account <= bench.exchange.engine.state.accounts.count; account += 1)
      await bench.submit({ kind: "expire_bonus", account });
    await bench.settle();
  };

  it("BON-9: 24 hours and 1 hour before, each once, on the account's bonus channel", async () => {
    const { account, id, expires_ms } = await granted();
    bench.clock.advanceTo(expires_ms - DAY_ms - 1);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
    bench.clock.advanceTo(expires_ms - DAY_ms);
    assert.deepEqual(await warnings.send(), { warned_24h: 1, warned_1h: 0 });
    assert.deepEqual(told, [
      [
        account,
        {
          channel: "bonus",
          kind: "bonus",
          line: "WARNING",
          amount_micros: 0,
          state: "active",
          bonus_micros: 100_000_000,
          locked_micros: 0,
          consumed_micros: 0,
          expires_ms,
          time_ms: expires_ms - DAY_ms,
        },
      ],
    ]);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
    bench.clock.advanceTo(expires_ms - HOUR_ms);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 1 });
    assert.equal(told[1]?.[1].time_ms, expires_ms - HOUR_ms);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
    const row = await bench.row(id);
    assert.deepEqual(
      [row.warned_24h_at?.getTime(), row.warned_1h_at?.getTime()],
      [expires_ms - DAY_ms, expires_ms - HOUR_ms],
    );
    await endAll();
  });

  it("BON-9: what could not be told is told by the next run", async () => {
    const { account, expires_ms } = await granted();
    bench.clock.advanceTo(expires_ms - HOUR_ms);
    isMute = true;
    await assert.rejects(warnings.send(), /nothing can be stored/);
    isMute = false;
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 1 });
    assert.deepEqual(
      told.map(([one, { line }]) => [one, line]),
      [[account, "WARNING"]],
    );
    await endAll();
  });

  it("BON-9: after a pause only the warning that still makes sense; after the expiry none", async () => {
    const { expires_ms } = await granted();
    bench.clock.advanceTo(expires_ms - HOUR_ms / 2);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 1 });
    await endAll();
    const late = await granted();
    bench.clock.advanceTo(late.expires_ms);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
    await endAll();
  });

  it("BON-9: a bonus granted with less time left gets no such warning; one that has ended none at all", async () => {
    const short = await granted();
    const expires_at = new Date(bench.clock.now() + 5 * HOUR_ms);
    await bench.db.updateTable("bonus_account").set({ expires_at }).where("id", "=", short.id).execute();
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
    bench.clock.advance(4 * HOUR_ms + 1);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 1 });
    const ended = await granted();
    await bench.database.db
      .transaction()
      .execute((tx) =>
        bench.control.order(tx as never, [{ action: "recall", account: ended.account, reason: "test", ref: "end" }]),
      );
    await bench.settle();
    bench.clock.advanceTo(ended.expires_ms - DAY_ms);
    assert.deepEqual(await warnings.send(), { warned_24h: 0, warned_1h: 0 });
  });
});
