import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../kernel/errors.ts";
import { ADMIN, EARN_ABI, openSmallScene } from "./testing/small-scene.ts";
import { bodyOf, books, later, operatorLike, productCount, refusedWith, until } from "./testing/steps.ts";

describe("between the database and the chain", () => {
  it("WIRE-4: a crash after the decision and before the chain makes one product, not two", async (t) => {
    const scene = await openSmallScene(t);
    const body = bodyOf(scene);
    const dying = scene.again({ ...operatorLike(scene), send: () => new Promise(() => undefined) });
    const lost = dying.admin.create(body, ADMIN);
    await until(async () => (await scene.db.selectFrom("earn_action").select("id").execute()).length === 1);
    // The first call never returns; the admin repeats it on a process that works.
    const detail = await scene.earn.admin.create(body, ADMIN);
    assert.equal(await productCount(scene), 1n);
    assert.equal(detail.chain_product_id, 1);
    assert.equal((await scene.db.selectFrom("earn_product").select("id").execute()).length, 1);
    assert.ok(lost instanceof Promise);
    await scene.earn.admin.create(body, ADMIN);
    assert.equal(await productCount(scene), 2n, "what got to the chain is another product when asked for again");
  });

  it("WIRE-4: what was decided before a crash is carried on with by the job", async (t) => {
    const scene = await openSmallScene(t);
    const dying = scene.again({ ...operatorLike(scene), send: () => new Promise(() => undefined) });
    void dying.admin.create(bodyOf(scene), ADMIN);
    await until(async () => (await scene.db.selectFrom("earn_action").select("id").execute()).length === 1);
    await scene.sync();
    const { products } = await scene.earn.products.list({});
    assert.deepEqual(
      products.map(({ chain_product_id, status }) => [chain_product_id, status]),
      [[1, "subscribing"]],
    );
    await scene.sync();
    assert.equal(await productCount(scene), 1n);
  });

  it("WIRE-4: a crash after the transaction and before its outcome was stored links the product it made", async (t) => {
    const scene = await openSmallScene(t);
    const dying = scene.again({
      ...operatorLike(scene),
      send: async (call) => {
        await scene.operator.send(call);
        return await new Promise(() => undefined);
      },
    });
    void dying.admin.create(bodyOf(scene), ADMIN);
    await until(async () => (await productCount(scene)) === 1n);
    await scene.sync();
    const { products } = await scene.earn.products.list({});
    assert.deepEqual(
      products.map(({ chain_product_id }) => chain_product_id),
      [1],
    );
    assert.equal(await productCount(scene), 1n);
  });

  it("WIRE-4: a request_id stands for one product and one payment", async (t) => {
    const scene = await openSmallScene(t);
    const body = bodyOf(scene, { request_id: "summer" });
    const [one, other] = await Promise.all([
      scene.earn.admin.create(body, ADMIN),
      scene.earn.admin.create(body, ADMIN),
    ]);
    assert.equal(one.id, other.id);
    assert.equal(await productCount(scene), 1n);
    await refusedWith("REQUEST_ID_CONFLICT", scene.earn.admin.create({ ...body, name: "another" }, ADMIN));
    const pay = (amount: string) => scene.earn.admin.fund(one.id, { amount, request_id: "first" }, ADMIN);
    await pay("500");
    await pay("500");
    await refusedWith("REQUEST_ID_CONFLICT", pay("501"));
    await scene.sync();
    const [row] = (await books(scene)).chain;
    assert.equal(row!.funded, "500");
  });

  it("a chain that cannot be reached changes nothing and says so", async (t) => {
    const scene = await openSmallScene(t);
    const away = scene.again({
      ...operatorLike(scene),
      send: async () => ({ state: "not_sent", reason: "nobody answers", cause: new Error("nobody answers") }),
    });
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.create(bodyOf(scene), ADMIN));
    assert.deepEqual((await scene.earn.products.list({})).total, 0);
    await scene.sync();
    assert.equal(await productCount(scene), 0n, "what was given up is not done behind the admin's back");
    const { id } = await scene.earn.admin.create(bodyOf(scene, { subscribe_start_time: later(scene, 1) }), ADMIN);
    const before = await books(scene);
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.update(id, { annual_rate_bps: 1_300 }, ADMIN));
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.fund(id, { amount: "5" }, ADMIN));
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.cancel(id, {}, ADMIN));
    const after = await books(scene);
    const timeless = (rows: typeof before) => rows.products.map(({ updated_at: _at, ...row }) => row);
    assert.deepEqual(timeless(after), timeless(before));
  });

  it("WIRE-4: what did not happen can be asked for again under the same request_id", async (t) => {
    const scene = await openSmallScene(t);
    const away = scene.again({
      ...operatorLike(scene),
      send: async () => ({ state: "not_sent", reason: "nobody answers", cause: new Error("nobody answers") }),
    });
    const body = bodyOf(scene, { request_id: "again" });
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.create(body, ADMIN));
    const { id } = await scene.earn.admin.create(body, ADMIN);
    await refusedWith("CHAIN_UNAVAILABLE", away.admin.fund(id, { amount: "5", request_id: "pay" }, ADMIN));
    await scene.earn.admin.fund(id, { amount: "5", request_id: "pay" }, ADMIN);
    await scene.sync();
    assert.equal((await books(scene)).chain[0]!.funded, "5");
    assert.equal(await productCount(scene), 1n);
  });

  it("what the contract refuses is told in its own words", async (t) => {
    const scene = await openSmallScene(t);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    // Another process with the operator's key was faster, and the chain has not been read since.
    await scene.call(scene.operatorAccount, scene.contracts.earn, EARN_ABI, "cancel", [1n]);
    await assert.rejects(scene.earn.admin.fund(id, { amount: "5" }, ADMIN), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code], [409, "CHAIN_REFUSED"]);
      assert.match(error.message, /WrongStatus\(1, 3, 1\)$/);
      return true;
    });
    await scene.sync();
    assert.equal((await scene.earn.products.read(id)).status, "cancelled", "what others do on chain is followed");
  });

  it("an outcome that is not known is told apart from a failure, and found out later", async (t) => {
    const scene = await openSmallScene(t);
    const slow = scene.again({
      ...operatorLike(scene),
      send: async () => ({ state: "unknown", hash: "0x00", reason: "it is not mined yet" }),
    });
    await refusedWith("OUTCOME_UNKNOWN", slow.admin.create(bodyOf(scene), ADMIN));
    await scene.sync();
    assert.equal((await scene.earn.products.list({})).total, 1);
  });

  it("SEC-8: every decision of an admin is in the audit log, with what was before", async (t) => {
    const scene = await openSmallScene(t);
    const start = later(scene, 1);
    const { id } = await scene.earn.admin.create(
      bodyOf(scene, { subscribe_start_time: start, reason: "summer" }),
      ADMIN,
    );
    await scene.earn.admin.update(id, { annual_rate_bps: 1_500, name: "Better" }, ADMIN);
    await scene.earn.admin.fund(id, { amount: "7" }, ADMIN);
    await scene.earn.admin.cancel(id, { reason: "over" }, ADMIN);
    const entries = await scene.database.db.selectFrom("audit_log").selectAll().orderBy("seq").execute();
    const seen = entries.map(({ actor, role, ip, action, target, reason }) => [
      actor,
      role,
      ip,
      action,
      target,
      reason,
    ]);
    const by = ["admin-1", "admin", "203.0.113.7"];
    assert.deepEqual(seen, [
      [...by, "earn.product.create", id, "summer"],
      [...by, "earn.product.update", id, null],
      [...by, "earn.product.fund", id, null],
      [...by, "earn.product.cancel", id, "over"],
    ]);
    const update = entries[1]!;
    const of = (state: unknown) => {
      const { name, annual_rate_bps } = state as { name: string; annual_rate_bps: number };
      return [name, annual_rate_bps];
    };
    assert.deepEqual(
      [of(update.before), of(update.after)],
      [
        ["USDT 30 days", 1_200],
        ["Better", 1_500],
      ],
    );
  });
});

describe("terms that change", () => {
  it("ERN-1: subscribing waits until the chain has the same terms", async (t) => {
    const scene = await openSmallScene(t);
    const start = later(scene, 1);
    const { id } = await scene.earn.admin.create(bodyOf(scene, { subscribe_start_time: start }), ADMIN);
    const updated = await scene.earn.admin.update(id, { annual_rate_bps: "1500" }, ADMIN);
    assert.deepEqual([updated.annual_rate, updated.status], ["15.00", "created"]);
    // As if the chain had terms other than ours.
    await scene.db.updateTable("earn_product").set({ annual_rate_bps: 1_600 }).execute();
    scene.clock.advance(2 * 3_600_000);
    await scene.sync();
    assert.equal((await scene.earn.products.read(id)).status, "created");
    await scene.db.updateTable("earn_product").set({ annual_rate_bps: 1_500 }).execute();
    await scene.sync();
    assert.equal((await scene.earn.products.read(id)).status, "subscribing");
    await refusedWith("INVALID_STATE", scene.earn.admin.update(id, { annual_rate_bps: 1_700 }, ADMIN));
    const renamed = await scene.earn.admin.update(id, { name: "Renamed", description: null }, ADMIN);
    assert.deepEqual([renamed.name, renamed.description], ["Renamed", null]);
  });

  it("a change that the contract refuses is taken back", async (t) => {
    const scene = await openSmallScene(t);
    const start = later(scene, 1);
    const { id } = await scene.earn.admin.create(bodyOf(scene, { subscribe_start_time: start }), ADMIN);
    const refusing = scene.again({
      ...operatorLike(scene),
      send: async () => ({ state: "reverted", hash: "0x01", blockNumber: 1, blockHash: "0x02" }),
    });
    await refusedWith("CHAIN_REFUSED", refusing.admin.update(id, { annual_rate_bps: 1_500 }, ADMIN));
    assert.equal((await scene.earn.products.read(id)).annual_rate_bps, 1_200);
  });
});
