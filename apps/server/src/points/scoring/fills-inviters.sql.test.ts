import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { ScoringBooks, walletOfAccount } from "./testing/scoring-books.ts";

const NOON_ms = Date.parse("2026-06-01T12:00:00Z");
const FEE = 1_234_567;

describe("PTS-3: the inviter's share of fills", () => {
  let database: TestDatabase;
  let books: ScoringBooks;
  before(async () => {
    database = await openTestDatabase(migrations);
    books = await new ScoringBooks(database).open();
  });
  after(() => database.close());
  beforeEach(() => books.clear());

  const affiliate = `0x${"af".repeat(20)}`;

  it("a broker gets a tenth of its customer's points on top, with the invitee and its points on the line", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const { account, wallet } = await books.broker.customer(kol, { ratio: 0.1 });
    const season = await books.season(1, 100);
    await books.fill(NOON_ms, { account, trade: 9, side: 1, fee_micros: FEE, termsVersion: Number(kol.termsVersion) });
    assert.deepEqual(await books.shortLines(), [
      [wallet, "trade", 12_345_670n],
      [kol.wallet, "referral", 1_234_567n],
    ]);
    const line = (await books.lines())[1]!;
    assert.deepEqual(
      [line.invitee, line.base_micros, line.market, line.trade, line.side, line.rule_version],
      [wallet, 12_345_670n, 0, 9n, 1, 1],
    );
    const totals = await books.totals();
    for (const key of [`day ${line.day}`, "epoch 22", `season ${season}`]) {
      assert.equal(totals.get(`${key} ${kol.wallet}`)?.[0], 1_234_567n);
      assert.equal(totals.get(`${key} ${wallet}`)?.[0], 12_345_670n);
    }
  });

  it("a sub-KOL's own fills are its parent's, those of its customers its own: nothing goes two steps up", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const sub = await books.broker.kol({ rate: 0.3, parent: kol, share: 0.2 });
    const customer = await books.broker.customer(sub, { ratio: 0.1 });
    const termsVersion = Number(sub.termsVersion);
    await books.fill(
      NOON_ms,
      { account: sub.account, trade: 1, fee_micros: 100, termsVersion },
      { account: customer.account, trade: 2, fee_micros: 100, termsVersion },
      { account: kol.account, trade: 3, fee_micros: 100, termsVersion: Number(kol.termsVersion) },
    );
    assert.deepEqual(await books.shortLines(), [
      [sub.wallet, "trade", 1_000n],
      [kol.wallet, "referral", 100n],
      [customer.wallet, "trade", 1_000n],
      [sub.wallet, "referral", 100n],
      [kol.wallet, "trade", 1_000n],
    ]);
  });

  it("without a broker the on-chain affiliate gets it; terms that reward nobody give nobody anything", async () => {
    const [rewarded, ended] = [
      await books.broker.affiliateTerms(7, affiliate, 0.15),
      await books.broker.affiliateTerms(8, affiliate, 0),
    ];
    await books.fill(
      NOON_ms,
      { account: 7, trade: 1, fee_micros: 100, termsVersion: Number(rewarded) },
      { account: 8, trade: 2, fee_micros: 100, termsVersion: Number(ended) },
      { account: 9, trade: 3, fee_micros: 100 },
    );
    assert.deepEqual(await books.shortLines(), [
      [walletOfAccount(7), "trade", 1_000n],
      [affiliate, "referral", 100n],
      [walletOfAccount(8), "trade", 1_000n],
      [walletOfAccount(9), "trade", 1_000n],
    ]);
  });

  it("the terms of the fill decide, whatever they are by now; a frozen broker is the inviter all the same", async () => {
    const kol = await books.broker.kol({ rate: 0.4, status: "frozen" });
    const customer = await books.broker.customer(kol, { ratio: 0.1 });
    await books.broker.terms(kol, { rate: 0, status: "frozen" });
    await books.fill(NOON_ms, {
      ...{ account: customer.account, fee_micros: 100, termsVersion: Number(kol.termsVersion) },
    });
    assert.deepEqual((await books.shortLines())[1], [kol.wallet, "referral", 100n]);
  });

  it("nothing for an inviter that makes markets, nothing for a market maker's inviter, nothing for oneself", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const customer = await books.broker.customer(kol, { ratio: 0.1 });
    const other = await books.broker.kol({ rate: 0.4 });
    const maker = await books.broker.customer(other, { ratio: 0.1 });
    const own = await books.broker.affiliateTerms(5, walletOfAccount(5), 0.15);
    await books.makers(kol.wallet, maker.wallet);
    await books.fill(
      NOON_ms,
      { account: customer.account, trade: 1, fee_micros: 100, termsVersion: Number(kol.termsVersion) },
      { account: maker.account, trade: 2, fee_micros: 100, termsVersion: Number(other.termsVersion) },
      { account: 5, trade: 3, fee_micros: 100, termsVersion: Number(own) },
    );
    assert.deepEqual(await books.shortLines(), [
      [customer.wallet, "trade", 1_000n],
      [walletOfAccount(5), "trade", 1_000n],
    ]);
  });

  it("a share that comes to nothing leaves no line", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const { account, wallet } = await books.broker.customer(kol, { ratio: 0.1 });
    await books.rule({ referral_e2: 0 });
    await books.fill(NOON_ms, { account, fee_micros: 100, termsVersion: Number(kol.termsVersion) });
    assert.deepEqual(await books.shortLines(), [[wallet, "trade", 1_000n]]);
  });
});
