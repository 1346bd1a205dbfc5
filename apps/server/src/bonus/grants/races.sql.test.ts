import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { GrantsPlatform, strangeWallet } from "./testing/grants-platform.ts";

const CAP = "2000";

describe("grants at the same moment", () => {
  let scene: GrantsPlatform;
  let wallets = 0;
  const fresh = () => strangeWallet(++wallets);
  const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => (status === 200 ? "ok" : body.code);
  const tally = (replies: readonly { status: number; body: { code?: string } }[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(replies, (reply) => codeOf(reply) ?? "")).map(([code, all]) => [code, all?.length]),
    );

  before(async () => {
    scene = await GrantsPlatform.create({ BONUS_POOL_CAP_USDT: CAP });
  });
  after(() => scene.close());

  /** Granted minus returned, by the pool's sums and by its lines. */
  async function outflow() {
    const { rows } = await sql<{ sums: bigint; lines: bigint; accounts: bigint }>`
      select granted_micros - returned_micros as sums,
        (select sum(case kind when 'GRANT' then amount_micros else -amount_micros end) from bonus_pool_line)::bigint as lines,
        (select sum(amount_micros) from bonus_account)::bigint as accounts
      from bonus_pool`.execute(scene.db);
    return rows[0]!;
  }

  it("BON-4: twenty equal requests grant once, and all have the same answer", async () => {
    const body = scene.grantBody([fresh(), fresh(), "x"]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.admin("POST", "/grant-batch", body)));
    const answers = new Set(
      replies.map(({ status, body: { replayed: _, ...rest } }) => JSON.stringify([status, rest])),
    );
    assert.equal(answers.size, 1);
    assert.equal(replies.filter(({ body: { replayed } }) => !replayed).length, 1);
    assert.equal(replies[0]?.body.created, 2);
    for (const recipient of (body["recipients"] as string[]).slice(0, 2)) {
      assert.deepEqual(await scene.grantsOf(recipient), { pool: 1, engine: 1, micros: 10_000_000 });
    }
  });

  it("BON-4: twenty bodies under one name: one is done, the others conflict", async () => {
    const request_id = scene.nextRequestId();
    const all = Array.from({ length: 20 }, fresh);
    const replies = await Promise.all(all.map((wallet) => scene.grant([wallet], { request_id })));
    assert.deepEqual(tally(replies), { ok: 1, request_id_conflict: 19 });
    const granted = await Promise.all(all.map(async (wallet) => (await scene.grantsOf(wallet)).engine));
    assert.equal(
      granted.reduce((sum, each) => sum + each, 0),
      1,
    );
  });

  it("BON-4: twenty equal requests for codes make them once", async () => {
    const batch = await scene.batch();
    const body = scene.codesBody(batch, { count: 5 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => scene.admin("POST", "/generate-codes", body)));
    assert.equal(new Set(replies.map(({ body: { codes } }) => codes.join())).size, 1);
    assert.equal(replies.filter(({ body: { replayed } }) => !replayed).length, 1);
    assert.equal((await scene.admin("GET", `/batches/${batch}`)).body.codes.unused, 5);
  });

  it("BON-2: twenty batches for one wallet grant it one bonus", async () => {
    const wallet = fresh();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => scene.grant([wallet, fresh()], { per_address_amount: "1" })),
    );
    assert.deepEqual(replies.map(({ body: { created } }) => created).sort(), [...Array(19).fill(1), 2]);
    assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 1_000_000 });
  });

  it("BON-1: one code, many wallets: one of them has it", async () => {
    const [code] = await scene.codes(await scene.batch());
    const callers = await scene.signedIn(100, 12);
    const replies = await Promise.all(callers.map(({ token }, at) => scene.redeem(token, code, `10.1.0.${at}`)));
    assert.deepEqual(tally(replies), { ok: 1, code_not_redeemable: 11 });
    const granted = await Promise.all(callers.map(async ({ wallet }) => (await scene.grantsOf(wallet)).engine));
    assert.equal(
      granted.reduce((sum, each) => sum + each, 0),
      1,
    );
  });

  it("BON-2: one wallet, many codes: it has one bonus, and the other codes stay good", async () => {
    const batch = await scene.batch();
    const codes = await scene.codes(batch, { count: 8 });
    const [caller] = await scene.signedIn(120, 1);
    assert.ok(caller);
    const replies = await Promise.all(codes.map((code) => scene.redeem(caller.token, code, "10.1.1.1")));
    assert.deepEqual(tally(replies), { ok: 1, already_has_bonus: 7 });
    assert.deepEqual(await scene.grantsOf(caller.wallet), { pool: 1, engine: 1, micros: 10_000_000 });
    assert.deepEqual((await scene.admin("GET", `/batches/${batch}`)).body.codes, {
      unused: 7,
      redeemed: 1,
      expired: 0,
      void: 0,
    });
  });

  it("BON-2: a grant and a redemption for one wallet: it has one bonus", async () => {
    const batch = await scene.batch();
    const callers = await scene.signedIn(130, 6);
    const codes = await scene.codes(batch, { count: callers.length });
    const rounds = callers.map(async ({ wallet, token }, at) => {
      const redeem = () => scene.redeem(token, codes[at], `10.1.2.${at}`);
      const grant = () => scene.grant([wallet]);
      // Alternates which request is sent first.
      const [one, other] = await Promise.all(at % 2 === 0 ? [redeem(), grant()] : [grant(), redeem()]);
      assert.ok(one.status === 200 || other.status === 200);
      assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 10_000_000 });
    });
    await Promise.all(rounds);
  });

  it("BON-1: expiring a batch's codes and redeeming them: each code is one or the other", async () => {
    const batch = await scene.batch();
    const callers = await scene.signedIn(140, 8);
    const codes = await scene.codes(batch, { count: 8, amount: "1" });
    const { operator_addr } = scene.codesBody(batch);
    const ending = { grant_batch_id: batch, operator_addr, request_id: scene.nextRequestId() };
    const [ended, ...replies] = await Promise.all([
      scene.admin("POST", "/expire-codes", ending),
      ...callers.map(({ token }, at) => scene.redeem(token, codes[at], `10.1.3.${at}`)),
    ]);
    const redeemed = replies.filter(({ status }) => status === 200).length;
    assert.equal(ended?.body.expired + redeemed, 8);
    const { codes: counts } = (await scene.admin("GET", `/batches/${batch}`)).body;
    assert.deepEqual(counts, { unused: 0, redeemed, expired: 8 - redeemed, void: 0 });
  });

  it("BON-2: many grants and redemptions at once never exceed the cap, and come to it exactly", async () => {
    const before_ = await outflow();
    const cap_micros = BigInt(CAP) * 1_000_000n;
    const room = Number((cap_micros - before_.sums) / 100_000_000n);
    const callers = await scene.signedIn(160, 6);
    const codes = await scene.codes(await scene.batch(), { count: callers.length, amount: "100" });
    const replies = await Promise.all([
      ...Array.from({ length: 14 }, () => scene.grant([fresh(), fresh()], { per_address_amount: "100" })),
      ...callers.map(({ token }, at) => scene.redeem(token, codes[at], `10.1.4.${at}`)),
    ]);
    const { ok = 0, pool_cap_exceeded = 0, ...others } = tally(replies);
    assert.deepEqual(others, {});
    assert.equal(ok + pool_cap_exceeded, 20);
    const granted = replies.reduce((sum, { status, body }) => sum + (status === 200 ? (body.created ?? 1) : 0), 0);
    assert.ok(granted <= room && granted >= room - 1, `${granted} of ${room}`);
    const after_ = await outflow();
    assert.equal(after_.sums, before_.sums + BigInt(granted) * 100_000_000n);
    assert.ok(after_.sums <= cap_micros);
    assert.deepEqual([after_.lines, after_.accounts], [after_.sums, after_.sums]);
    const { rows } = await sql<{ engine: bigint }>`
      select sum(bonus_micros)::bigint as engine from bonus_account where is_credited`.execute(scene.db);
    assert.equal(rows[0]?.engine, after_.sums, "the engine has all of it, once");
  });

  it("BON-11: and the books agree", async () => {
    const report = await scene.admin("GET", "/reconcile-report");
    assert.equal(report.status, 200, JSON.stringify(report.body));
    assert.deepEqual([report.body.ok, report.body.net_outflow], [true, report.body.outstanding_shadow_total]);
  });
});
