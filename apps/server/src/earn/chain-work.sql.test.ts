import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductRequest } from "@bourse/api";
import { earnAbi } from "@bourse/contracts";
import type { Operator } from "../chain/operator/operator.ts";
import { wallet } from "../chain/testing/chains.ts";
import { ApiError } from "../kernel/errors.ts";
import { ADMIN, EARN_ABI, openSmallScene, type SmallScene } from "./testing/small-scene.ts";

const DAY_ms = 86_400_000;
const alice = wallet(1);
const bob = wallet(2);

function bodyOf({ clock }: SmallScene, changes: Partial<ProductRequest> = {}): ProductRequest {
  return {
    name: "USDT 30 days",
    annual_rate_bps: 1_200,
    duration_seconds: 2_592_000,
    total_quota: "10000000000",
    min_amount: "10000000",
    max_amount_per_user: "5000000000",
    subscribe_start_time: new Date(clock.now()).toISOString(),
    subscribe_end_time: new Date(clock.now() + DAY_ms).toISOString(),
    ...changes,
  };
}

async function invest(scene: SmallScene, user: typeof alice, productId: string, amount: string) {
  const address = user.address.toLowerCase() as `0x${string}`;
  const voucher = await scene.earn.prepare.prepare(address, productId, amount);
  const { chain_product_id, deadline, signature } = voucher;
  const args = [BigInt(chain_product_id), BigInt(voucher.amount), BigInt(deadline), signature];
  return await scene.call(user, scene.contracts.earn, EARN_ABI, "subscribe", args);
}

const productCount = ({ client, contracts }: SmallScene) =>
  client.public.readContract({ address: contracts.earn, abi: earnAbi, functionName: "productCount" });

async function refusedWith(code: string, call: Promise<unknown>): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  });
}

/** Everything that the module keeps. */
async function books({ db }: SmallScene) {
  return {
    products: await db.selectFrom("earn_product").selectAll().orderBy("id").execute(),
    chain: await db.selectFrom("earn_chain_product").selectAll().orderBy("chain_product_id").execute(),
    positions: await db.selectFrom("earn_subscription").selectAll().orderBy("id").execute(),
    reservations: await db.selectFrom("earn_reservation").selectAll().orderBy("user_address").execute(),
  };
}

describe("between the database and the chain", () => {
  it("WIRE-4: a crash after the decision and before the chain makes one product, not two", async (t) => {
    const scene = await openSmallScene(t);
    const body = bodyOf(scene);
    const dying = scene.again({ ...operatorLike(scene), send: () => new Promise(() => undefined) });
    const lost = dying.admin.create(body, ADMIN);
    await until(async () => (await scene.db.selectFrom("earn_action").select("id").execute()).length === 1);
    // Nobody ever answers that one; the admin asks again, of a process that works.
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
    // Somebody else with the operator's key was quicker, and nobody has looked at the chain since.
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
    // As if the chain had other terms than we think.
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

describe("time and claims", () => {
  it("ERN-1: settled ends after 180 days, and can be claimed even then", async (t) => {
    const scene = await openSmallScene(t);
    await scene.give(alice, 100_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    await invest(scene, alice, id, "50");
    await scene.earn.admin.fund(id, { amount: "1000000" }, ADMIN);
    const status = async () => {
      await scene.sync();
      return (await scene.earn.products.read(id)).status;
    };
    scene.clock.advance(31 * DAY_ms);
    assert.equal(await status(), "settled");
    scene.clock.advance(180 * DAY_ms - 1_000);
    assert.equal(await status(), "settled");
    scene.clock.advance(1_000);
    assert.equal(await status(), "ended");
    await scene.call(alice, scene.contracts.earn, EARN_ABI, "claim", [1n]);
    assert.equal(await status(), "ended");
    const [position] = (await books(scene)).positions;
    assert.equal(position!.nft_status, "redeemed");
  });

  it("ERN-9: what orphaned blocks had brought is taken back to the last unit, and comes again with the next ones", async (t) => {
    const scene = await openSmallScene(t);
    for (const user of [alice, bob]) await scene.give(user, 1_000_000_000n);
    const { id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    await invest(scene, alice, id, "100");
    await scene.earn.admin.fund(id, { amount: "3000000" }, ADMIN);
    await scene.sync();

    const beforeTopUp = await books(scene);
    const topUp = await scene.chain.snapshot();
    await invest(scene, alice, id, "20");
    await invest(scene, bob, id, "30");
    await scene.index();
    const subscribed = await books(scene);
    assert.deepEqual(subscribed.positions.map(({ principal }) => principal).sort(), ["120000000", "30000000"]);
    assert.ok(subscribed.reservations.every(({ is_used }) => is_used));
    await scene.chain.revertTo(topUp);
    await mineOther(scene);
    await scene.index();
    const rewound = await books(scene);
    assert.deepEqual(rewound.chain, beforeTopUp.chain);
    assert.deepEqual(rewound.positions, beforeTopUp.positions);
    assert.deepEqual(rewound.reservations.filter(({ is_used }) => !is_used).length, 2, "both vouchers are open again");

    scene.clock.advance(31 * DAY_ms);
    const beforeSettling = await scene.chain.snapshot();
    await scene.sync();
    await scene.call(alice, scene.contracts.earn, EARN_ABI, "claim", [1n]);
    await scene.sync();
    assert.equal((await scene.earn.products.read(id)).status, "ended");
    await scene.chain.revertTo(beforeSettling);
    await mineOther(scene);
    await scene.index();
    const unsettled = await books(scene);
    assert.equal(unsettled.products[0]!.status, "active");
    assert.deepEqual(unsettled.chain, beforeTopUp.chain);
    assert.deepEqual(unsettled.positions, beforeTopUp.positions);

    // The operator sends its settlement again, under the same reference, and the product goes on.
    for (let looks = 0; looks < 3; looks += 1) {
      await scene.operator.sync();
      await scene.sync();
    }
    assert.equal((await scene.earn.products.read(id)).status, "settled");
  });

  it("ERN-9: a product whose creation was orphaned is found again under its new number", async (t) => {
    const scene = await openSmallScene(t);
    await scene.index();
    const empty = await scene.chain.snapshot();
    const { id, chain_product_id } = await scene.earn.admin.create(bodyOf(scene), ADMIN);
    await scene.sync();
    assert.equal(chain_product_id, 1);
    await scene.chain.revertTo(empty);
    await mineOther(scene);
    await scene.index();
    assert.equal((await books(scene)).products[0]!.chain_product_id, null);
    assert.equal((await scene.earn.products.list({})).total, 0);
    for (let looks = 0; looks < 3; looks += 1) {
      await scene.operator.sync();
      await scene.sync();
    }
    const found = await scene.earn.products.read(id);
    assert.deepEqual([found.chain_product_id, found.status], [1, "subscribing"]);
    assert.equal(await productCount(scene), 1n);
  });
});

const later = ({ clock }: SmallScene, hours: number) => new Date(clock.now() + hours * 3_600_000).toISOString();

const operatorLike = ({ operator }: SmallScene): Pick<Operator, "address" | "send"> => ({
  address: operator.address,
  send: (call, options) => operator.send(call, options),
});

/** Another branch, longer than what was taken back. */
async function mineOther({ chain }: SmallScene): Promise<void> {
  for (let mined = 0; mined < 4; mined += 1) await chain.mine();
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline_ms = performance.now() + 30_000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline_ms, "waited in vain");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
