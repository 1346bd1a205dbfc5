import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NewApiKey } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import { type Address, type Hex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { waitFor } from "../../../../tests/support/waiting.ts";
import { DEPLOYER_KEY } from "../chain/embedded/node.ts";
import { createTestPlatform, type TestPlatform, testWallet, type Wallet } from "../testing/test-platform.ts";
import { walletClient } from "../testing/wallet-client.ts";
import { bytes32, GOLD, lower } from "./testing/referral-scene.ts";

const GAS_MONEY_wei = 10n ** 20n;
const PRICE = "60000";

describe("the referral program on the whole platform", () => {
  let platform: TestPlatform;
  let adminToken: string;
  const affiliate = testWallet(101);
  const trader = testWallet(102);
  const maker = testWallet(103);

  before(async () => {
    platform = await createTestPlatform();
    adminToken = (await platform.adminSignIn()).access_token;
    for (const { address } of [affiliate, trader, maker]) await giveGas(address);
    const pinned = await platform.post("/api/v1/dev/price", { symbol: "BTCUSDT", price: PRICE });
    assert.equal(pinned.statusCode, 200, pinned.body);
  });
  after(() => platform.close());

  const signer = (account: Wallet) => walletClient(platform, account);
  const giveGas = (to: Address) =>
    signer(privateKeyToAccount(DEPLOYER_KEY)).sendTransaction({ to, value: GAS_MONEY_wei });

  async function contractAddress(): Promise<Address> {
    return (await platform.get("/api/v1/config")).json().contracts.referral;
  }
  async function send(account: Wallet, functionName: "registerCode" | "useCode", code: Hex): Promise<void> {
    const address = await contractAddress();
    await signer(account).writeContract({ address, abi: referralRebateAbi, functionName, args: [code] });
  }
  async function chainSync(): Promise<void> {
    const reply = await platform.post("/api/v1/dev/jobs/chain-sync/run");
    assert.equal(reply.json().error, null, reply.body);
  }
  const setTier = (payload: object, token: string | undefined = adminToken) =>
    platform.call({
      method: "PUT",
      url: "/api/v1/referral/admin/tier",
      headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
      payload,
    });
  const query = async (path: string) => (await platform.get(`/referral/on-chain/${path}`)).json();

  async function fund(wallet: Wallet): Promise<NewApiKey> {
    const reply = await platform.post("/api/v1/dev/faucet", { address: wallet.address, amount: "100000" });
    assert.equal(reply.statusCode, 200, reply.body);
    return platform.makeApiKey(wallet);
  }
  async function order(key: NewApiKey, side: "BUY" | "SELL"): Promise<void> {
    const parameters = `symbol=BTCUSDT&side=${side}&type=LIMIT&timeInForce=GTC&quantity=1&price=${PRICE}`;
    const reply = await platform.signedCall("POST", "/fapi/v1/order", key, parameters);
    assert.equal(reply.statusCode, 200, reply.body);
  }
  /** The taker's commission for one fill of 60,000 USDT. */
  async function takenFee(): Promise<string> {
    await order(makerKey, "SELL");
    await order(traderKey, "BUY");
    const trades = (await platform.signedCall("GET", "/fapi/v1/userTrades", traderKey, "symbol=BTCUSDT")).json();
    return trades.at(-1).commission;
  }
  const commissionRate = async () =>
    (await platform.signedCall("GET", "/fapi/v1/commissionRate", traderKey, "symbol=BTCUSDT")).json();
  /** When the events are applied, the command is still on its way to the engine. */
  const engineHas = (takerRate: string) =>
    waitFor(async () => (await commissionRate()).takerCommissionRate === takerRate, { what: `the rate ${takerRate}` });
  const feeInfo = async () =>
    (await platform.get("/account/fee-info", (await platform.signIn(trader)).access_token)).json();

  let traderKey: NewApiKey;
  let makerKey: NewApiKey;

  it("WIRE-4: in development the platform's wallet is the contract's operator", async () => {
    const status = await query("operator-status");
    assert.equal(status.is_operator, true);
    assert.equal(status.contract_address, (await contractAddress()).toLowerCase());
    assert.match(status.operator_address, /^0x[0-9a-f]{40}$/);
  });

  it("REF-4: an admin sets a tier, and reads show it at once", async () => {
    await send(affiliate, "registerCode", bytes32("GOLDEN"));
    assert.equal((await query(`user-rebate/${affiliate.address}`)).tier_level, 0);
    const reply = await setTier({ address: affiliate.address, tier: GOLD });
    assert.equal(reply.statusCode, 200, reply.body);
    const { tx_hash, ...rest } = reply.json();
    assert.deepEqual(rest, { address: lower(affiliate), tier: GOLD, tier_name: "Gold" });
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/);
    assert.equal((await query(`user-rebate/${affiliate.address}`)).tier_name, "Gold");
    const log = (await platform.get("/api/v1/admin/audit-log?action=referral.tier.outcome", adminToken)).json();
    assert.equal(log.entries[0].after.tx_hash, tx_hash);
  });

  it("REF-4, FUT-15: the next fill of a trader with a Gold referrer costs a tenth less", async () => {
    traderKey = await fund(trader);
    makerKey = await fund(maker);
    assert.equal(await takenFee(), "30.00");
    assert.equal((await commissionRate()).takerCommissionRate, "0.0005");

    await send(trader, "useCode", bytes32("GOLDEN"));
    await chainSync();
    await engineHas("0.00045");
    const info = await feeInfo();
    assert.deepEqual(info.discounts, [{ kind: "referral", discount: "0.1" }]);
    assert.deepEqual(info.effective, { maker_rate: "0.00018", taker_rate: "0.00045" });
    assert.equal((await commissionRate()).makerCommissionRate, "0.00018");
    assert.equal(await takenFee(), "27.00");
    assert.deepEqual(await query(`referral-info/${trader.address}`), {
      address: lower(trader),
      code: "GOLDEN",
      referrer: lower(affiliate),
      total_rebate_bps: 2_500,
      trader_discount_bps: 1_000,
      affiliate_reward_bps: 1_500,
    });
  });

  it("REF-4: a higher tier of the referrer is a lower fee of the trader", async () => {
    assert.equal((await setTier({ address: affiliate.address, tier: 4 })).statusCode, 200);
    assert.equal((await query(`referral-info/${trader.address}`)).trader_discount_bps, 1_200, "dropped from the cache");
    await chainSync();
    await engineHas("0.00044");
    assert.equal(await takenFee(), "26.40");
  });

  it("REF-4: a wallet that used a code before it had an account trades at the discount from its first fill", async () => {
    const early = testWallet(104);
    await giveGas(early.address);
    await send(early, "useCode", bytes32("GOLDEN"));
    await chainSync();
    traderKey = await fund(early);
    assert.equal(await takenFee(), "26.40");
  });

  it("REF-4: bad input of the tier's route", async () => {
    const good = { address: affiliate.address, tier: 1 };
    for (const [change, code] of [
      [{ address: "0x12" }, "INVALID_ADDRESS"],
      [{ address: zeroAddress }, "INVALID_ADDRESS"],
      [{ address: affiliate.address.replace(/[a-f]/, (letter) => letter.toUpperCase()) }, "INVALID_ADDRESS"],
      [{ address: 5 }, "BAD_REQUEST"],
      [{ address: null }, "BAD_REQUEST"],
      [{ address: undefined }, "BAD_REQUEST"],
      [{ tier: 5 }, "BAD_REQUEST"],
      [{ tier: -1 }, "BAD_REQUEST"],
      [{ tier: 1.5 }, "BAD_REQUEST"],
      [{ tier: "3" }, "BAD_REQUEST"],
      [{ tier: true }, "BAD_REQUEST"],
      [{ tier: null }, "BAD_REQUEST"],
      [{ tier: undefined }, "BAD_REQUEST"],
      [{ reason: 5 }, "BAD_REQUEST"],
      [{ reason: "x".repeat(501) }, "BAD_REQUEST"],
    ] as const) {
      const reply = await setTier({ ...good, ...change });
      assert.deepEqual([change, reply.statusCode, reply.json().code], [change, 400, code]);
    }
    assert.equal((await query(`user-rebate/${affiliate.address}`)).tier_level, 4, "nothing was set");
  });

  it("SEC-6, WIRE-1: who may not set tiers is told so before anything else", async () => {
    const wallet = (await platform.signIn(trader)).access_token;
    assert.equal((await setTier({ nonsense: true }, wallet)).statusCode, 403);
    assert.equal((await setTier({ nonsense: true }, await platform.bdToken())).statusCode, 403);
    assert.equal((await setTier({ nonsense: true }, "none")).statusCode, 401);
  });

  it("REF-4, BRK-14: the code's owner earns its reward on the fees that were paid, and gets it by a batch", async () => {
    const day_ms = 86_400_000;
    const moved = await platform.post("/api/v1/dev/clock", { advance_ms: day_ms });
    assert.equal(moved.statusCode, 200, moved.body);
    const records = await platform.get(
      "/api/v1/broker/affiliate-records",
      (await platform.signIn(affiliate)).access_token,
    );
    const shown = records
      .json()
      .map(({ downline_wallet, fee_amount, reward }: Record<string, string>) => [downline_wallet, fee_amount, reward])
      .sort();
    // 27.00 at Gold (15 %) and 26.40 at Diamond (18 %); the fee before the code was used rewards nobody.
    const expected = [
      [lower(trader), "53.40", "8.802"],
      [lower(testWallet(104)), "26.40", "4.752"],
    ];
    assert.deepEqual(shown, expected.sort());

    const admin = (await platform.adminSignIn()).access_token;
    const url = "/api/v1/broker/admin/rebate/payout-batches";
    const { id, total_amount, payee_count } = (await platform.post(url, {}, admin)).json();
    assert.deepEqual([total_amount, payee_count], ["13.554", 1]);
    assert.equal((await platform.post(`${url}/${id}/pay`, undefined, admin)).json().status, "paid");
    const own = await platform.get("/api/v1/broker/my-payouts", (await platform.signIn(affiliate)).access_token);
    assert.deepEqual(
      own.json().map(({ amount, status }: Record<string, string>) => [amount, status]),
      [["13.554", "paid"]],
    );
  });
});
