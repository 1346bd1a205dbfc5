import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { countedOf } from "../../exchange/fee-base.ts";
import type { Applied } from "../../exchange/host/exchange.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { type BrokerDb, brokerDb } from "../tables.ts";
import { projectAccruals } from "./accrual.ts";
import { reasonText, SKIP_REASONS } from "./reasons.ts";
import { commandWith, type FillEvent, fillEvent, UNITS_micros } from "./testing/fills.ts";

const NOON_ms = Date.parse("2026-06-01T12:00:00Z");

describe("BRK-7: what of a fee counts", () => {
  const cases: [Partial<FillEvent>, number, string | null][] = [
    [{ fee_micros: 100 }, 100, null],
    [{ fee_micros: 100, isMaker: 1 }, 100, null],
    [{ fee_micros: 100, isSelfTrade: 1 }, 0, "self_trade"],
    [{ fee_micros: 100, isSelfTrade: 1, feeFromBonus_micros: 100 }, 0, "self_trade"],
    [{ fee_micros: 100, cause: "liquidation" }, 0, "liquidation"],
    [{ fee_micros: 0, cause: "liquidation" }, 0, "liquidation"],
    [{ fee_micros: 0, cause: "takeover" }, 0, "takeover"],
    [{ fee_micros: 0, cause: "adl" }, 0, "adl"],
    // FUT-15: further from the mark than is fair.
    [{ fee_micros: 100, isOffMarket: 1 }, 0, "off_market"],
    [{ fee_micros: 0, isOffMarket: 1 }, 0, "off_market"],
    [{ fee_micros: 100, feeFromBonus_micros: 100, isOffMarket: 1 }, 0, "off_market"],
    [{ fee_micros: 100, cause: "liquidation", isOffMarket: 1 }, 0, "liquidation"],
    [{ fee_micros: 0 }, 0, "no_fee"],
    [{ fee_micros: 100, feeFromBonus_micros: 100 }, 0, "paid_by_bonus"],
    [{ fee_micros: 100, feeFromBonus_micros: 1 }, 99, "partly_paid_by_bonus"],
    // A position closed because its bonus expired pays a countable fee too.
    [{ fee_micros: 100, cause: "bonus_expiry" }, 100, null],
    [{ fee_micros: 100, feeFromBonus_micros: 40, cause: "bonus_expiry" }, 60, "partly_paid_by_bonus"],
  ];
  for (const [fields, counted_micros, reason] of cases) {
    it(`${JSON.stringify(fields)} → ${counted_micros}, ${reason}`, () => {
      assert.deepEqual(countedOf(fillEvent(fields)), { counted_micros, reason });
    });
  }

  it("each reason has a sentence", () => {
    for (const text of Object.values(SKIP_REASONS)) assert.match(text, /^[A-Z].*\.$/);
    assert.equal(reasonText(null), null);
    assert.equal(reasonText("self_trade"), SKIP_REASONS.self_trade);
  });
});

describe("BRK-8: accruals of the projector's batches", () => {
  let database: TestDatabase;
  let db: BrokerDb;

  before(async () => {
    database = await openTestDatabase(migrations);
    db = brokerDb(database);
  });
  after(() => database.close());

  const project = (applied: Applied[]) =>
    database.db.transaction().execute(async (tx) => {
      const [first, last] = [applied[0]!.number, applied.at(-1)!.number];
      await projectAccruals(tx, { applied, first, last, units_micros: UNITS_micros });
    });
  const sums = () => db.selectFrom("broker_pre_settlement").selectAll().orderBy("day").orderBy("account").execute();

  it("a fill without terms leaves no trace, and a batch without any asks the database nothing", async () => {
    const batch = {
      applied: [commandWith(1, NOON_ms, [fillEvent({ fee_micros: 5 })])],
      first: 1,
      last: 1,
      units_micros: UNITS_micros,
    };
    await projectAccruals(undefined as never, batch);
    assert.deepEqual(await sums(), []);
  });

  it("FUT-15: a fill at an unfair price has neither volume nor a fee that counts, and its row says why", async () => {
    const fill = { account: 77, termsVersion: 9, fee_micros: 10 };
    await project([
      commandWith(5, NOON_ms, [
        fillEvent({ ...fill, trade: 900 }),
        fillEvent({ ...fill, trade: 901, isOffMarket: 1, markTicks: 500_000 }),
      ]),
    ]);
    const rows = await db
      .selectFrom("broker_accrual")
      .select(["trade", "counted_micros", "volume_micros", "reason"])
      .where("account", "=", 77)
      .orderBy("trade")
      .execute();
    assert.deepEqual(
      rows.map(({ trade, counted_micros, volume_micros, reason }) => [trade, counted_micros, volume_micros, reason]),
      [
        [900n, 10n, 60_000_000n, null],
        [901n, 0n, 0n, "off_market"],
      ],
    );
    const [sum] = (await sums()).filter(({ account }) => account === 77);
    assert.deepEqual(
      [sum!.counted_micros, sum!.skipped_micros, sum!.volume_micros, sum!.fills, sum!.skipped_fills],
      [10n, 10n, 60_000_000n, 2, 1],
    );
    await db.deleteFrom("broker_accrual").where("account", "=", 77).execute();
    await db.deleteFrom("broker_pre_settlement").where("account", "=", 77).execute();
  });

  it("each fill is one row, and the fills of a day, account and version are one sum over all batches", async () => {
    const fill = (trade: number, more: Partial<FillEvent>) =>
      fillEvent({ trade, account: 7, termsVersion: 3, fee_micros: 10, ...more });
    await project([
      commandWith(10, NOON_ms, [fillEvent({}), fill(1, {}), fill(1, { side: 1, isMaker: 1 })]),
      commandWith(11, NOON_ms + 1, [fill(2, { isSelfTrade: 1 }), fill(2, { account: 8, side: 1, termsVersion: 4 })]),
    ]);
    await project([
      commandWith(12, NOON_ms + 2, [fill(3, { feeFromBonus_micros: 4 }), fill(4, { termsVersion: 5 })]),
      commandWith(13, Date.parse("2026-06-01T23:59:59.999Z"), [fill(5, {})]),
      commandWith(14, Date.parse("2026-06-02T00:00:00.000Z"), [fill(6, {})]),
    ]);
    assert.deepEqual(
      (await sums()).map((row) => [row.day, row.account, row.terms_version, row.counted_micros, row.skipped_micros]),
      [
        ["2026-06-01", 7, 3n, 36n, 14n],
        ["2026-06-01", 7, 5n, 10n, 0n],
        ["2026-06-01", 8, 4n, 10n, 0n],
        ["2026-06-02", 7, 3n, 10n, 0n],
      ],
    );
    const [first] = await sums();
    assert.deepEqual([first!.fills, first!.skipped_fills, first!.last_command, first!.last_event], [5, 1, 13n, 0]);
    const rows = await db
      .selectFrom("broker_accrual")
      .selectAll()
      .orderBy("command_number")
      .orderBy("event_index")
      .execute();
    assert.equal(rows.length, 8);
    assert.deepEqual(
      rows.slice(2, 4).map((row) => [row.trade, row.side, row.counted_micros, row.reason, row.event_index]),
      [
        [2n, 0, 0n, "self_trade", 0],
        [2n, 1, 10n, null, 1],
      ],
    );
  });

  it("a fill is written once: a batch that holds it again is refused as a whole", async () => {
    const before = await sums();
    const again = fillEvent({ trade: 1, account: 7, termsVersion: 3, fee_micros: 10 });
    const fresh = fillEvent({ trade: 99, account: 7, termsVersion: 3, fee_micros: 10 });
    await assert.rejects(project([commandWith(20, NOON_ms, [fresh, again])]), /broker_accrual/);
    assert.deepEqual(await sums(), before);
  });
});
