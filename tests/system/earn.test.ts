import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import {
  createClient,
  type EarnDomainReply,
  type EarnSubscription,
  type PreparedSubscription,
  type ProductDetail,
  type PublicConfig,
} from "@bourse/api";
import {
  type Address,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseAbi,
  recoverTypedDataAddress,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { quickDatabase } from "../support/databases.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import { postJson, TRADING_ENV } from "../support/traders.ts";
import { waitFor } from "../support/waiting.ts";

/** What an independent client knows of the contracts. */
const earnAbi = parseAbi([
  "function subscribe(uint256 productId, uint256 amount, uint256 deadline, bytes signature)",
  "function claim(uint256 productId)",
  "function emergencyClaim(uint256 productId)",
  "error VoucherUsed(bytes32 digest)",
  "error VoucherExpired(uint256 deadline)",
  "error InvalidVoucherSigner(address recovered)",
  "error WrongStatus(uint256 productId, uint8 actual, uint8 required)",
]);
const tokenAbi = parseAbi([
  "function approve(address spender, uint256 amount) returns (bool)",
  "function balanceOf(address holder) view returns (uint256)",
]);

const MINUTE_ms = 60_000;
const HOUR_s = 3_600;
const USDT = 1_000_000n;

async function getJson<Reply>(url: string, token?: string): Promise<Reply> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers });
  const text = await response.text();
  assert.ok(response.ok, `GET ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Reply;
}

/** A person with only a wallet and a browser. */
class Saver {
  readonly account: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly #baseUrl: string;
  readonly #config: PublicConfig;
  readonly chain;
  readonly #wallet;

  private constructor(baseUrl: string, config: PublicConfig) {
    this.#baseUrl = baseUrl;
    this.#config = config;
    const rpc = config.rpc_url ?? "";
    const nativeCurrency = { name: "gas", symbol: "GAS", decimals: 18 };
    const rpcUrls = { default: { http: [rpc] } };
    const chain = defineChain({ id: config.chain_id, name: "exchange", nativeCurrency, rpcUrls });
    this.chain = createPublicClient({ chain, transport: http(rpc), pollingInterval: 50 });
    this.#wallet = createWalletClient({ account: this.account, chain, transport: http(rpc) });
  }

  static async open(baseUrl: string): Promise<Saver> {
    const saver = new Saver(baseUrl, await getJson<PublicConfig>(`${baseUrl}/api/v1/config`));
    await postJson(`${baseUrl}/api/v1/dev/faucet`, { address: saver.account.address });
    return saver;
  }

  async token(): Promise<string> {
    const client = createClient({ baseUrl: this.#baseUrl });
    const { message_template } = await client.auth.nonce(this.account.address);
    const signature = await this.account.signMessage({ message: message_template });
    return (await client.auth.login(message_template, signature)).access_token;
  }

  async prepare(product_id: string, amount: string): Promise<PreparedSubscription> {
    return await postJson(`${this.#baseUrl}/earn/subscribe/prepare`, { product_id, amount }, await this.token());
  }

  async subscription(product_id: string): Promise<EarnSubscription | undefined> {
    const url = `${this.#baseUrl}/earn/subscriptions`;
    const { subscriptions } = await getJson<{ subscriptions: EarnSubscription[] }>(url, await this.token());
    return subscriptions.find((each) => each.product_id === product_id);
  }

  /** Waits for what shows within one poll at most. */
  seen(product_id: string, isSeen: (position: EarnSubscription) => boolean): Promise<EarnSubscription> {
    const look = async () => {
      const position = await this.subscription(product_id);
      return position !== undefined && isSeen(position) ? position : undefined;
    };
    return waitFor(look, { what: "the subscription's record", interval_ms: 250 });
  }

  tokens(): Promise<bigint> {
    const address = this.#config.contracts.usdt as Address;
    return this.chain.readContract({ address, abi: tokenAbi, functionName: "balanceOf", args: [this.account.address] });
  }

  async approve(amount: bigint): Promise<void> {
    const spender = this.#config.contracts.earn as Address;
    const call = { address: this.#config.contracts.usdt as Address, abi: tokenAbi, functionName: "approve" } as const;
    const hash = await this.#wallet.writeContract({ ...call, args: [spender, amount] });
    await this.chain.waitForTransactionReceipt({ hash });
  }

  async subscribe(voucher: PreparedSubscription): Promise<Hex> {
    const { chain_product_id, amount, deadline, signature, contract_address } = voucher;
    const call = { address: contract_address as Address, abi: earnAbi, account: this.account } as const;
    const args = [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature as Hex] as const;
    const { request } = await this.chain.simulateContract({ ...call, functionName: "subscribe", args });
    return await this.#mined(await this.#wallet.writeContract(request));
  }

  async collect(functionName: "claim" | "emergencyClaim", chain_product_id: number): Promise<Hex> {
    const call = { address: this.#config.contracts.earn as Address, abi: earnAbi, account: this.account } as const;
    const args = [BigInt(chain_product_id)] as const;
    const { request } = await this.chain.simulateContract({ ...call, functionName, args });
    return await this.#mined(await this.#wallet.writeContract(request));
  }

  async #mined(hash: Hex): Promise<Hex> {
    assert.equal((await this.chain.waitForTransactionReceipt({ hash })).status, "success");
    return hash;
  }
}

async function reverts(call: Promise<unknown>, errorName: string): Promise<void> {
  await assert.rejects(call, (error: { walk?: (is: (each: unknown) => boolean) => unknown }) => {
    const revert = error.walk?.((each) => each instanceof ContractFunctionRevertedError);
    assert.equal((revert as ContractFunctionRevertedError | undefined)?.data?.errorName, errorName, String(error));
    return true;
  });
}

/** A started server and its admin. */
class Office {
  readonly baseUrl: string;

  constructor({ baseUrl }: RunningServer) {
    this.baseUrl = baseUrl;
  }

  async admin<Reply>(path: string, body: object): Promise<Reply> {
    const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
    const login = `${this.baseUrl}/api/v1/broker/auth/login`;
    const { access_token } = await postJson<{ access_token: string }>(login, credentials);
    return await postJson(`${this.baseUrl}/api/v1/earn/admin/products${path}`, body, access_token);
  }

  /** An hour to subscribe from now on, then an hour at 1000 % a year. */
  async product(name: string): Promise<ProductDetail> {
    const { serverTime } = await getJson<{ serverTime: number }>(`${this.baseUrl}/fapi/v1/time`);
    const made = await this.admin<ProductDetail>("", {
      name,
      annual_rate_bps: 100_000,
      duration_seconds: HOUR_s,
      total_quota: "1000000000000",
      min_amount: "10000000",
      max_amount_per_user: "100000000000",
      subscribe_start_time: new Date(serverTime).toISOString(),
      subscribe_end_time: new Date(serverTime + 60 * MINUTE_ms).toISOString(),
    });
    await this.sync();
    return await this.read(made.id);
  }

  read(id: string | number): Promise<ProductDetail> {
    return getJson(`${this.baseUrl}/earn/products/${id}`);
  }

  async sync(): Promise<void> {
    const { error } = await postJson<{ error: string | null }>(`${this.baseUrl}/api/v1/dev/jobs/chain-sync/run`, {});
    assert.equal(error, null);
  }

  async advance(advance_ms: number): Promise<void> {
    await postJson(`${this.baseUrl}/api/v1/dev/clock`, { advance_ms });
  }
}

async function start(t: TestContext): Promise<Office> {
  const server = await startServer({ owner: t, env: { ...TRADING_ENV, ...(await quickDatabase(t)) } });
  return new Office(server);
}

describe("earn, as a wallet sees it", () => {
  it("interface 4.3: domain, list, prepare, approve, subscribe; then settled and claimed", async (t) => {
    const office = await start(t);
    const product = await office.product("USDT one hour");
    assert.equal(product.status, "subscribing");
    const saver = await Saver.open(office.baseUrl);
    const before = await saver.tokens();

    const { domain, types, primaryType } = await getJson<EarnDomainReply>(`${office.baseUrl}/earn/domain`);
    const listed = await getJson<{ products: ProductDetail[] }>(`${office.baseUrl}/earn/products?status=subscribing`);
    assert.deepEqual(
      listed.products.map(({ id }) => id),
      [product.id],
    );
    const voucher = await saver.prepare(product.id, "1000");
    assert.equal(voucher.contract_address, domain.verifyingContract);
    // All vouchers have one signer, as any EIP-712 library can recover; the contract checks below whether it is the
    // right one.
    const typed = { domain, types: { Subscribe: types.Subscribe }, primaryType };
    const signers = [voucher, await saver.prepare(product.id, "500")].map(({ signature, ...signed }) => {
      const productId = BigInt(signed.chain_product_id);
      const amounts = { amount: BigInt(signed.amount), deadline: BigInt(signed.deadline) };
      const message = { user: saver.account.address, productId, ...amounts };
      return recoverTypedDataAddress({ ...typed, message, signature: signature as Hex } as never);
    });
    const [signer, sameSigner] = await Promise.all(signers);
    assert.equal(signer, sameSigner);

    await saver.approve(BigInt(voucher.amount));
    const hash = await saver.subscribe(voucher);
    const position = await saver.seen(product.id, () => true);
    // 1,000 × 10 × 3,600 / 31,536,000, in millionths of a USDT, rounded down.
    const interest = 1_141_552n;
    assert.deepEqual(
      [position.principal, position.interest, position.nft_status, position.subscribe_tx_hash],
      [(1_000n * USDT).toString(), interest.toString(), "minted", hash],
    );
    await reverts(saver.subscribe(voucher), "VoucherUsed");
    await reverts(saver.collect("claim", product.chain_product_id), "WrongStatus");

    await office.advance(121 * MINUTE_ms);
    const delayed = await office.read(product.chain_product_id);
    assert.deepEqual([delayed.status, delayed.settlement_delayed], ["active", true]);
    await office.admin(`/${product.id}/fund`, { amount: interest.toString() });
    await office.sync();
    assert.equal((await office.read(product.id)).status, "settled");
    const claimHash = await saver.collect("claim", product.chain_product_id);
    const claimed = await saver.seen(product.id, ({ claimed: isClaimed }) => isClaimed);
    assert.deepEqual(
      [claimed.nft_status, claimed.claimed, claimed.claim_tx_hash, claimed.status],
      ["redeemed", true, claimHash, "claimed"],
    );
    assert.equal((await saver.tokens()) - before, interest);
    await office.sync();
    assert.equal((await office.read(product.id)).status, "ended");
  });

  it("interface 3.4: a cancelled product gives the principal back", async (t) => {
    const office = await start(t);
    const product = await office.product("USDT, called off");
    const saver = await Saver.open(office.baseUrl);
    const before = await saver.tokens();
    const voucher = await saver.prepare(product.id, "250.5");
    await saver.approve(BigInt(voucher.amount));
    await saver.subscribe(voucher);
    await saver.seen(product.id, () => true);
    const cancelled = await office.admin<ProductDetail>(`/${product.id}/cancel`, { reason: "called off" });
    assert.equal(cancelled.status, "cancelled");
    const hash = await saver.collect("emergencyClaim", product.chain_product_id);
    const refunded = await saver.seen(product.id, ({ nft_status }) => nft_status === "refunded");
    assert.deepEqual([refunded.refund_tx_hash, refunded.claimed], [hash, false]);
    assert.equal(await saver.tokens(), before);
  });

  it("T4: a voucher of another user, of another amount, or past its deadline is worth nothing", async (t) => {
    const office = await start(t);
    const product = await office.product("USDT, guarded");
    const saver = await Saver.open(office.baseUrl);
    const thief = await Saver.open(office.baseUrl);
    const voucher = await saver.prepare(product.id, "100");
    for (const each of [saver, thief]) await each.approve(1_000n * USDT);
    await reverts(thief.subscribe(voucher), "InvalidVoucherSigner");
    await reverts(saver.subscribe({ ...voucher, amount: (101n * USDT).toString() }), "InvalidVoucherSigner");
    await office.advance(31 * MINUTE_ms);
    await reverts(saver.subscribe(voucher), "VoucherExpired");
  });
});
