import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { referralRebateAbi, testUsdtAbi, vaultAbi } from "@bourse/contracts";
import type { Account, Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { dayOf } from "../../kernel/dates.ts";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest, readListPage } from "../../testing/page-walk.ts";
import { createTestPlatform, type TestPlatform, testWallet, type Wallet } from "../../testing/test-platform.ts";
import { walletClient } from "../../testing/wallet-client.ts";
import { type BookedBroker, BrokerBooks } from "../testing/books.ts";
import { PayoutBooks, payeeAddress, usdt } from "./testing/payout-books.ts";

const ADMIN_PATH = "/api/v1/broker/admin/rebate";
const BATCHES = `${ADMIN_PATH}/payout-batches`;
const UNKNOWN = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("payouts over HTTP", () => {
  let platform: TestPlatform;
  let contracts: Record<"usdt" | "vault" | "referral", Address>;
  let admin: string;
  let operator: Account;
  let books: PayoutBooks;
  let kol: BookedBroker;
  let days = 0;

  before(async () => {
    platform = await createTestPlatform();
    contracts = (await platform.get("/api/v1/config")).json().contracts;
    admin = (await platform.adminSignIn()).access_token;
    operator = privateKeyToAccount(platform.settings.operatorKey as Hex);
    const brokers = new BrokerBooks(platform.database);
    books = new PayoutBooks(brokers.db);
    kol = await brokers.kol({ rate: 0.4 });
    await earnFees();
  });
  after(() => platform.close());

  const post = async (path: string, body?: object, token = admin) => {
    const reply = await platform.post(path, body, token);
    return { status: reply.statusCode, body: reply.json() };
  };
  const get = async (path: string, token = admin) => {
    const reply = await platform.get(path, token);
    return { status: reply.statusCode, body: reply.json() };
  };

  const signer = (account: Account) => walletClient(platform, account);
  const tokensOf = (address: Address) =>
    signer(operator).readContract({
      address: contracts.usdt,
      abi: testUsdtAbi,
      functionName: "balanceOf",
      args: [address],
    });
  const pauseVault = (isPaused: boolean) =>
    signer(operator).writeContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: "setPaymentsPaused",
      args: [isPaused],
    });

  /** Two wallets trade 3 BTC at 60,000: 126 USDT of fees. */
  async function earnFees(): Promise<void> {
    await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: "60000" });
    const order = { symbol: "BTCUSDT", type: "LIMIT", price: "60000", quantity: "3" };
    for (const [number, side] of [
      [1, "SELL"],
      [2, "BUY"],
    ] as const) {
      const { address } = testWallet(number);
      const { access_token } = await platform.signIn(testWallet(number));
      assert.equal((await platform.post("/api/v1/dev/faucet", { address, amount: "100000" })).statusCode, 200);
      assert.equal((await platform.post("/orders", { ...order, side }, access_token)).statusCode, 200);
    }
  }

  async function owed(wallet: string, customer: number, net = 0): Promise<string> {
    days += 1;
    const period = await books.day(dayOf(Date.UTC(2025, 0, days)));
    await books.record({ period, of: kol, downline: { account: 5_000 + days, wallet }, customer, net });
    return period;
  }
  const lower = ({ address }: Wallet) => address.toLowerCase();

  /** Findings are cached for a second. */
  async function assertInvariants(when: string): Promise<void> {
    platform.realTime.advance(1_001);
    const { invariants } = (await get("/api/v1/admin/invariants")).body;
    for (const code of ["INV-1", "INV-8"]) {
      const found = invariants.find((each: { code: string }) => each.code === code);
      assert.equal(found.ok, true, `${when}: ${found.detail}`);
    }
  }

  it("BRK-14, INV-1, INV-8: a batch is made, shown, handed out as CSV, paid and claimed", async () => {
    const user = testWallet(10);
    await platform.post("/api/v1/dev/faucet", { address: user.address, amount: "1" });
    const { access_token } = await platform.signIn(user);
    const period = await owed(lower(user), 10, 30);
    await assertInvariants("before");
    const made = await post(BATCHES, { period });
    assert.equal(made.status, 200);
    const { id, csv_url, sha256 } = made.body;
    const csv = await platform.get(csv_url, admin);
    assert.equal(csv.statusCode, 200);
    assert.match(String(csv.headers["content-type"]), /^text\/csv/);
    assert.equal(createHash("sha256").update(csv.rawPayload).digest("hex"), sha256);
    assert.ok(csv.body.includes(`${lower(user)},10.000000,1\n`));
    assert.equal((await get(`${ADMIN_PATH}/payout-list`)).body.total, 1);

    await pauseVault(true);
    const held = await post(`${BATCHES}/${id}/pay`);
    assert.deepEqual([held.status, held.body.status, held.body.hold_up], [200, "paying", "PaymentsPaused"]);
    await assertInvariants("taken from the fee account, not paid by the Vault");
    assert.equal((await post(`${BATCHES}/${id}/cancel`)).body.code, "INVALID_STATE");
    await pauseVault(false);
    const paid = await post(`${BATCHES}/${id}/pay`);
    assert.deepEqual([paid.status, paid.body.status], [200, "paid"]);
    await assertInvariants("after");
    const again = await post(`${BATCHES}/${id}/pay`);
    assert.deepEqual(again, paid);

    const before = await tokensOf(user.address);
    await signer(user).writeContract({ address: contracts.referral, abi: referralRebateAbi, functionName: "claim" });
    assert.equal((await tokensOf(user.address)) - before, usdt(10));
    const listed = (await get(`${ADMIN_PATH}/payout-list?status=paid&period=${period}`)).body;
    assert.deepEqual([listed.total, listed.records[0].payment_status], [1, "paid"]);
    assert.equal(listed.records[0].payment_tx_hash, paid.body.transactions[1].tx_hash);
    const own = (await get("/api/v1/broker/my-payouts", access_token)).body;
    assert.deepEqual(
      [own.length, own[0].batch_id, own[0].amount, own[0].status, own[0].way],
      [1, id, "10.00", "paid", "chain"],
    );
    assert.equal((await get(`${BATCHES}/${id.toUpperCase()}`)).body.payees.length, 2);
    assert.equal((await get(BATCHES)).body.batches[0].id, id);
  });

  it("BRK-14: a transfer of a wallet confirms a batch; a withdrawal of the payee's own money does not", async () => {
    const [payer, payee] = [testWallet(11), testWallet(12)];
    for (const { address } of [payer, payee]) await platform.post("/api/v1/dev/faucet", { address, amount: "100" });
    const { access_token } = await platform.signIn(payee);
    await owed(lower(payee), 20);
    const { id } = (await post(BATCHES)).body;
    await platform.post("/withdraw/request", { amount: "50" }, access_token);
    let withdrawn = null;
    while (withdrawn === null) {
      await platform.post("/api/v1/dev/jobs/chain-sync/run");
      const [withdrawal] = (await platform.get("/withdraw/list", access_token)).json().withdrawals;
      if (withdrawal.status === "confirmed") withdrawn = withdrawal.tx_hash;
    }
    const own = await post(`${BATCHES}/${id}/confirm`, { payment_tx_hash: withdrawn });
    assert.deepEqual([own.status, own.body.code], [409, "PAYMENT_NOT_COVERED"]);
    assert.deepEqual(own.body.details.missing, [{ payee: lower(payee), due: "20.00", found: "0.00" }]);
    const payment_tx_hash = await signer(payer).writeContract({
      address: contracts.usdt,
      abi: testUsdtAbi,
      functionName: "transfer",
      args: [payee.address, usdt(20)],
    });
    const confirmed = await post(`${BATCHES}/${id}/confirm`, {
      payment_tx_hash: payment_tx_hash.toUpperCase().replace("0X", "0x"),
    });
    assert.deepEqual([confirmed.status, confirmed.body.status, confirmed.body.way], [200, "paid", "outside"]);
    assert.deepEqual(confirmed.body.transactions, [{ tx_hash: payment_tx_hash, kind: "outside", payees: 1 }]);
    assert.deepEqual(await post(`${BATCHES}/${id}/confirm`, { payment_tx_hash }), confirmed);
    const other = await post(`${BATCHES}/${id}/confirm`, { payment_tx_hash: `0x${"0d".repeat(32)}` });
    assert.deepEqual([other.status, other.body.code, other.body.details.status], [409, "INVALID_STATE", "paid"]);
    await assertInvariants("after a payment from outside");
  });

  it("BRK-14: more than the fee account holds is 409 with both figures, and the batch is open", async () => {
    await owed(payeeAddress(1), 1_000_000);
    const { id } = (await post(BATCHES)).body;
    const { status, body } = await post(`${BATCHES}/${id}/pay`);
    assert.deepEqual([status, body.code, body.details.actual], [409, "FEE_ACCOUNT_TOO_SMALL", "1000000.00"]);
    assert.ok(Number(body.details.limit) < 126);
    const open = (await get(`${BATCHES}/${id}`)).body;
    assert.deepEqual([open.status, open.way], ["open", null]);
    assert.match(open.hold_up, /^fee account too small/);
    assert.equal((await post(`${BATCHES}/${id}/cancel`)).body.status, "cancelled");
    const done = await post(`${BATCHES}/${id}/pay`);
    assert.deepEqual([done.status, done.body.code, done.body.details.status], [409, "INVALID_STATE", "cancelled"]);
  });

  it("WIRE-8: batches are items, as batches too, walked once by cursor while some are made, or by number", async () => {
    let payee = 100;
    const make = async () => {
      platform.realTime.advance(1_000);
      payee += 1;
      assert.equal((await post(BATCHES, { period: await owed(payeeAddress(payee), 1) })).status, 200);
    };
    for (let count = 0; count < 3; count += 1) await make();
    const list: ListUnderTest = {
      read: (query) => get(`${BATCHES}?${query}`),
      olderName: "batches",
      idOf: ({ id }) => id,
    };
    for (const limit of [1, 2]) await assertWalksOnce(list, make, { limit, isNewestFirst: true });
    const { items, next_cursor } = await readListPage(list, "limit=2");
    const numbered = (await get(`${BATCHES}?page=2&per_page=1`)).body;
    assert.deepEqual([numbered.batches, numbered.page, numbered.per_page], [[items[1]], 2, 1]);
    const id = (items[0] as { id: string }).id;
    for (const path of [BATCHES, `${BATCHES}/${id}`]) {
      const read = (query: string) => get(`${path}?${query}`);
      await assertRefusesBadPages({ read }, { cursor: "INVALID_CURSOR", limit: "INVALID_FIELD" });
      for (const query of [`page=1&cursor=${next_cursor}`, "limit=1&per_page=1"]) {
        assert.deepEqual([(await read(query)).status, (await read(query)).body.code], [400, "INVALID_FIELD"], query);
      }
    }
  });

  it("WIRE-1, WIRE-2, WIRE-3: what is malformed is refused in the usual body, and changes nothing", async () => {
    await owed(payeeAddress(2), 1);
    const { id } = (await post(BATCHES, { min_amount: 0 })).body;
    await owed(payeeAddress(3), 1);
    const before = await books.fingerprint();
    const good = `0x${"0e".repeat(32)}`;
    const bad: readonly (readonly [status: number, code: string, "GET" | "POST", path: string, body?: object])[] = [
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: "2026-13-01" }],
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: "" }],
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: "2025-01-01\u0000" }],
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: "\ud800" }],
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: 20250101 }],
      [400, "INVALID_PERIOD", "POST", BATCHES, { period: null }],
      [404, "NOT_FOUND", "POST", BATCHES, { period: "2019-01-01" }],
      [409, "INVALID_STATE", "POST", BATCHES, { period: "2026-06-01" }],
      [400, "INVALID_FIELD", "POST", BATCHES, { min_amount: "ten" }],
      [400, "INVALID_FIELD", "POST", BATCHES, { min_amount: -1 }],
      [400, "INVALID_FIELD", "POST", BATCHES, { min_amount: "0.0000001" }],
      [400, "INVALID_FIELD", "POST", BATCHES, { min_amount: [1] }],
      [409, "NOTHING_TO_PAY", "POST", BATCHES, { min_amount: "1000000" }],
      [400, "INVALID_FIELD", "GET", `${BATCHES}?page=0`],
      [400, "INVALID_FIELD", "GET", `${BATCHES}?page=x`],
      [400, "INVALID_FIELD", "GET", `${BATCHES}?per_page=0`],
      [400, "INVALID_FIELD", "GET", `${BATCHES}?per_page=1.5`],
      [400, "INVALID_ID", "GET", `${BATCHES}/1`],
      [400, "INVALID_ID", "GET", `${BATCHES}/${UNKNOWN}x`],
      [400, "INVALID_ID", "GET", `${BATCHES}/%20`],
      [404, "NOT_FOUND", "GET", `${BATCHES}/${UNKNOWN}`],
      [400, "INVALID_FIELD", "GET", `${BATCHES}/${id}?page=-1`],
      [400, "INVALID_ID", "GET", `${BATCHES}/x/csv`],
      [404, "NOT_FOUND", "GET", `${BATCHES}/${UNKNOWN}/csv`],
      [400, "INVALID_ID", "POST", `${BATCHES}/x/pay`],
      [404, "NOT_FOUND", "POST", `${BATCHES}/${UNKNOWN}/pay`],
      [400, "INVALID_ID", "POST", `${BATCHES}/x/cancel`],
      [404, "NOT_FOUND", "POST", `${BATCHES}/${UNKNOWN}/cancel`],
      [400, "INVALID_ID", "POST", `${BATCHES}/x/confirm`, { payment_tx_hash: good }],
      [404, "NOT_FOUND", "POST", `${BATCHES}/${UNKNOWN}/confirm`, { payment_tx_hash: good }],
      [400, "FIELD_REQUIRED", "POST", `${BATCHES}/${id}/confirm`, {}],
      [400, "INVALID_FIELD", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: 1 }],
      [400, "INVALID_FIELD", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: "0x12" }],
      [400, "INVALID_FIELD", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: `0x${"0g".repeat(32)}` }],
      [400, "INVALID_FIELD", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: `${good}0` }],
      [400, "INVALID_FIELD", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: `${good}\u0000` }],
      [409, "PAYMENT_NOT_FOUND", "POST", `${BATCHES}/${id}/confirm`, { payment_tx_hash: good }],
      [400, "INVALID_PERIOD", "GET", `${ADMIN_PATH}/payout-list?period=2026-02-30`],
      [400, "INVALID_PERIOD", "GET", `${ADMIN_PATH}/payout-list?period=%20`],
      [400, "INVALID_FIELD", "GET", `${ADMIN_PATH}/payout-list?status=open`],
      [400, "INVALID_FIELD", "GET", `${ADMIN_PATH}/payout-list?page=0`],
      [400, "INVALID_FIELD", "GET", `${ADMIN_PATH}/payout-list?per_page=0`],
      [400, "INVALID_FIELD", "GET", `${ADMIN_PATH}/payout-list?per_page=many`],
    ];
    for (const [status, code, method, path, body] of bad) {
      const reply = method === "GET" ? await get(path) : await post(path, body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${method} ${path} ${JSON.stringify(body)}`);
      assert.equal(typeof reply.body.error, "string");
    }
    const { access_token } = await platform.signIn(testWallet(13));
    for (const limit of ["0", "-1", "x", "1.5"]) {
      assert.equal((await get(`/api/v1/broker/my-payouts?limit=${limit}`, access_token)).status, 400, limit);
    }
    assert.deepEqual(await get("/api/v1/broker/my-payouts?limit=100000", access_token), { status: 200, body: [] });
    assert.equal((await get(`${ADMIN_PATH}/payout-list?per_page=501`)).body.per_page, 500);
    assert.equal((await get(`${BATCHES}?per_page=101`)).body.per_page, 100);
    assert.equal((await get(`${ADMIN_PATH}/payout-list?page=0`, access_token)).status, 403, "before the parameters");
    assert.equal((await post(BATCHES, { period: "x" }, access_token)).status, 403);
    assert.equal(await books.fingerprint(), before, "nothing has changed");
  });
});
