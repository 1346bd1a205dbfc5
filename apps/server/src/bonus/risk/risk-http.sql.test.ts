import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { RiskPlatform, type Trader } from "./testing/risk-platform.ts";

const inOrder = (...traders: readonly Trader[]) => traders.map(({ address }) => address).sort();

describe("linked wallets over HTTP", () => {
  let risk: RiskPlatform;
  before(async () => {
    risk = await RiskPlatform.create();
  });
  after(() => risk.close());

  /** Two wallets with a common source that close against each other the positions they held before the grant: nothing is locked. */
  async function flatPair(ip?: string): Promise<[Trader, Trader]> {
    const [source, one, other] = [await risk.trader(), await risk.trader(ip), await risk.trader(ip)];
    await risk.pay(source, one, 100);
    await risk.pay(source, other, 100);
    await risk.trade(one, other, "0.1", "60000");
    risk.pass(1);
    await risk.grant(one, other);
    await risk.price("60600");
    await risk.trade(other, one, "0.1", "60600");
    await risk.price("60000");
    return [one, other];
  }

  /** Half of the fees, and half of the second wallet's loss of 60. */
  const recalledOf = ([one, other]: readonly [Trader, Trader]) =>
    [
      { address: one.address, status: "recalled", recalled_amount: "498.485", still_locked_amount: "0.00" },
      { address: other.address, status: "recalled", recalled_amount: "469.394", still_locked_amount: "0.00" },
    ].sort((a, b) => (a.address < b.address ? -1 : 1));

  /** Two wallets with a common source that hold opposite positions on their bonuses. */
  async function holdingPair(): Promise<[Trader, Trader]> {
    const [source, one, other] = [await risk.trader(), await risk.trader(), await risk.trader()];
    await risk.pay(source, one, 100);
    await risk.pay(source, other, 100);
    await risk.grant(one, other);
    await risk.trade(one, other, "0.2", "60000");
    await risk.price("60600");
    return [one, other];
  }

  it("BON-12: two wallets of one source that mirror each other are listed with reasons, frozen and recalled", async () => {
    const [one, other] = await flatPair();
    const { items, clusters, wallets_checked, funding_is_current } = await risk.risk();
    const wallets = inOrder(one, other);
    const item = items.find((pair) => pair.wallets[0] === wallets[0]);
    assert.ok(item !== undefined);
    assert.deepEqual([item.wallets, item.score, item.proposed_action], [wallets, 100, "freeze"]);
    assert.deepEqual(item.statuses, ["active", "active"]);
    assert.deepEqual(
      item.reasons.map(({ kind, points }) => [kind, points]),
      [
        ["funding", 40],
        ["mirrored", 30],
        ["volume", 20],
        ["pnl", 20],
      ],
      "110 points are a score of 100",
    );
    const [funding, mirrored, volume, pnl] = item.reasons;
    assert.ok(volume?.kind === "volume" && volume.volume === volume.total_volume);
    assert.ok(funding?.kind === "funding" && funding.wallets_funded === 2 && !funding.is_direct);
    assert.ok(mirrored?.kind === "mirrored" && mirrored.relation === "mirrored" && mirrored.basis === "orders");
    assert.deepEqual([mirrored.matched, mirrored.of], [1, [1, 1]], "orders of before the grant do not count");
    assert.ok(pnl?.kind === "pnl");
    assert.deepEqual(pnl.pnl.toSorted(), ["-60.00", "60.00"]);
    const cluster = { id: wallets[0], wallets, max_score: 100, proposed_action: "freeze" };
    assert.deepEqual(
      clusters.find(({ id }) => id === wallets[0]),
      cluster,
    );
    assert.ok(wallets_checked >= 2 && funding_is_current);

    const body = risk.freezeBody(one);
    const done = await risk.freezeLinked(body);
    assert.equal(done.status, 200, JSON.stringify(done.body));
    const { audit_id, ...reply } = done.body;
    assert.deepEqual(reply, { target_address: one.address, wallets: recalledOf([one, other]), replayed: false });
    assert.deepEqual((await risk.freezeLinked(body)).body, { ...done.body, replayed: true });
    for (const trader of [one, other]) {
      const { status, bonus_free, bonus_locked } = await risk.bonusOf(trader);
      assert.deepEqual([status, bonus_free, bonus_locked], ["recalled", "0.00", "0.00"]);
    }
    const { rows } = await sql<{ action: string; target: string; after: unknown; reason: string; actor: string }>`
      select action, target, after, reason, actor from audit_log where seq = ${audit_id}`.execute(risk.grants.db);
    const after_ = { wallets, min_score: 80, operator_addr: body["operator_addr"], request_id: body["request_id"] };
    const entry = { action: "bonus.freeze-linked", target: one.address, reason: "linked", actor: "bonus-admin" };
    assert.deepEqual(rows, [{ ...entry, after: after_ }]);
    const { rows: lines } = await sql<{ kind: string; count: number }>`
      select kind, count(*)::int as count from bonus_pool_line join bonus_account as own on own.id = bonus_account_id
      where own.address = any(${wallets}::text[]) group by kind order by kind`.execute(risk.grants.db);
    assert.deepEqual(lines, [
      { kind: "GRANT", count: 2 },
      { kind: "RECALL", count: 2 },
    ]);
  });

  it("BON-12: what is in margin stays frozen until it is closed", async () => {
    const [one, other] = await holdingPair();
    assert.deepEqual(await risk.scores(one, other), { "0-1": 100 });
    const body = risk.freezeBody(other);
    const { status, body: reply } = await risk.freezeLinked(body);
    assert.equal(status, 200, JSON.stringify(reply));
    for (const wallet of reply.wallets) {
      assert.deepEqual([wallet.status, wallet.recalled_amount], ["frozen", "0.00"]);
      assert.ok(Number(wallet.still_locked_amount) > 0, wallet.still_locked_amount);
    }
    assert.equal((await risk.bonusOf(one)).status, "frozen");
    const { rows } = await sql<{ freeze_reason: string }>`
      select freeze_reason from bonus_account where address = ${one.address}`.execute(risk.grants.db);
    assert.deepEqual(rows, [{ freeze_reason: "linked" }]);
    // Again with another request id: already frozen, and still locked.
    const again = await risk.freezeLinked(risk.freezeBody(one));
    assert.deepEqual(again.body.wallets, reply.wallets);
    await risk.trade(other, one, "0.2", "60600");
    assert.equal((await risk.bonusOf(one)).status, "recalled");
    assert.deepEqual((await risk.freezeLinked(body)).body, { ...reply, replayed: true }, "as it was");
    assert.equal((await risk.freezeLinked(risk.freezeBody(one))).body.code, "no_bonus", "nothing of it runs any more");
    await risk.price("60000");
  });

  it("BON-12: positions that are alike count where orders are not", async () => {
    const [source, one, other, maker] = [
      await risk.trader(),
      await risk.trader(),
      await risk.trader(),
      await risk.trader(),
    ];
    await risk.pay(source, one, 100);
    await risk.pay(source, other, 100);
    await risk.grant(one, other);
    await risk.trade(one, maker, "0.100", "60000");
    for (const quantity of ["0.050", "0.030", "0.020"]) await risk.trade(maker, other, quantity, "60000");
    const { items } = await risk.risk("?limit=500");
    const item = items.find(({ wallets }) => wallets.includes(one.address) && wallets.includes(other.address));
    assert.equal(item?.score, 70);
    const mirrored = item?.reasons.find(({ kind }) => kind === "mirrored");
    assert.ok(mirrored?.kind === "mirrored" && mirrored.basis === "positions" && mirrored.relation === "mirrored");
    // Closed and opened again ten minutes later: another position.
    await risk.trade(maker, one, "0.100", "60000");
    assert.deepEqual(await risk.scores(one, other), {});
    risk.pass(10 * MINUTE_ms);
    await risk.trade(one, maker, "0.100", "60000");
    assert.deepEqual(await risk.scores(one, other), {});
  });

  it("BON-12: a wallet that has paid the other, and their common IP", async () => {
    const ip = risk.newIp();
    const [one, other] = [await risk.trader(ip), await risk.trader(ip)];
    await risk.pay(one, other, 5);
    await risk.grant(one, other);
    const { items } = await risk.risk("?limit=500");
    const item = items.find(({ wallets }) => wallets.includes(one.address));
    assert.deepEqual([item?.score, item?.proposed_action], [50, "watch"], "listed, and not proposed");
    const [funding, place] = item?.reasons ?? [];
    assert.ok(funding?.kind === "funding" && funding.is_direct);
    assert.deepEqual(funding.sources, [one.address]);
    assert.ok(place?.kind === "ip");
    assert.deepEqual(place.ips, [ip]);
    const higher = await risk.riskAsItIs("?min_score=51");
    assert.ok(!higher.items.some(({ wallets }) => wallets.includes(one.address)));
    // At score 80 the cluster is the wallet alone; at 50 it is both wallets.
    const { body } = await risk.freezeLinked(risk.freezeBody(one));
    assert.deepEqual(
      body.wallets.map(({ address }) => address),
      [one.address],
    );
    assert.equal((await risk.bonusOf(other)).status, "active");
    const both = await risk.freezeLinked(risk.freezeBody(one, { min_score: 50 }));
    assert.deepEqual(
      both.body.wallets.map(({ address }) => address),
      [other.address],
      "the one whose bonus still runs",
    );
  });

  it("BON-12: honest wallets behind one IP, and wallets that share nothing but a source, are not listed", async () => {
    const ip = risk.newIp();
    const honest = [await risk.trader(ip), await risk.trader(ip)] as const;
    const maker = await risk.trader();
    await risk.grant(...honest);
    await risk.trade(honest[0], maker, "0.010", "60000");
    risk.pass(6 * MINUTE_ms);
    await risk.trade(honest[1], maker, "0.010", "60000");
    assert.deepEqual(await risk.scores(...honest), {});

    const source = await risk.trader();
    const funded = [await risk.trader(), await risk.trader()] as const;
    for (const one of funded) await risk.pay(source, one, 50);
    await risk.grant(...funded);
    assert.deepEqual(await risk.scores(...funded), {});
  });

  it("BON-12: the list is kept for 60 seconds, and made anew then", async () => {
    const before_ = await risk.risk();
    const ip = risk.newIp();
    const [one, other] = [await risk.trader(ip), await risk.trader(ip)];
    await risk.pay(one, other, 5);
    await risk.grant(one, other);
    risk.pass(60_000);
    assert.deepEqual(await risk.riskAsItIs(), before_);
    risk.pass(1);
    const [later, same] = await Promise.all([risk.riskAsItIs(), risk.riskAsItIs()]);
    assert.deepEqual(later, same);
    assert.ok(later.total === before_.total + 1 && later.generated_at > before_.generated_at);
    const cut = await risk.riskAsItIs("?limit=1");
    assert.deepEqual([cut.items.length, cut.total], [1, later.total]);
    assert.deepEqual((await risk.riskAsItIs("?limit=100000")).items, later.items);
  });

  it("BON-4: one of many equal requests at once acts, the others answer the same; another body is refused", async () => {
    const [one, other] = await flatPair();
    const body = risk.freezeBody(one);
    const replies = await Promise.all(Array.from({ length: 10 }, () => risk.freezeLinked(body)));
    for (const reply of replies) assert.equal(reply.status, 200, JSON.stringify(reply.body));
    assert.equal(replies.filter(({ body: { replayed } }) => !replayed).length, 1);
    for (const { body: reply } of replies) assert.deepEqual(reply.wallets, recalledOf([one, other]));
    for (const change of [{ reason: "another" }, { min_score: 50 }, { target_address: other.address }]) {
      const reply = await risk.freezeLinked({ ...body, ...change });
      assert.deepEqual([reply.status, reply.body.code], [409, "request_id_conflict"]);
    }
  });

  it("BON-12: what is malformed is refused, and changes nothing", async () => {
    const trader = await risk.trader();
    const stranger = await risk.trader();
    await risk.grant(trader);
    const good = risk.freezeBody(trader);
    const { target_address: _, ...untargeted } = good;
    const checksum = `0x${trader.wallet.address.slice(2).replace(/[a-z]/, (letter) => letter.toUpperCase())}`;
    const before_ = await risk.grants.fingerprint();
    for (const [body, status, code] of [
      [untargeted, 400, "field_required"],
      [{ ...good, target_address: "0x12" }, 400, "invalid_address"],
      [{ ...good, target_address: checksum === trader.wallet.address ? "0x" : checksum }, 400, "invalid_address"],
      [{ ...good, target_address: `0x${"0".repeat(40)}` }, 400, "invalid_address"],
      [{ ...good, target_address: stranger.address }, 404, "no_bonus"],
      [{ ...good, target_address: 5 }, 400, "invalid_field"],
      [{ ...good, operator_addr: "" }, 400, "invalid_field"],
      [{ ...good, reason: "" }, 400, "invalid_field"],
      [{ ...good, reason: "x".repeat(501) }, 400, "invalid_field"],
      [{ ...good, reason: "a\u202Eb" }, 400, "invalid_field"],
      [{ ...good, request_id: "with space" }, 400, "invalid_field"],
      [{ ...good, request_id: "x".repeat(129) }, 400, "invalid_field"],
      [{ ...good, min_score: 49 }, 400, "invalid_field"],
      [{ ...good, min_score: 101 }, 400, "invalid_field"],
      [{ ...good, min_score: 79.5 }, 400, "invalid_field"],
      [{ ...good, min_score: "many" }, 400, "invalid_field"],
    ] as const) {
      const reply = await risk.freezeLinked(body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], JSON.stringify(body));
    }
    for (const query of [
      "min_score=49",
      "min_score=101",
      "min_score=x",
      "limit=0",
      "limit=-1",
      "limit=1.5",
      "limit=x",
    ]) {
      const { status, body } = await risk.grants.admin("GET", `/risk?${query}`);
      assert.deepEqual([status, body.code], [400, "invalid_field"], query);
    }
    assert.deepEqual(await risk.grants.fingerprint(), before_);
    const key = risk.platform.settings.bonusAdminApiKey;
    const wrong = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    assert.equal((await risk.grants.admin("GET", "/risk", undefined, wrong)).status, 401);
    assert.equal((await risk.platform.get("/api/v1/bonus/admin/risk", trader.token)).statusCode, 403);
    const admin = (await risk.platform.adminSignIn()).access_token;
    assert.equal((await risk.platform.get("/api/v1/bonus/admin/risk", admin)).statusCode, 200);
  });
});
