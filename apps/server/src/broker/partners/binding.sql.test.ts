import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BindReply } from "@bourse/api";
import { sql } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import type { Wallet } from "../../testing/test-platform.ts";
import { accepted, assertRefused, DIRECT, lower, type Partner, PartnersScene } from "./testing/scene.ts";

const PRICE = "60000";
const SUB_KOL = { code_type: "sub_kol", share_ratio: "0.2", sub_kol_rebate_rate: "0.3" };
const REPLY = { bound: true, inviter_name: null };

describe("binding", () => {
  let scene: PartnersScene;
  let kol: Partner;
  let maker: Wallet;
  before(async () => {
    scene = await PartnersScene.open();
    kol = await scene.kol(5);
    accepted(await scene.platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: PRICE }));
    maker = scene.newWallet();
    await fund(maker);
  });
  after(() => scene.close());

  const fund = (wallet: Wallet) => scene.fund(wallet);
  async function order(wallet: Wallet, side: string): Promise<void> {
    const body = { symbol: "BTCUSDT", side, type: "LIMIT", time_in_force: "GTC", quantity: "0.001", price: PRICE };
    accepted(await scene.platform.post("/api/v1/orders", body, await scene.token(wallet)));
  }
  /** The terms version of the wallet's next fill. */
  async function tradedVersion(wallet: Wallet): Promise<bigint> {
    await order(maker, "SELL");
    await order(wallet, "BUY");
    const account = await scene.accountOf(lower(wallet));
    // This route replies after the tables contain the account's last event.
    accepted(await scene.platform.get("/account/trades", await scene.token(wallet)));
    const { rows } = await sql<{ terms_version: bigint }>`
      select terms_version from exchange_fill where account = ${account} order by trade desc limit 1`.execute(scene.db);
    return rows[0]!.terms_version;
  }
  const newestVersion = async (brokerId: string) => (await scene.termsOf(brokerId)).at(-1)!.terms_version;
  const bindOf = (address: string) =>
    scene.db.selectFrom("broker_bind").selectAll().where("wallet_address", "=", address).executeTakeFirst();
  const brokerOf = (address: string) =>
    scene.db.selectFrom("broker").selectAll().where("wallet_address", "=", address).executeTakeFirstOrThrow();

  it("BRK-1, BRK-2: a direct code makes a customer, read ignoring case", async () => {
    const { code, id } = await scene.code(kol.token);
    const visitor = await scene.visitor();
    const reply = accepted<BindReply>(await scene.bind(visitor.token, ` ${code.toLowerCase()}\n`));
    const bind_time = new Date(scene.platform.clock.now());
    const expected = { ...REPLY, code_type: "direct", inviter_wallet: kol.address, bind_time: bind_time.toISOString() };
    assert.deepEqual(reply, expected);
    assert.deepEqual(await bindOf(visitor.address), {
      wallet_address: visitor.address,
      account: null,
      code_id: id,
      code_type: "direct",
      inviter_broker_id: kol.id,
      bd_id: null,
      customer_ratio_e6: 100_000,
      share_ratio_e6: 200_000,
      bind_time,
    });
  });

  it("BRK-2: a sub_kol code makes one sub-KOL, at the code's rate, with its parent's BD", async () => {
    const bd = await scene.bd();
    const parent = await scene.kol(5, { bd_id: bd.id, nickname: "Moon Li" });
    const { code } = await scene.code(parent.token, SUB_KOL);
    const visitor = await scene.visitor();
    const reply = accepted<BindReply>(await scene.bind(visitor.token, code));
    assert.deepEqual(
      [reply.code_type, reply.inviter_wallet, reply.inviter_name],
      ["sub_kol", parent.address, "Moon Li"],
    );
    const { id, created_at: _created, ...made } = await brokerOf(visitor.address);
    assert.deepEqual(made, {
      account: null,
      wallet_address: visitor.address,
      nickname: null,
      bd_owner_id: bd.id,
      parent_broker_id: parent.id,
      level: null,
      rate_e6: 300_000,
      bound_share_e6: 200_000,
      status: "active",
    });
    await fund(visitor.wallet);
    const [terms] = await scene.termsOf(id);
    assert.deepEqual(
      [terms?.rate_e6, terms?.parent_broker_id, terms?.parent_rate_e6, terms?.bound_share_e6],
      [300_000, parent.id, 400_000, 200_000],
    );
    const bind = await bindOf(visitor.address);
    assert.deepEqual([bind?.customer_ratio_e6, bind?.share_ratio_e6], [null, 200_000]);
    // The wallet can use its new role at once.
    accepted(await scene.call(visitor.token, "POST", "/invite-code", DIRECT));
  });

  it("BRK-2: a bd code makes a KOL at the tier's rate of that moment", async () => {
    const bd = await scene.bd();
    const made = await scene.call(bd.token, "POST", "/bd/invite-code", { level: 4 });
    const visitor = await scene.visitor();
    accepted(await scene.bind(visitor.token, accepted<{ code: string }>(made).code));
    const { level, rate_e6, bd_owner_id, parent_broker_id } = await brokerOf(visitor.address);
    assert.deepEqual([level, rate_e6, bd_owner_id, parent_broker_id], [4, 350_000, bd.id, null]);
    assert.equal((await bindOf(visitor.address))?.bd_id, bd.id);
  });

  it("BRK-2: a bd code whose tier is gone is over", async () => {
    const bd = await scene.bd();
    const { tiers } = accepted<{ tiers: object[] }>(await scene.admin("GET", "/config/tier-thresholds"));
    const made = await scene.call(bd.token, "POST", "/bd/invite-code", { level: 5 });
    accepted(await scene.admin("PUT", "/config/tier-thresholds", { tiers: tiers.slice(0, 4) }));
    const visitor = await scene.visitor();
    const bind = () => scene.bind(visitor.token, accepted<{ code: string }>(made).code);
    await scene.refuses(bind, 410, "CODE_EXPIRED", "code expired");
    accepted(await scene.admin("PUT", "/config/tier-thresholds", { tiers }));
    accepted(await bind());
  });

  it("BRK-1: refusals have their literal texts, and change nothing", async () => {
    const visitor = await scene.visitor();
    const refuses = (code: unknown, status: number, name: string, text?: string, token = visitor.token) =>
      scene.refuses(() => scene.bind(token, code), status, name, text);
    for (const code of ["ZZZZZZZZ", "O0O0O0O0", "ab cd", "a\u0000b", "\ud800", "ß", "'; drop", "x".repeat(5_000)]) {
      await refuses(code, 404, "CODE_NOT_FOUND", "code not found");
    }
    await refuses("", 400, "FIELD_REQUIRED", "code is required");
    for (const code of [null, 5, {}, []]) await refuses(code, 400, "INVALID_FIELD");
    await scene.refuses(() => scene.call(visitor.token, "POST", "/bind", {}), 400, "FIELD_REQUIRED");

    const { code } = await scene.code(kol.token);
    accepted(await scene.bind(visitor.token, code));
    await refuses(code, 409, "ALREADY_BOUND", "already bound");
    const other = await scene.kol();
    const theirs = await scene.code(other.token);
    await refuses(theirs.code, 409, "ALREADY_BOUND", "already bound");
    await refuses(theirs.code, 409, "ALREADY_BOUND", "already bound", kol.token);
    await refuses((await scene.code(other.token, SUB_KOL)).code, 409, "ALREADY_BOUND", "already bound", kol.token);
    accepted(await scene.admin("PUT", `/kol/${other.id}`, { status: "frozen" }));
    await refuses(theirs.code, 410, "CODE_EXPIRED", "code expired", (await scene.visitor()).token);
    accepted(await scene.admin("PUT", `/kol/${other.id}`, { status: "active" }));
    accepted(await scene.bind((await scene.visitor()).token, theirs.code));
  });

  it("BRK-1: nobody invites himself, nor by way of those below", async () => {
    const subKol = await scene.subKol(kol);
    for (const code of [
      (await scene.code(kol.token)).code,
      (await scene.code(kol.token, SUB_KOL)).code,
      (await scene.code(subKol.token)).code,
    ]) {
      await scene.refuses(() => scene.bind(kol.token, code), 400, "SELF_REFERRAL", "self referral");
    }
    const own = await scene.code(subKol.token);
    await scene.refuses(() => scene.bind(subKol.token, own.code), 400, "SELF_REFERRAL", "self referral");
    const upward = await scene.code(kol.token);
    await scene.refuses(() => scene.bind(subKol.token, upward.code), 409, "ALREADY_BOUND", "already bound");
    // A used code is refused to its owner too: the state of the code is checked first.
    const used = await scene.code(kol.token, SUB_KOL);
    accepted(await scene.bind((await scene.visitor()).token, used.code));
    await scene.refuses(() => scene.bind(kol.token, used.code), 410, "CODE_EXPIRED", "code expired");
  });

  it("BRK-1: of two binds of one wallet at once one passes, the other is already bound", async () => {
    for (let round = 0; round < 5; round += 1) {
      const codes = [await scene.code(kol.token), await scene.code(kol.token)];
      const visitor = await scene.visitor();
      const replies = await Promise.all(codes.map(({ code }) => scene.bind(visitor.token, code)));
      assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409]);
      assertRefused(replies.find(({ statusCode }) => statusCode === 409)!, 409, "ALREADY_BOUND", "already bound");
    }
  });

  it("BRK-2: of two wallets with one single-use code at once one passes, for the other it is over", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { code, id } = await scene.code(kol.token, SUB_KOL);
      const visitors = [await scene.visitor(), await scene.visitor()];
      const replies = await Promise.all(visitors.map(({ token }) => scene.bind(token, code)));
      assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 410]);
      const row = await scene.db
        .selectFrom("broker_invite_code")
        .select(["status", "used_count"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(row, { status: "used", used_count: 1 });
    }
  });

  it("BRK-2: many customers at once are all counted", async () => {
    const { code, id } = await scene.code(kol.token);
    const visitors = await Promise.all(Array.from({ length: 8 }, () => scene.visitor()));
    const replies = await Promise.all(visitors.map(({ token }) => scene.bind(token, code)));
    assert.ok(replies.every(({ statusCode }) => statusCode === 200));
    const row = await scene.db.selectFrom("broker_invite_code").selectAll().where("id", "=", id).execute();
    assert.equal(row[0]?.used_count, 8);
  });

  it("BRK-8: a reply means that the engine has the terms: the next fill carries them", async () => {
    const customer = await scene.visitor();
    await fund(customer.wallet);
    assert.equal(await tradedVersion(customer.wallet), 0n, "nobody's before the bind");
    const owner = await scene.kol(5);
    accepted(await scene.bind(customer.token, (await scene.code(owner.token)).code));
    const first = await newestVersion(owner.id);
    assert.equal(await tradedVersion(customer.wallet), first);
    for (const [path, body] of [
      ["", { rebate_rate: "0.31" }],
      ["/tier", { tier_level: 2 }],
      ["", { status: "frozen" }],
    ] as const) {
      accepted(await scene.admin("PUT", `/kol/${owner.id}${path}`, body));
      const version = await newestVersion(owner.id);
      assert.ok(version > first);
      assert.equal(await tradedVersion(customer.wallet), version, JSON.stringify(body));
    }
    // The KOL's own fills carry its own terms.
    await fund(owner.wallet);
    assert.equal(await tradedVersion(owner.wallet), await newestVersion(owner.id));
  });

  it("BRK-8: a parent's change reaches its sub-KOL and the sub-KOL's customers", async () => {
    const parent = await scene.kol(5);
    const subKol = await scene.subKol(parent);
    const customer = await scene.visitor();
    accepted(await scene.bind(customer.token, (await scene.code(subKol.token)).code));
    for (const { wallet } of [subKol, customer]) await fund(wallet);
    const before_ = await newestVersion(subKol.id);
    assert.equal(await tradedVersion(customer.wallet), before_);
    accepted(await scene.admin("PUT", `/kol/${parent.id}`, { rebate_rate: "0.25" }));
    const version = await newestVersion(subKol.id);
    assert.ok(version > before_);
    assert.equal(await tradedVersion(customer.wallet), version);
    assert.equal(await tradedVersion(subKol.wallet), version);
  });

  it("BRK-1: the window is 14 days from the first sign-in, or until the first trade, whichever is later", async () => {
    const [trader, idle, never] = [await scene.visitor(), await scene.visitor(), await scene.visitor()];
    for (const { wallet } of [trader, idle]) await fund(wallet);
    await tradedVersion(trader.wallet);
    const edge = await scene.visitor();
    await fund(edge.wallet);
    await tradedVersion(edge.wallet);
    const { code } = await scene.code(kol.token);

    scene.platform.realTime.advance(14 * DAY_ms);
    assert.equal((await scene.bind(await scene.token(edge.wallet), code)).statusCode, 200, "to the millisecond");
    scene.platform.realTime.advance(1);
    const late = await scene.token(trader.wallet);
    await scene.refuses(() => scene.bind(late, code), 409, "BIND_WINDOW_CLOSED");
    accepted(await scene.bind(await scene.token(idle.wallet), code));
    accepted(await scene.bind(await scene.token(never.wallet), code));
    // Problems of the code are reported first.
    assertRefused(await scene.bind(late, "ZZZZZZZZ"), 404, "CODE_NOT_FOUND");
  });
});
