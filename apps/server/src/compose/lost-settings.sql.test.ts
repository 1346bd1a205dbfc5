import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { CalculatedRebates } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import { sql } from "kysely";
import { pino } from "pino";
import type { Address } from "viem";
import { accepted, DIRECT, type Partner } from "../broker/partners/testing/scene.ts";
import { TradingFloor } from "../broker/settlement/testing/floor.ts";
import { ManualClock, MovableClock } from "../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../kernel/database/testing.ts";
import { logOf } from "../rebuild/index.ts";
import { makeTestFolder } from "../testing/test-folder.ts";
import { testWallet, type Wallet } from "../testing/test-platform.ts";
import { walletClient } from "../testing/wallet-client.ts";
import { migrations } from "./migrations.ts";
import { rebuildFrom } from "./rebuild.ts";

const DAY = "2026-06-01";
const HOUR_ms = 3_600_000;
const BATCHES = "/broker/admin/rebate/payout-batches";

/** By table: the columns that do not come from the log. */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  broker: [],
  broker_accrual: [],
  broker_bind: [],
  broker_day_total: [],
  broker_downline_total: [],
  broker_pre_settlement: [],
  broker_terms: [],
  broker_tier: [],
  broker_total: [],
  payout_batch: ["status", "vault_tx_hash", "hold_up", "updated_at", "paid_at"],
  payout_line: [],
  payout_payee: ["tx_hash", "paid_at"],
  points_allocation: [],
  points_level: [],
  points_line: ["id"],
  points_maker: [],
  points_maker_volume: [],
  points_rule: [],
  points_season: [],
  points_total: [],
  rebate_record: ["payment_status", "payment_tx_hash"],
};

async function rowsOf({ db }: TestDatabase): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const [table, except] of Object.entries(COMPARED)) {
    const { rows } = await sql<{ row: unknown }>`
      select row from (select to_jsonb(one) - ${except}::text[] as row from ${sql.table(table)} as one) as rows
      order by row::text`.execute(db);
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
}

describe("LOG-3: a lost database of a platform with partners and points", () => {
  const folder = makeTestFolder();
  const clock = new MovableClock(0, new ManualClock(Date.parse(`${DAY}T23:30:00Z`)));
  const databases: TestDatabase[] = [];
  let floor: TradingFloor;
  let kol: Partner;
  let sub: Partner;
  let customer: Awaited<ReturnType<TradingFloor["scene"]["visitor"]>>;
  let withoutAccount: typeof customer;
  let batch: string;
  let paid_micros: bigint;
  let closed: CalculatedRebates;

  const newest = () => databases.at(-1)!;
  async function start(): Promise<TradingFloor> {
    const database = { ...newest(), close: async () => {} };
    return await TradingFloor.open({ path: folder.path, database, clock, seed: `start ${databases.length}` });
  }
  const admin = async <Body = unknown>(method: "POST" | "PUT", path: string, payload?: object): Promise<Body> => {
    const { platform } = floor.scene;
    const headers = {
      host: "127.0.0.1:8080",
      authorization: `Bearer ${(await platform.adminSignIn()).access_token}`,
    };
    const more = payload === undefined ? {} : { payload };
    return accepted(await platform.call({ method, url: `/api/v1${path}`, headers, ...more }));
  };
  const signedIn = async <T extends { wallet: Wallet }>(one: T) => ({
    ...one,
    token: await floor.scene.token(one.wallet),
  });
  const settled = () => admin<CalculatedRebates>("POST", "/broker/admin/rebate/calculate", { period: DAY });
  const credited = async (address: string): Promise<bigint> => {
    const { platform } = floor.scene;
    const { contracts } = (await platform.get("/api/v1/config")).json();
    const { credited } = (await walletClient(platform, testWallet(1)).readContract({
      address: contracts.referral,
      abi: referralRebateAbi,
      functionName: "userRebate",
      args: [address as Address],
    })) as { credited: bigint };
    return credited;
  };

  before(async () => {
    databases.push(await openTestDatabase(migrations));
    floor = await start();
  });
  after(async () => {
    await floor.close();
    for (const database of databases) await database.close();
    folder.remove();
  });

  it("partners, points and a payout come together over two days", async () => {
    const { scene } = floor;
    const bd = await scene.bd();
    kol = await scene.kol(5, { bd_id: bd.id, nickname: "Ω" });
    sub = await scene.subKol(kol);
    customer = await scene.visitor();
    const subCustomer = await scene.visitor();
    accepted(await scene.bind(customer.token, (await scene.code(kol.token)).code));
    accepted(await scene.bind(subCustomer.token, (await scene.code(sub.token, DIRECT)).code));
    const bdKol = await scene.visitor();
    const { code } = accepted<{ code: string }>(await scene.call(bd.token, "POST", "/bd/invite-code", { level: 2 }));
    accepted(await scene.bind(bdKol.token, code));
    // SEC-11: a parent and a customer that never have money.
    const poorParent = await scene.kol(5);
    const richSub = await scene.subKol(poorParent, "0.2");
    withoutAccount = await scene.visitor();
    accepted(await scene.bind(withoutAccount.token, (await scene.code(kol.token)).code));
    for (const trader of [kol, sub, customer, subCustomer, bdKol, richSub]) await floor.fund(trader);
    await floor.take(richSub);

    const season = { label: "First", start_epoch: 22, end_epoch: 22, user_pool_tokens: 1000, mm_pool_tokens: 100 };
    await admin("POST", "/points/admin/seasons", season);
    for (const trader of [customer, subCustomer, bdKol]) await floor.take(trader);
    await admin("PUT", "/points/admin/rules", { boosts: { BTCUSDT: "1.5" } });
    accepted(await scene.admin("PUT", `/kol/${kol.id}`, { rebate_rate: "0.33" }));
    await floor.take(customer);
    await admin("PUT", "/points/admin/makers", { wallets: [{ address: bdKol.address, label: "desk" }] });
    for (const trader of [bdKol, sub, customer]) await floor.take(trader);
    await admin("PUT", "/points/admin/makers", { wallets: [{ address: customer.address }] });
    await floor.take(customer);
    await admin("PUT", "/points/admin/makers", { wallets: [] });
    await floor.take(customer);
    await admin("PUT", "/broker/admin/config/tier-thresholds", {
      tiers: [{ level: 1, label: "Only", rebate_rate: "0.5", min_fee_30d: "0" }],
    });

    // Past midnight and the job that closes the day.
    accepted(await scene.platform.post("/api/v1/dev/clock", { advance_ms: HOUR_ms }));
    await floor.renew();
    ({ id: batch } = await admin<{ id: string }>("POST", BATCHES, {}));
    assert.equal((await admin<{ status: string }>("POST", `${BATCHES}/${batch}/pay`)).status, "paid");
    customer = await signedIn(customer);
    await floor.take(customer);
    accepted(await scene.admin("PUT", `/kol/${kol.id}`, { status: "frozen" }));
    await floor.take(customer);
    accepted(await scene.platform.get("/api/v1/account/trades", customer.token));
    closed = await settled();
    paid_micros = await credited(customer.address);
    assert.ok(paid_micros > 0n);
  });

  it("from the log alone the same rows are written", async () => {
    await floor.close();
    const kept = await rowsOf(newest());
    databases.push(await openTestDatabase(migrations));
    const database = newest();
    const { settings } = floor.scene.platform;
    const lines: string[] = [];
    const opened = { settings, log: pino({ level: "silent" }), say: (line: string) => void lines.push(line) };
    const rebuild = () =>
      rebuildFrom(logOf(folder.path, opened.say), database, opened, { acceptsLoss: true, isDry: false });
    assert.equal(await rebuild(), true);
    assert.ok(!lines.some((line) => /sealed|allocations/.test(line)), lines.join("\n"));
    const { broker_bind: binds, ...others } = await rowsOf(database);
    const { broker_bind: keptBinds, ...keptOthers } = kept;
    assert.deepEqual(others, keptOthers);
    const isBindOf =
      ({ address }: typeof customer) =>
      (row: unknown) =>
        (row as { wallet_address: string }).wallet_address === address;
    // SEC-11: only the lost database knew of the bind of a wallet that has no account, and the operator is told so.
    assert.deepEqual(
      binds,
      keptBinds!.filter((row) => !isBindOf(withoutAccount)(row)),
    );
    assert.equal(keptBinds!.length, binds!.length + 1);
    assert.ok(
      lines.some((line) => /binds by their codes, of wallets without an account/.test(line)),
      lines.join("\n"),
    );
    assert.equal(await rebuild(), true);
    assert.match(lines.at(-1)!, /nothing to write/);
  });

  it("nobody is paid twice: the payout goes on where it was, and nothing of its day is owed", async () => {
    floor = await start();
    await floor.renew();
    accepted(await floor.scene.platform.post("/api/v1/dev/clock", { advance_ms: 60_000 }));
    const { scene } = floor;
    assert.equal((await admin<{ status: string }>("POST", `${BATCHES}/${batch}/pay`)).status, "paid");
    assert.equal(await credited(customer.address), paid_micros);
    const { rows } = await sql<{ taken: number }>`
      select count(*)::int as taken from outbox where payload ->> 'kind' = 'pay_out'`.execute(newest().db);
    assert.equal(rows[0]!.taken, 1);
    assert.deepEqual(await settled(), closed);
    const { access_token } = await scene.platform.adminSignIn();
    const { invariants } = (await scene.platform.get("/api/v1/admin/invariants", access_token)).json();
    for (const { code, ok, detail } of invariants) assert.ok(ok, `${code}: ${detail}`);
    const refused = await scene.admin("POST", "/rebate/payout-batches", {});
    assert.deepEqual([refused.statusCode, (refused.json() as { code: string }).code], [409, "NOTHING_TO_PAY"]);
  });
});
