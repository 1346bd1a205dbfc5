import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { BonusScene, OPERATOR, type Trader } from "../accounts/testing/bonus-scene.ts";

describe("BON-15: a bonus pays only what comes after it", () => {
  let scene: BonusScene;
  let debtor: Trader;
  before(async () => {
    scene = await BonusScene.open();
    debtor = await scene.debtor();
  });
  after(() => scene.end());

  const body = (recipients: readonly Trader[], request_id?: string) => ({
    batch_name: "Round",
    grant_tier: "COMMUNITY",
    per_address_amount: "500",
    max_leverage: 5,
    recipients: recipients.map(({ address }) => address),
    operator_addr: OPERATOR,
    ...(request_id === undefined ? {} : { request_id }),
  });
  const outflow = async () => (await scene.admin("GET", "/reconcile-report")).body.net_outflow;
  const redeem = (trader: Trader, code: string) => scene.call(trader, "POST", "/api/v1/bonus/redeem", { code });
  async function code(): Promise<string> {
    const batch = await scene.admin("POST", "/grant-batch", {
      ...body([]),
      recipients: ["nobody"],
      request_id: scene.requestId(),
    });
    const { status, body: made } = await scene.admin("POST", "/generate-codes", {
      grant_batch_id: batch.body.grant_batch_id,
      amount: "500",
      count: 1,
      ttl_days: 7,
      operator_addr: OPERATOR,
      request_id: scene.requestId(),
    });
    assert.equal(status, 200, JSON.stringify(made));
    return made.codes[0];
  }

  it("in a batch the wallet in debt fails and the others are granted; the forecast says so beforehand", async () => {
    const other = scene.newTrader();
    const forecast = await scene.admin("POST", "/grant-batch?dry_run=true", body([debtor, other]));
    assert.deepEqual(
      [forecast.body.would_create, forecast.body.would_fail, forecast.body.worst_case_cost],
      [1, [{ address: debtor.address, reason: "account_in_debt" }], "500.00"],
    );
    const granted = await scene.admin("POST", "/grant-batch", body([debtor, other], "debt-1"));
    assert.deepEqual(
      [granted.status, granted.body.created, granted.body.failed],
      [200, 1, [{ address: debtor.address, reason: "account_in_debt" }]],
    );
    assert.deepEqual(await scene.rowsOf(debtor), []);
    const again = await scene.admin("POST", "/grant-batch", body([debtor, other], "debt-1"));
    assert.deepEqual([again.body.created, again.body.failed, again.body.replayed], [1, granted.body.failed, true]);
    assert.equal((await scene.account(debtor)).bonus, "0.00");
  });

  it("a redemption is refused with 409, the code stays unused and pays nothing; without the debt it is redeemed", async () => {
    const before = await outflow();
    const own = await code();
    const refused = await redeem(debtor, own);
    assert.deepEqual([refused.status, refused.body.code], [409, "account_in_debt"]);
    // A wallet in debt learns nothing about codes.
    const guessed = await redeem(debtor, "0000-0000-0000-0000");
    assert.deepEqual([guessed.status, guessed.body.code], [409, "account_in_debt"]);
    assert.equal(await outflow(), before);
    const [row] = await scene.db.selectFrom("bonus_code").select("status").where("status", "=", "redeemed").execute();
    assert.equal(row, undefined);
    await scene.faucet(debtor, "1000");
    const redeemed = await redeem(debtor, own);
    assert.deepEqual([redeemed.status, redeemed.body.status, redeemed.body.amount], [200, "active", "500.00"]);
    assert.equal((await redeem(scene.newTrader(), own)).body.code, "code_not_redeemable");
  });

  it("what was lost on paper before the grant is owed when it is realised, and returns to the pool", async () => {
    await scene.price("60000");
    const loser = await scene.trader("1000");
    await scene.take(loser, "BUY", "0.1", "60000");
    await scene.price("58000");
    await scene.grant(loser, "500");
    // 200 were lost before: half of it is the bonus's by the split, and comes back when the bonus ends.
    await scene.take(loser, "SELL", "0.1", "58000");
    assert.equal((await scene.me(loser)).bonus_owed, "100.00");
    assert.equal((await scene.control("recall", loser)).status, 200);
    const lines = await scene.lines(loser);
    const back = lines.filter(([kind]) => kind === "RECALL");
    assert.equal(back.length, 2, JSON.stringify(lines));
    assert.deepEqual(back.at(-1), ["RECALL", "100.00"]);
    const [row] = await scene.rowsOf(loser);
    assert.equal(row!.status, "recalled");
    const { bonus_owed, bonus } = await scene.account(loser);
    assert.deepEqual([bonus_owed, bonus], ["0.00", "0.00"]);
  });
});
