import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { digestsOf } from "../../testing/digests.ts";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest } from "../../testing/page-walk.ts";
import { BonusScene, OPERATOR, type Reply } from "./testing/bonus-scene.ts";

describe("freeze, unfreeze and recall", () => {
  let scene: BonusScene;
  before(async () => {
    scene = await BonusScene.open();
    await scene.price("60000");
  });
  after(() => scene.end());

  const fingerprint = () =>
    digestsOf(scene.db, ["bonus_account", "bonus_request", "bonus_pool_line", "audit_log", "outbox"]);

  const lastAudit = async (action: string) => {
    const query = scene.db.selectFrom("audit_log").selectAll().where("action", "=", action);
    return await query.orderBy("seq", "desc").limit(1).executeTakeFirst();
  };

  it("BON-10: frozen: orders that add are cancelled, only reducing is taken; unfrozen: all as before", async () => {
    const trader = await scene.trader("1000", "100", 10);
    await scene.take(trader, "BUY", "0.05", "60000");
    await scene.placed(trader, { side: "BUY", quantity: "0.01", price: "59000" });
    const { status, body } = await scene.control("freeze", trader, { reason: "several accounts" });
    assert.equal(status, 200, JSON.stringify(body));
    const audit = await lastAudit("bonus.freeze");
    assert.deepEqual(body, {
      audit_id: Number(audit?.seq),
      target_address: trader.address,
      status: "frozen",
      recalled_amount: "0.00",
      still_locked_amount: "99.25",
      replayed: false,
    });
    assert.deepEqual([audit?.actor, audit?.target, audit?.reason], ["bonus-admin", trader.address, "several accounts"]);
    assert.equal((await scene.me(trader)).status, "frozen");
    const [row] = await scene.rowsOf(trader);
    assert.deepEqual([row?.status, row?.freeze_reason], ["frozen", "several accounts"]);
    const refused = await scene.order(trader, { side: "BUY", quantity: "0.01", price: "59000" });
    assert.deepEqual([refused.status, refused.body.exchange_code], [400, -4087]);
    await scene.take(trader, "SELL", "0.01", "60000");
    const again = await scene.control("freeze", trader);
    assert.deepEqual([again.status, again.body.code], [409, "already_frozen"]);
    const thawed = await scene.control("unfreeze", trader);
    assert.deepEqual([thawed.status, thawed.body.status], [200, "active"]);
    await scene.placed(trader, { side: "BUY", quantity: "0.01", price: "59000" });
    const twice = await scene.control("unfreeze", trader);
    assert.deepEqual([twice.status, twice.body.code], [409, "not_frozen"]);
    await scene.take(trader, "SELL", "0.04", "60000");
  });

  it("BON-10: locked bonus is not recalled (409, nothing moves); after closing all of it is", async () => {
    const trader = await scene.trader("100", "100", 10);
    const { id } = await scene.placed(trader, { side: "BUY", quantity: "0.01", price: "60000" });
    const request_id = scene.requestId();
    const refused = await scene.control("recall", trader, { request_id });
    assert.equal(refused.status, 409);
    assert.deepEqual(
      [refused.body.code, refused.body.details],
      ["bonus_locked", { rule: "bonus_locked", still_locked_amount: "30.00" }],
    );
    assert.equal((await scene.me(trader)).bonus_free, "70.00");
    const cancelled = await scene.call(trader, "DELETE", `/api/v1/orders/${id}`);
    assert.equal(cancelled.status, 200);
    assert.deepEqual(
      await scene.control("recall", trader, { request_id }),
      refused,
      "the same request, the same answer",
    );
    const { status, body } = await scene.control("recall", trader);
    assert.deepEqual(
      [status, body.status, body.recalled_amount, body.still_locked_amount],
      [200, "recalled", "100.00", "0.00"],
    );
    assert.equal((await scene.me(trader)).status, "recalled");
    assert.deepEqual(await scene.poolLinesOf(trader), [
      ["GRANT", 100_000_000n],
      ["RECALL", 100_000_000n],
    ]);
    const gone = await scene.control("recall", trader);
    assert.deepEqual([gone.status, gone.body.code], [404, "no_bonus"]);
  });

  it("BON-10: a frozen bonus can be recalled", async () => {
    const trader = await scene.trader("100", "50");
    await scene.control("freeze", trader);
    const { body } = await scene.control("recall", trader);
    assert.deepEqual([body.status, body.recalled_amount], ["recalled", "50.00"]);
  });

  it("BON-4: the same request_id answers the same, another body is a conflict, twenty at once do it once", async () => {
    const trader = await scene.trader("100", "50");
    const request_id = scene.requestId();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => scene.control("freeze", trader, { request_id })),
    );
    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.status]),
      replies.map(() => [200, "frozen"]),
    );
    assert.equal(replies.filter(({ body }) => !body.replayed).length, 1);
    assert.equal(new Set(replies.map(({ body }) => body.audit_id)).size, 1);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from outbox where ref = ${`bonus:freeze:${request_id}`}`.execute(scene.db);
    assert.equal(rows[0]?.count, 1);
    // The address in another letter case is the same request.
    const same = await scene.control("freeze", trader, { request_id, target_address: trader.wallet.address });
    assert.deepEqual([same.status, same.body.replayed], [200, true]);
    const before_ = await fingerprint();
    const other = await scene.control("freeze", trader, { request_id, reason: "another" });
    assert.deepEqual([other.status, other.body.code], [409, "request_id_conflict"]);
    assert.deepEqual(await fingerprint(), before_);
    // Each endpoint has its own request ids.
    assert.equal((await scene.control("unfreeze", trader, { request_id })).status, 200);
  });

  it("BON-10: freezes and recalls of one bonus at the same moment leave it in one state", async () => {
    const trader = await scene.trader("100", "50");
    const replies: Reply[] = await Promise.all(
      (["freeze", "recall", "unfreeze", "freeze", "recall"] as const).map((action) => scene.control(action, trader)),
    );
    assert.ok(
      replies.every(({ status }) => [200, 404, 409].includes(status)),
      JSON.stringify(replies),
    );
    assert.equal((await scene.me(trader)).status, "recalled");
    assert.deepEqual(await scene.poolLinesOf(trader), [
      ["GRANT", 50_000_000n],
      ["RECALL", 50_000_000n],
    ]);
  });

  it("BON-10: an admin's token opens it as the key does; wallets and a wrong key do not", async () => {
    const trader = await scene.trader("100", "50");
    const { access_token } = await scene.platform.adminSignIn();
    const payload = {
      target_address: trader.address,
      reason: "x",
      operator_addr: OPERATOR,
      request_id: scene.requestId(),
    };
    const reply = await scene.platform.post("/api/v1/bonus/admin/freeze", payload, access_token);
    assert.equal(reply.statusCode, 200, reply.body);
    assert.equal((await lastAudit("bonus.freeze"))?.role, "admin");
    assert.equal((await scene.call(trader, "POST", "/api/v1/bonus/admin/unfreeze", payload)).status, 403);
    const key = scene.platform.settings.bonusAdminApiKey;
    const headers = {
      host: "127.0.0.1:8080",
      "x-bonus-admin-key": `${key.slice(0, -1)}${key.endsWith("x") ? "y" : "x"}`,
    };
    const wrong = await scene.platform.call({ method: "POST", url: "/api/v1/bonus/admin/unfreeze", headers, payload });
    assert.equal(wrong.statusCode, 401);
  });

  it("BON-10: malformed requests are refused and change nothing", async () => {
    const trader = await scene.trader("100", "50");
    const fine = { target_address: trader.address, reason: "x", operator_addr: OPERATOR, request_id: "fine" };
    const bad: [object, number, string][] = [
      [{}, 400, "field_required"],
      [{ ...fine, target_address: undefined }, 400, "field_required"],
      [{ ...fine, reason: undefined }, 400, "field_required"],
      [{ ...fine, operator_addr: undefined }, 400, "field_required"],
      [{ ...fine, request_id: undefined }, 400, "field_required"],
      [{ ...fine, target_address: "nobody" }, 400, "invalid_address"],
      [{ ...fine, target_address: `0x${"0".repeat(40)}` }, 400, "invalid_address"],
      [{ ...fine, target_address: "0x52908400098527886E0F7030069857D2E4169Ee7" }, 400, "invalid_address"],
      [{ ...fine, operator_addr: 12 }, 400, "invalid_field"],
      [{ ...fine, operator_addr: "" }, 400, "invalid_field"],
      [{ ...fine, reason: "" }, 400, "invalid_field"],
      [{ ...fine, reason: "a\u0000b" }, 400, "invalid_field"],
      [{ ...fine, reason: "x".repeat(501) }, 400, "invalid_field"],
      [{ ...fine, request_id: "" }, 400, "invalid_field"],
      [{ ...fine, request_id: "has space" }, 400, "invalid_field"],
      [{ ...fine, request_id: "x".repeat(129) }, 400, "invalid_field"],
      [{ ...fine, request_id: null }, 400, "invalid_field"],
      [{ ...fine, target_address: scene.newTrader().address }, 404, "no_bonus"],
    ];
    const before_ = await fingerprint();
    for (const action of ["freeze", "unfreeze", "recall"] as const) {
      for (const [payload, status, code] of bad) {
        const reply = await scene.admin("POST", `/${action}`, payload);
        assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify([payload, reply.body]));
      }
    }
    assert.deepEqual(await fingerprint(), before_);
    assert.equal((await scene.admin("POST", "/freeze", fine)).status, 200, "a refused name stays free");
  });

  it("WIRE-8: /accounts answers items, as accounts too, and is walked once while rows are added", async () => {
    for (const amount of ["1", "2", "3"]) await scene.trader("0", amount);
    const list: ListUnderTest = {
      read: (query) => scene.admin("GET", `/accounts?${query}`),
      olderName: "accounts",
      idOf: ({ id }) => id,
    };
    await assertWalksOnce(list, () => scene.trader("0", "4"), { isNewestFirst: true });
    await assertRefusesBadPages(list, { cursor: "invalid_cursor", limit: "invalid_field" });
  });

  it("the administration's lists: by status, by wallet, page by page", async () => {
    const traders = [await scene.trader("0", "3"), await scene.trader("0", "4"), await scene.trader("0", "5")];
    const { body: first } = await scene.admin("GET", "/accounts?status=active&limit=2");
    assert.deepEqual(
      first.accounts.map(({ address }: { address: string }) => address),
      [traders[2]?.address, traders[1]?.address],
    );
    assert.ok(first.total >= 3);
    const { body: second } = await scene.admin("GET", `/accounts?status=active&limit=2&cursor=${first.next_cursor}`);
    assert.deepEqual([second.accounts[0].address, second.total], [traders[0]?.address, -1]);
    const { body: own } = await scene.admin("GET", `/accounts?address=${traders[0]?.wallet.address}`);
    assert.deepEqual([own.total, own.accounts[0].amount, own.accounts[0].is_credited], [1, "3.00", true]);
    for (const [query, code] of [
      ["status=happy", "invalid_field"],
      ["limit=0", "invalid_field"],
      ["address=0x12", "invalid_address"],
      [`status=frozen&cursor=${first.next_cursor}`, "invalid_cursor"],
      ["cursor=%00", "invalid_cursor"],
    ]) {
      const reply = await scene.admin("GET", `/accounts?${query}`);
      assert.deepEqual([reply.status, reply.body.code], [400, code], query);
    }
    assert.equal((await scene.admin("GET", "/accounts/unknown")).status, 400);
    const stranger = await scene.admin("GET", `/accounts/${scene.newTrader().address}`);
    assert.deepEqual([stranger.status, stranger.body.code], [404, "no_bonus"]);
  });
});
