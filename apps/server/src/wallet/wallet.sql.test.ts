import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Deposit } from "@bourse/api";
import { assertAudit } from "@bourse/engine";
import { type Bench, createBench, OWN_ADDRESS, testAddress } from "../exchange/account/testing.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import { seededRandom } from "../kernel/random.ts";
import { Deposits, type SeenDeposit } from "./deposits.ts";
import { holdRef, projectWallet } from "./projection.ts";
import { Switches } from "./switches.ts";
import { walletDb } from "./tables.ts";
import { transactionOf } from "./testing.ts";
import { walletCheck } from "./wallet-watch.ts";
import { Withdrawals } from "./withdrawals.ts";

const usdt = (amount: number) => amount * 1_000_000;

describe("deposits and withdrawals", () => {
  let bench: Bench;
  let deposits: Deposits;
  let number = 100;

  before(async () => {
    bench = await createBench();
    deposits = new Deposits(bench);
  });
  after(async () => {
    // INV-1: after all tests, no money was created or lost.
    assertAudit(bench.exchange.engine);
    await bench.close();
  });

  async function fundedWallet(amount: number) {
    number += 1;
    const address = testAddress(number);
    await bench.deposits.credit(address, usdt(amount), `test:${number}`);
    return { address, token: await bench.tokenOf(address), account: bench.directory.numberOf(address)! };
  }

  const record = (
    deposit: Pick<SeenDeposit, "transactionHash" | "address" | "amount_micros"> & { blockNumber?: number },
  ) =>
    walletDb(bench.database)
      .transaction()
      .execute((tx) => deposits.record(tx, { ordinal: 0, blockNumber: 1, ...deposit }));
  const principal = (account: number) => bench.exchange.engine.state.accounts.principal(account);
  const inFlight = (account: number) => bench.exchange.engine.state.accounts.inFlight(account);
  const withdraw = (token: string | undefined, body: object) => bench.call("POST", "/withdraw/request", token, body);
  const rowsOf = (address: string) =>
    walletDb(bench.database).selectFrom("withdrawal").selectAll().where("address", "=", address).execute();

  const depositRow = (ref: string) =>
    walletDb(bench.database).selectFrom("deposit").selectAll().where("ref", "=", ref).executeTakeFirstOrThrow();

  it("VLT-1: a deposit is credited once, however often it is seen", async () => {
    const address = testAddress(++number);
    const credit = () => bench.deposits.credit(address, usdt(50), "seen twice");
    const { account, isNew, ref } = await credit();
    assert.deepEqual([isNew, ref], [true, `chain:${transactionOf("seen twice")}:0`]);
    assert.deepEqual(await credit(), { account, isNew: false, ref });
    assert.equal(principal(account), usdt(50));
    await bench.projector.waitForAll();
    const row = await depositRow(ref);
    assert.deepEqual([row.status, row.amount_micros, row.account], ["credited", 50_000_000n, account]);
    assert.deepEqual([row.tx_hash, row.block_number, row.orphaned_at], [transactionOf("seen twice"), 1n, null]);
  });

  it("VLT-1: a transaction that deposits another amount when it is mined again has made another deposit", async () => {
    const address = testAddress(++number);
    const first = await bench.deposits.credit(address, usdt(50), "router");
    const other = await record({ transactionHash: transactionOf("router"), address, amount_micros: 60_000_000n });
    assert.equal(other, true);
    assert.equal(
      await record({ transactionHash: transactionOf("router"), address, amount_micros: 60_000_000n }),
      false,
    );
    await bench.dispatcher.idle();
    assert.equal(principal(first.account), usdt(110));
  });

  it("VLT-1: a deposit whose block is orphaned is marked; back again it is not, and is not credited again", async () => {
    const address = testAddress(++number);
    const { account, ref } = await bench.deposits.credit(address, usdt(50), "orphan");
    const transactionHash = transactionOf("orphan");
    const orphan = { transactionHash, blockNumber: 1 };
    await walletDb(bench.database)
      .transaction()
      .execute((tx) => deposits.orphan(tx, orphan));
    const gone = await depositRow(ref);
    assert.deepEqual([gone.block_number, gone.orphaned_at], [null, new Date(bench.clock.now())]);
    await assert.rejects(walletCheck(bench.database).run(), /1 deposits are no longer on the chain/);
    assert.equal(await record({ transactionHash, address, amount_micros: 50_000_000n, blockNumber: 9 }), false);
    const back = await depositRow(ref);
    assert.deepEqual([back.block_number, back.orphaned_at], [9n, null]);
    await bench.dispatcher.idle();
    assert.equal(principal(account), usdt(50));
  });

  it("VLT-1: a deposit above what the engine takes at once is kept as refused, and shown", async () => {
    const address = testAddress(++number);
    const transactionHash = transactionOf("enormous");
    assert.equal(await record({ transactionHash, address, amount_micros: 10n ** 15n + 1n }), true);
    const row = await depositRow(`chain:${transactionHash}:0`);
    assert.deepEqual([row.status, row.reason], ["refused", "balance_limit"]);
    await assert.rejects(walletCheck(bench.database).run(), /1 deposits were refused by the engine/);
    await walletDb(bench.database).deleteFrom("deposit").where("ref", "=", row.ref).execute();
  });

  it("VLT-1: a deposit that the engine refuses says why and is kept as refused", async () => {
    const address = testAddress(++number);
    const most = 1e9;
    await bench.deposits.credit(address, usdt(most), "refused:1");
    await assert.rejects(bench.deposits.credit(address, 1, "refused:2"), { code: "BALANCE_LIMIT" });
    await bench.projector.waitForAll();
    const { status, reason } = await depositRow(`chain:${transactionOf("refused:2")}:0`);
    assert.deepEqual([status, reason], ["refused", "balance_limit"]);
    assert.equal(
      (await bench.call("POST", "/withdraw/request", await bench.tokenOf(address), { amount: most })).status,
      200,
    );
  });

  it("VLT-1: a wallet sees its own deposits, from either end", async () => {
    const address = testAddress(++number);
    const token = await bench.tokenOf(address);
    assert.deepEqual((await bench.call("GET", "/deposit/list", token)).body.items, []);
    await bench.deposits.credit(address, usdt(12.5), "listed:1");
    await bench.clock.advance(1_000);
    await bench.deposits.credit(address, 1, "listed:2");
    await bench.projector.waitForAll();
    const { deposits } = (await bench.call("GET", "/api/v1/deposit/list?order=desc", token)).body;
    const seen = deposits.map(({ status, amount, tx_hash, block_number, reason }: Deposit) => [
      status,
      amount,
      tx_hash,
      block_number,
      reason,
    ]);
    assert.deepEqual(seen, [
      ["credited", "0.000001", transactionOf("listed:2"), 1, null],
      ["credited", "12.50", transactionOf("listed:1"), 1, null],
    ]);
    const first = (await bench.call("GET", "/deposit/list?limit=1", token)).body.deposits;
    assert.deepEqual(first, [deposits[1]]);
    const stranger = await bench.tokenOf(testAddress(++number));
    assert.deepEqual((await bench.call("GET", "/deposit/list", stranger)).body.items, []);
  });

  it("VLT-1: a withdrawal holds the amount at once and is listed", async () => {
    const { address, token, account } = await fundedWallet(1_000);
    const { status, body } = await withdraw(token, { amount: "250.5" });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: body.id,
      withdrawal_id: body.id,
      status: "requested",
      amount: "250.50",
      to: address,
      reason: null,
      review_until: null,
      tx_hash: null,
      request_id: null,
      created_time: bench.clock.now(),
      updated_time: bench.clock.now(),
      replayed: false,
    });
    assert.deepEqual([principal(account), inFlight(account)], [usdt(749.5), usdt(250.5)]);
    await bench.projector.waitForAll();
    const { replayed: _, ...shown } = body;
    assert.deepEqual((await bench.call("GET", "/api/v1/withdraw/list", token)).body.items, [shown]);
    assert.deepEqual(
      (await rowsOf(address)).map((row) => row.status),
      ["held"],
    );
    const account_ = (await bench.call("GET", "/unified/account", token)).body;
    assert.deepEqual([account_.principal, account_.in_flight, account_.withdrawable], ["749.50", "250.50", "749.50"]);
  });

  it("VLT-1: more than is withdrawable is 400 and takes nothing; asked again it is refused again", async () => {
    const { address, token, account } = await fundedWallet(100);
    const ask = { amount: "100.000001", request_id: "too-much" };
    const { status, body } = await withdraw(token, ask);
    assert.deepEqual([status, body.code, body.exchange_code], [400, "WITHDRAWABLE_INSUFFICIENT", -2018]);
    assert.deepEqual(body.details, { rule: "not_withdrawable", limit: "100.00", actual: "100.000001" });
    assert.deepEqual([principal(account), inFlight(account)], [usdt(100), 0]);
    await bench.projector.waitForAll();
    assert.deepEqual(
      (await rowsOf(address)).map((row) => [row.status, row.reason]),
      [["rejected", "not_withdrawable"]],
    );
    await bench.deposits.credit(address, usdt(100), "later");
    const again = await withdraw(token, ask);
    assert.deepEqual([again.status, again.body.code], [400, "WITHDRAWABLE_INSUFFICIENT"]);
    assert.equal(principal(account), usdt(200));
    const stranger = await bench.tokenOf(testAddress(++number));
    assert.equal((await withdraw(stranger, { amount: "1" })).body.code, "WITHDRAWABLE_INSUFFICIENT");
  });

  it("VLT-1: the same key at the same moment withdraws once; with other contents it is a conflict", async () => {
    const { address, token, account } = await fundedWallet(1_000);
    const ask = () => withdraw(token, { amount: 300, request_id: "payout-1" });
    const replies = await Promise.all([ask(), ask(), ask(), ask()]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal(new Set(replies.map(({ body }) => body.id)).size, 1);
    assert.deepEqual(replies.map(({ body }) => body.replayed).sort(), [false, true, true, true]);
    assert.deepEqual([principal(account), inFlight(account)], [usdt(700), usdt(300)]);
    assert.equal((await rowsOf(address)).length, 1);
    const other = await withdraw(token, { amount: 301, request_id: "payout-1" });
    assert.deepEqual([other.status, other.body.code], [409, "REQUEST_ID_CONFLICT"]);
    const elsewhere = await withdraw(token, { amount: 300, to: testAddress(7), request_id: "payout-1" });
    assert.equal(elsewhere.status, 409);
    // The same request id of another wallet is another request.
    const neighbour = await fundedWallet(500);
    assert.equal((await withdraw(neighbour.token, { amount: 300, request_id: "payout-1" })).body.replayed, false);
  });

  it("VLT-1: an Idempotency-Key does what a request_id does", async () => {
    const { token, account } = await fundedWallet(1_000);
    const ask = async (key: string, body: object) => {
      const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${token}`, "idempotency-key": key };
      const reply = await bench.app.inject({ method: "POST", url: "/withdraw/request", headers, payload: body });
      return { status: reply.statusCode, body: reply.json() };
    };
    const first = await ask("key-1", { amount: "10" });
    const second = await ask("key-1", { amount: "10" });
    assert.deepEqual([second.body.id, second.body.replayed], [first.body.id, true]);
    assert.equal(inFlight(account), usdt(10));
    assert.equal((await ask("key-1", { amount: "10", request_id: "key-2" })).status, 400);
    assert.equal((await ask("has space", { amount: "10" })).status, 400);
  });

  it("VLT-1: amounts and addresses that are none are 400 before anything is written", async () => {
    const { address, token } = await fundedWallet(10);
    for (const amount of ["0", "-1", "1.0000001", "abc", "1e3", 1e15, "", null]) {
      assert.equal((await withdraw(token, { amount })).status, 400, String(amount));
    }
    for (const to of ["0x123", testAddress(0), "vitalik.eth"]) {
      assert.equal((await withdraw(token, { amount: "1", to })).body.code, "INVALID_ADDRESS", to);
    }
    assert.equal((await withdraw(token, { amount: "1", request_id: "a\u0000b" })).status, 400);
    assert.equal((await withdraw(undefined, { amount: "1" })).status, 401);
    assert.deepEqual(await rowsOf(address), []);
  });

  it("VLT-5: to the platform's own addresses nothing is withdrawn, in whatever case they are written", async () => {
    const { address, token } = await fundedWallet(10);
    for (const to of [OWN_ADDRESS, `0x${OWN_ADDRESS.slice(2).toUpperCase()}`]) {
      for (const path of ["/withdraw/request", "/api/v1/withdraw/request"]) {
        const { status, body } = await bench.call("POST", path, token, { amount: "1", to });
        assert.deepEqual([status, body.code], [400, "INVALID_ADDRESS"], to);
      }
      const listed = await bench.call("POST", "/withdraw/addresses", token, { address: to });
      assert.deepEqual([listed.status, listed.body.code], [400, "INVALID_ADDRESS"]);
    }
    assert.deepEqual(await rowsOf(address), []);
  });

  it("VLT-1: while withdrawals are paused they answer 503, and an admin turns the switch", async () => {
    const { token, account } = await fundedWallet(100);
    const admin = await bench.adminToken();
    const states = (bySwitch: boolean) => ({
      withdrawals_paused: bySwitch,
      withdrawals_paused_by_switch: bySwitch,
      withdrawals_paused_by_setting: false,
    });
    const put = (body: object) => bench.call("PUT", "/api/v1/admin/switches", admin, body);
    assert.deepEqual((await put({ withdrawals_paused: true, reason: "drill" })).body, states(true));
    const { status, body } = await withdraw(token, { amount: "1" });
    assert.equal(status, 503);
    assert.deepEqual(body, {
      error: "withdrawals are paused",
      code: "WITHDRAWALS_PAUSED",
      status: "SERVICE_UNAVAILABLE",
    });
    assert.equal(principal(account), usdt(100));
    const resumed = await bench.call("PUT", "/api/v1/admin/switches/withdrawals", admin, { paused: false });
    assert.deepEqual(resumed.body, states(false));
    assert.deepEqual((await bench.call("GET", "/api/v1/admin/switches", admin)).body, states(false));
    assert.equal((await withdraw(token, { amount: "1" })).status, 200);
    const entries = await bench.database.db
      .selectFrom("audit_log")
      .select(["action", "before", "after", "reason"])
      .where("action", "=", "switch.withdrawals")
      .orderBy("seq")
      .execute();
    assert.deepEqual(entries, [
      { action: "switch.withdrawals", before: { paused: false }, after: { paused: true }, reason: "drill" },
      { action: "switch.withdrawals", before: { paused: true }, after: { paused: false }, reason: null },
    ]);
    assert.equal((await bench.call("PUT", "/api/v1/admin/switches", token, { withdrawals_paused: true })).status, 403);
  });

  it("VLT-1: the setting WITHDRAWALS_PAUSED wins over the switch", async () => {
    const paused = await createBench({ isPausedBySetting: true });
    try {
      const admin = await paused.adminToken();
      const reply = await paused.call("PUT", "/api/v1/admin/switches", admin, { withdrawals_paused: false });
      assert.equal(reply.body.withdrawals_paused, true);
      await paused.deposits.credit(testAddress(1), usdt(10), "paused");
      const token = await paused.tokenOf(testAddress(1));
      assert.equal((await paused.call("POST", "/withdraw/request", token, { amount: "1" })).status, 503);
    } finally {
      await paused.close();
    }
  });

  it("VLT-1: bonus and open profit are not withdrawable", async () => {
    const { token, account } = await fundedWallet(100);
    const grant = { amount_micros: usdt(500), maxLeverage: 10, expires_ms: bench.clock.now() + 1_000_000 };
    await bench.database.db.transaction().execute((tx) =>
      bench.outbox.enqueue(tx, {
        topic: "exchange",
        ref: `test:grant:${account}`,
        payload: { kind: "grant_bonus", account, ...grant },
      }),
    );
    await bench.dispatcher.idle();
    assert.equal((await withdraw(token, { amount: "100.01" })).status, 400);
    assert.equal((await withdraw(token, { amount: "100" })).status, 200);
  });

  it("VLT-1: after a restart a repeated request is answered from the database", async () => {
    const { address, token } = await fundedWallet(10);
    const { body } = await withdraw(token, { amount: "1", request_id: "before" });
    await bench.projector.waitForAll();
    const { database, clock, directory } = bench;
    // A process that was not running when the command was sent.
    const engineRequests = new EngineRequests(bench);
    assert.equal(await engineRequests.answer(holdRef(body.id), 60_000), undefined);
    const audit = createAuditLog({ clock });
    const switches = new Switches({ database, clock, audit, pausedBySetting: false });
    const random = seededRandom("restart");
    const onHeld = () => undefined;
    const { holds, moneyOf } = bench;
    const options = { database, clock, engineRequests, directory, random, switches, holds, moneyOf, onHeld };
    const order = { address, to: address, amount_micros: usdt(1), request_id: "before" };
    const repeated = await new Withdrawals(options).request(order);
    assert.deepEqual([repeated.id, repeated.replayed, repeated.status], [body.id, true, "requested"]);
    await new Deposits(options).credited(`chain:${transactionOf(`test:${number}`)}:0`);
  });

  it("the projection passes over commands that were delivered again, and over those of others", async () => {
    const { address, token } = await fundedWallet(10);
    await withdraw(token, { amount: "1" });
    await bench.projector.waitForAll();
    const { dispatch_seq } = await bench.database.db
      .selectFrom("outbox")
      .select("dispatch_seq")
      .where("ref", "like", "withdrawal-hold:%")
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    const seq = Number(dispatch_seq);
    const account = bench.directory.numberOf(address)!;
    const repeated = await bench.exchange.submit(
      { kind: "hold_withdrawal", number: seq, account, amount_micros: usdt(1) },
      true,
    );
    assert.deepEqual(
      repeated.events.map(({ kind }) => kind),
      ["ignored"],
    );
    const batch = { applied: [repeated], first: repeated.number, last: repeated.number, units_micros: new Map() };
    await bench.database.db.transaction().execute((tx) => projectWallet(tx, batch));
    assert.deepEqual(
      (await rowsOf(address)).map((row) => row.status),
      ["held"],
    );
  });
});
