import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type {
  AdminDashboard,
  AdminKol,
  BrokerOverview,
  BrokerPerformance,
  CalculatedRebates,
  Downline,
} from "@bourse/api";
import { sql } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import { type Trader, TradingFloor } from "../settlement/testing/floor.ts";
import { accepted, DIRECT, type Partner, type PartnersScene } from "./testing/scene.ts";

const SUB_KOL = { code_type: "sub_kol", share_ratio: "0.2", sub_kol_rebate_rate: "0.3" };
const SYBILS = 50;

/** What only money may make bigger. */
async function sizesOf({ platform }: PartnersScene) {
  const { rows } = await sql<{ accounts: number; messages: number; terms: number }>`
    select (select count(*)::int from exchange_account) as accounts, (select count(*)::int from outbox) as messages,
      (select count(*)::int from broker_terms) as terms`.execute(platform.database.db);
  return rows[0]!;
}

describe("SEC-11: partners and customers without an account", () => {
  let floor: TradingFloor;
  let scene: PartnersScene;
  let kol: Partner;
  before(async () => {
    floor = await TradingFloor.open();
    scene = floor.scene;
    kol = await scene.kol(5);
  });
  after(() => floor.close());

  const rowOf = async (table: "broker" | "broker_bind", { address }: Trader) => {
    const row = await scene.db.selectFrom(table).select("account").where("wallet_address", "=", address).execute();
    return row[0];
  };
  const accountsOf = async (...wallets: readonly Trader[]) => {
    const { rows } = await sql<{ address: string; account: number }>`
      select address, account from exchange_account
      where address = any(${wallets.map(({ address }) => address)}::text[])`.execute(scene.db);
    const known = new Map(rows.map(({ address, account }) => [address, account]));
    return wallets.map(({ address }) => known.get(address));
  };
  const bound = async (inviter: Pick<Partner, "token">, body: object = DIRECT) => {
    const visitor = await scene.visitor();
    accepted(await scene.bind(visitor.token, (await scene.code(inviter.token, body)).code));
    return visitor;
  };
  const rebatesOf = async (period: string) =>
    accepted<CalculatedRebates>(await scene.admin("POST", "/rebate/calculate", { period }));
  const recordsOf = async (broker: Partner) => {
    const { rows } = await sql<{ downline: string; fee: bigint; net: bigint; customer: bigint }>`
      select downline_wallet as downline, fee_micros as fee, net_micros as net, customer_micros as customer
      from rebate_record where broker_id = ${broker.id} order by downline_wallet`.execute(scene.db);
    return rows;
  };
  const today = () => new Date(scene.platform.clock.now()).toISOString().slice(0, 10);

  it("neither a KOL made by an admin nor fifty wallets that bind codes open an account or reach the engine", async () => {
    const before_ = await sizesOf(scene);
    const { code } = await scene.code(kol.token);
    for (let number = 0; number < SYBILS; number += 1) {
      const { token } = await scene.visitor();
      accepted(await scene.bind(token, number % 5 === 4 ? (await scene.code(kol.token, SUB_KOL)).code : code));
    }
    await scene.kol(1);
    assert.deepEqual(await sizesOf(scene), before_);
  });

  it("lists, counts and dashboards show them with zeros", async () => {
    const list = accepted<AdminKol[]>(await scene.admin("GET", "/kols"));
    assert.equal(list.find(({ broker_id }) => broker_id === kol.id)?.invitee_count, SYBILS);
    const overview = accepted<BrokerOverview>(await scene.call(kol.token, "GET", "/overview"));
    assert.deepEqual([overview.total_invited, overview.total_fee], [SYBILS, "0.00"]);
    const downlines = accepted<Downline[]>(await scene.call(kol.token, "GET", "/downlines"));
    assert.deepEqual(
      downlines.map(({ code_type, rebate_rate, total_fee }) => `${code_type} ${rebate_rate} ${total_fee}`).toSorted(),
      [...Array(SYBILS * 0.8).fill("direct 0.1 0.00"), ...Array(SYBILS * 0.2).fill("sub_kol 0.3 0.00")],
    );
    const performance = accepted<BrokerPerformance>(
      await scene.call(kol.token, "GET", `/performance?from=${today()}&to=${today()}`),
    );
    assert.deepEqual([performance.totals.sign_ups, performance.totals.active_traders], [SYBILS, 0]);
    const { sub_kol_count } = accepted<AdminDashboard>(await scene.admin("GET", "/dashboard"));
    assert.equal(sub_kol_count, SYBILS * 0.2);
  });

  it("a bind is the first one, whether the account is open or not", async () => {
    const customer = await bound(kol);
    const other = (await scene.code(kol.token)).code;
    await scene.refuses(() => scene.bind(customer.token, other), 409, "ALREADY_BOUND", "already bound");
    await scene.fund(customer);
    await scene.refuses(() => scene.bind(customer.token, other), 409, "ALREADY_BOUND", "already bound");
    const used = await scene.code(kol.token, SUB_KOL);
    accepted(await scene.bind((await scene.visitor()).token, used.code));
    const late = await scene.visitor();
    await scene.refuses(() => scene.bind(late.token, used.code), 410, "CODE_EXPIRED", "code expired");
  });

  it("the first deposit opens the account bound, and the inviter's with it; the first fill's rebate is the inviter's", async () => {
    const inviter = await scene.kol(5);
    const customer = await bound(inviter);
    assert.deepEqual(await accountsOf(inviter, customer), [undefined, undefined]);
    await floor.fund(customer);
    const [leader, account] = await accountsOf(inviter, customer);
    assert.deepEqual(
      [await rowOf("broker", inviter), await rowOf("broker_bind", customer)],
      [{ account: leader }, { account }],
    );
    await floor.take(customer);
    await rebatesOf(today());
    // 100 USDT of fee at 40 %, of which a tenth of the fee is the customer's.
    assert.deepEqual(await recordsOf(inviter), [
      { downline: customer.address, fee: 100_000_000n, net: 30_000_000n, customer: 10_000_000n },
    ]);
  });

  it("a second customer and the inviter's own deposit open no other account for it", async () => {
    const inviter = await scene.kol(5);
    const [first, second] = [await bound(inviter), await bound(inviter)];
    for (const wallet of [first, second, inviter]) await floor.fund(wallet);
    const [leader] = await accountsOf(inviter);
    assert.deepEqual(await rowOf("broker", inviter), { account: leader });
    assert.equal((await scene.termsOf(inviter.id)).length, 1);
    await floor.take(second);
    await floor.take(inviter);
    await rebatesOf(today());
    assert.deepEqual(
      (await recordsOf(inviter)).map(({ downline, customer }) => [downline, customer]),
      [
        [second.address, 10_000_000n],
        [inviter.address, 40_000_000n],
      ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
  });

  it("a wallet with an account that binds opens its inviter's account: the reply means that the engine has the terms", async () => {
    const inviter = await scene.kol(5);
    const customer = await scene.visitor();
    await floor.fund(customer);
    accepted(await scene.bind(customer.token, (await scene.code(inviter.token)).code));
    assert.equal((await accountsOf(inviter)).filter((account) => account !== undefined).length, 1);
    await floor.take(customer);
    await rebatesOf(today());
    assert.equal((await recordsOf(inviter))[0]?.fee, 100_000_000n);
  });

  it("a parent needs no account to earn its share, and its rate of the moment of opening holds", async () => {
    const parent = await scene.kol(5);
    const sub = await scene.subKol(parent, "0.3", "0.2");
    accepted(await scene.admin("PUT", `/kol/${parent.id}`, { rebate_rate: "0.25" }));
    const customer = await bound(sub);
    await floor.fund(customer);
    assert.deepEqual(
      (await accountsOf(parent, sub)).map((account) => account !== undefined),
      [false, true],
    );
    await floor.take(customer);
    await rebatesOf(today());
    const [record] = await recordsOf(sub);
    // The parent's 25 % are the cap; 10 % are the customer's, a fifth of the rest is the parent's share.
    assert.deepEqual([record?.customer, record?.net], [10_000_000n, 12_000_000n]);
    const overview = accepted<{ share_income: string }>(await scene.call(parent.token, "GET", "/overview"));
    assert.match(overview.share_income, /^3/);
  });

  it("a grant opens the account bound, as a deposit does", async () => {
    const inviter = await scene.kol(5);
    const customers = [await bound(inviter), await bound(inviter)];
    const body = {
      batch_name: "Round",
      grant_tier: "COMMUNITY",
      per_address_amount: "10",
      max_leverage: 10,
      recipients: customers.map(({ address }) => address),
      operator_addr: customers[0]!.address,
      request_id: "bound-wallets",
    };
    const { access_token } = await scene.platform.adminSignIn();
    accepted(await scene.platform.post("/api/v1/bonus/admin/grant-batch", body, access_token));
    const accounts = await accountsOf(...customers);
    for (const [at, customer] of customers.entries()) {
      assert.deepEqual(await rowOf("broker_bind", customer), { account: accounts[at] });
    }
    assert.equal((await scene.termsOf(inviter.id)).length, 1);
  });

  it("of binds and first deposits at the same moment each customer ends bound in the engine", async () => {
    const inviter = await scene.kol(5);
    const customers = await Promise.all(Array.from({ length: 5 }, () => scene.visitor()));
    const { code } = await scene.code(inviter.token);
    await Promise.all(customers.flatMap((one) => [scene.fund(one), scene.bind(one.token, code)]));
    const accounts = await accountsOf(...customers);
    for (const [at, customer] of customers.entries()) {
      assert.deepEqual(await rowOf("broker_bind", customer), { account: accounts[at] });
      const { rows } = await sql`select from outbox where ref = ${`follow-terms:${accounts[at]}`}`.execute(scene.db);
      assert.equal(rows.length, 1);
    }
    for (const customer of customers) await floor.fund(customer);
    for (const customer of customers) await floor.take(customer, "0.4");
    await rebatesOf(today());
    assert.equal((await recordsOf(inviter)).length, customers.length);
  });

  it("they are not forgotten after 30 days, as other wallets without an account are", async () => {
    const customer = await bound(kol);
    const stranger = await scene.visitor();
    accepted(await scene.platform.post("/api/v1/dev/clock", { advance_ms: 32 * DAY_ms }));
    const { rows } = await sql<{ address: string }>`
      select address from wallet where address = any(${[customer.address, stranger.address]}::text[])`.execute(
      scene.db,
    );
    assert.deepEqual(rows, [{ address: customer.address }]);
  });
});
