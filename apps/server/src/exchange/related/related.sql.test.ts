import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { CapitalDeposit, CapitalWithdrawal, NewApiKey } from "@bourse/api";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "../../testing/test-platform.ts";

const DEPOSITS = "/sapi/v1/capital/deposit/hisrec";
const WITHDRAWALS = "/sapi/v1/capital/withdraw/history";

describe("the interfaces beside /fapi", () => {
  let platform: TestPlatform;
  let key: NewApiKey;
  let access: string;
  let contracts: Record<"usdt" | "vault", string>;
  const { address } = testWallet(1);

  before(async () => {
    platform = await createTestPlatform();
    contracts = (await platform.get("/api/v1/config")).json().contracts;
    access = (await platform.signIn(testWallet(1))).access_token;
    key = await platform.makeApiKey(testWallet(1), ["READ"]);
    const later = () => platform.clock.advanceTo(platform.clock.now() + 1_000);
    for (const amount of ["1000", "250.5"]) {
      await platform.post("/api/v1/dev/faucet", { address, amount });
      later();
    }
    for (const [amount, request_id] of [
      ["100", "first"],
      ["20.25", "second"],
    ]) {
      assert.equal((await platform.post("/withdraw/request", { amount, request_id }, access)).statusCode, 200);
      later();
    }
    await waitFor(async () => (await withdrawals("status=6")).length === 2, { what: "both withdrawals to be paid" });
  });
  after(() => platform.close());

  const signed = (path: string, parameters = "") => platform.signedCall("GET", path, key, parameters);
  const deposits = async (query = "") => (await signed(DEPOSITS, query)).json() as CapitalDeposit[];
  const withdrawals = async (query = "") => (await signed(WITHDRAWALS, query)).json() as CapitalWithdrawal[];

  it("FUT-20: spot and coin-margined futures answer without markets, the wallet's status as normal", async () => {
    for (const base of ["/api/v3", "/dapi/v1"]) {
      assert.deepEqual((await platform.get(`${base}/ping`)).json(), {});
      assert.deepEqual((await platform.get(`${base}/time`)).json(), { serverTime: platform.clock.now() });
      const info = (await platform.get(`${base}/exchangeInfo?permissions=SPOT`)).json();
      assert.deepEqual([info.timezone, info.serverTime, info.symbols], ["UTC", platform.clock.now(), []]);
      assert.equal(info.rateLimits[0].limit, platform.settings.rateLimitWeight1m);
    }
    assert.deepEqual((await platform.get("/sapi/v1/system/status")).json(), { status: 0, msg: "normal" });
    for (const path of ["/sapi/v1/margin/allPairs", "/sapi/v1/margin/isolated/allPairs"]) {
      assert.deepEqual((await platform.get(path)).json(), []);
      // Clients sign these, which does no harm.
      assert.deepEqual((await signed(path)).json(), []);
    }
  });

  it("FUT-20: everything else there is refused with a number for a code", async () => {
    for (const path of [
      "/api/v3/account",
      "/api/v3",
      "/futures/data/nothing",
      "/futures",
      "/sapi/v1/asset/tradeFee",
      "/dapi/v1/premiumIndex",
      "/eapi/v1/exchangeInfo",
      "/papi/v1/um/account",
    ]) {
      for (const method of ["GET", "POST", "DELETE"] as const) {
        const reply = await platform.call({ method, url: path, headers: { host: "127.0.0.1:8080" } });
        assert.deepEqual(
          [reply.statusCode, reply.json()],
          [404, { code: -1020, msg: "This path does not exist." }],
          path,
        );
        assert.ok(reply.headers["x-mbx-used-weight-1m"], path);
      }
    }
    // Only these: the platform's own paths have its own refusals.
    for (const path of ["/api/v1/nothing", "/api/v30", "/futuresque"]) {
      assert.equal((await platform.get(path)).json().code, "NOT_FOUND", path);
    }
  });

  it("VLT-1: the coin has the chain's network and the wallet's limits, and says when withdrawals are paused", async () => {
    const [coin, ...others] = (await signed("/sapi/v1/capital/config/getall")).json();
    assert.deepEqual(others, []);
    assert.deepEqual([coin.coin, coin.free, coin.depositAllEnable, coin.withdrawAllEnable], ["USDT", "0", true, true]);
    const [network] = coin.networkList;
    assert.deepEqual(
      [network.network, network.isDefault, network.withdrawEnable, network.contractAddress, network.minConfirm],
      ["EVM-43113", true, true, contracts.usdt, platform.settings.chainConfirmations],
    );
    assert.deepEqual(
      [network.withdrawFee, network.withdrawMin, network.withdrawMax, network.withdrawIntegerMultiple],
      ["0", "0.000001", "1000000000", "0.000001"],
    );
    const admin = (await platform.adminSignIn()).access_token;
    const pause = (paused: boolean) =>
      platform.call({
        method: "PUT",
        url: "/api/v1/admin/switches/withdrawals",
        headers: { host: "127.0.0.1:8080", authorization: `Bearer ${admin}` },
        payload: { paused, reason: "a test" },
      });
    await pause(true);
    const [paused] = (await signed("/sapi/v1/capital/config/getall")).json();
    assert.deepEqual([paused.withdrawAllEnable, paused.networkList[0].withdrawEnable], [false, false]);
    await pause(false);
  });

  it("VLT-1: deposits are those of the wallet, newest first, by state, time, transaction and place", async () => {
    const own = (await platform.get("/deposit/list?order=desc", access)).json().deposits;
    const all = await deposits();
    assert.deepEqual(
      all.map(({ amount, status, txId, insertTime }) => [amount, status, txId, insertTime]),
      own.map((one: { tx_hash: string; created_time: number }, place: number) => [
        ["250.5", "1000"][place],
        1,
        one.tx_hash,
        one.created_time,
      ]),
    );
    const { coin, network, address: to, completeTime, insertTime, txId } = all[0]!;
    assert.deepEqual([coin, network, to], ["USDT", "EVM-43113", contracts.vault]);
    assert.ok(completeTime! >= insertTime);
    const amounts = async (query: string) => (await deposits(query)).map(({ amount }) => amount);
    assert.deepEqual(await amounts(`txId=${txId}`), ["250.5"]);
    assert.deepEqual(await amounts("coin=USDT&limit=1"), ["250.5"]);
    assert.deepEqual(await amounts("limit=1&offset=1"), ["1000"]);
    assert.deepEqual(await amounts("status=1"), ["250.5", "1000"]);
    for (const none of ["coin=BTC", "status=0", "status=6", "offset=2", `endTime=${insertTime - DAY_ms}`]) {
      assert.deepEqual(await amounts(none), [], none);
    }
    assert.deepEqual(await amounts("startTime=8640000000000000"), []);
    const stranger = await platform.makeApiKey(testWallet(2), ["READ"]);
    assert.deepEqual((await platform.signedCall("GET", DEPOSITS, stranger)).json(), []);
  });

  it("VLT-1: withdrawals are those of the wallet, newest first, by state, time, id and request", async () => {
    const own = (await platform.get("/withdraw/list?order=desc", access)).json().withdrawals;
    const all = await withdrawals();
    assert.deepEqual(
      all.map(({ id, amount, status, txId, withdrawOrderId }) => [id, amount, status, txId, withdrawOrderId]),
      [
        [own[0].id, "20.25", 6, own[0].tx_hash, "second"],
        [own[1].id, "100", 6, own[1].tx_hash, "first"],
      ],
    );
    const { applyTime, completeTime, transactionFee, address: to } = all[0]!;
    const time = new Date(own[0].created_time).toISOString();
    assert.equal(applyTime, `${time.slice(0, 10)} ${time.slice(11, 19)}`);
    assert.match(completeTime!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual([transactionFee, to], ["0", address.toLowerCase()]);
    const amounts = async (query: string) => (await withdrawals(query)).map(({ amount }) => amount);
    assert.deepEqual(await amounts("withdrawOrderId=first"), ["100"]);
    assert.deepEqual(await amounts(`idList=${own[0].id},${own[1].id}`), ["20.25", "100"]);
    assert.deepEqual(await amounts(`idList=${own[1].id}`), ["100"]);
    assert.deepEqual(await amounts("coin=USDT&limit=1&offset=1"), ["100"]);
    for (const none of ["status=4", "status=0", "withdrawOrderId=third", "coin=ETH"]) {
      assert.deepEqual(await amounts(none), [], none);
    }
  });

  it("VLT-1: the deposit address is the Vault's, and its tag says that it must be called", async () => {
    const path = "/sapi/v1/capital/deposit/address";
    const reply = (await signed(path, "coin=USDT")).json();
    assert.deepEqual([reply.address, reply.coin, reply.tag], [contracts.vault, "USDT", "deposit(uint256)"]);
    assert.deepEqual([reply.contract.chainId, reply.contract.token], [43113, contracts.usdt]);
    assert.equal((await signed(path, "coin=USDT&network=EVM-43113")).statusCode, 200);
    assert.equal((await signed(path)).json().code, -1102);
    for (const query of ["coin=BTC", "coin=USDT&network=ETH"]) {
      assert.equal((await signed(path, query)).json().code, -1130, query);
    }
  });

  it("SEC-6, SEC-9: signed calls are refused as those of /fapi are, and malformed filters with -1130", async () => {
    for (const path of [DEPOSITS, WITHDRAWALS, "/sapi/v1/capital/config/getall"]) {
      const bare = await platform.get(path);
      assert.deepEqual([bare.statusCode, bare.json().code], [401, -2014], path);
      const forged = await platform.signedCall("GET", path, { ...key, api_secret: "another" });
      assert.deepEqual([forged.statusCode, forged.json().code], [400, -1022], path);
      const trader = await platform.makeApiKey(testWallet(1), ["TRADE"]);
      const unread = await platform.signedCall("GET", path, trader);
      assert.deepEqual([unread.statusCode, unread.json().code], [401, -2015], path);
    }
    const both = [
      "coin=%00",
      "coin=US%20DT",
      "status=x",
      "status=-1",
      "status=9",
      "limit=0",
      "offset=-1",
      "offset=1e3",
    ];
    const times = ["startTime=-1", "endTime=x", "startTime=2&endTime=1"];
    for (const path of [DEPOSITS, WITHDRAWALS]) {
      for (const query of [...both, ...times]) {
        const reply = await signed(path, query);
        assert.deepEqual([reply.statusCode, reply.json().code], [400, -1130], `${path} ${query}`);
      }
      const tooLong = await signed(path, `startTime=0&endTime=${90 * DAY_ms + 1}`);
      assert.deepEqual([tooLong.statusCode, tooLong.json().code], [400, -1127]);
      assert.deepEqual((await signed(path, `startTime=0&endTime=${90 * DAY_ms}`)).json(), []);
    }
    for (const [path, query] of [
      [DEPOSITS, "txId=0x12"],
      [WITHDRAWALS, "idList=1,2"],
      [WITHDRAWALS, `idList=${Array(46).fill("5b0f6f2e-6f0c-4b6e-9d6b-5d0d0d0d0d0d").join(",")}`],
      [WITHDRAWALS, "withdrawOrderId=a%20b"],
    ] as const) {
      assert.equal((await signed(path, query)).json().code, -1130, query);
    }
  });
});
