import assert from "node:assert/strict";
import type { EarnSubscription, PreparedSubscription, ProductDetail } from "@bourse/api";
import { earnAbi, testUsdtAbi } from "@bourse/contracts";
import {
  type Abi,
  type Address,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  parseEther,
  type WriteContractParameters,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { chainOf } from "../../chain/client.ts";
import { DEPLOYER_KEY } from "../../chain/embedded/node.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { createTestPlatform, TEST_EPOCH_MS, type TestPlatform } from "../../testing/test-platform.ts";
import { type EarnDb, earnDb } from "../tables.ts";

export const USDT = 1_000_000n;
export const isoAfter = (ms: number): string => new Date(TEST_EPOCH_MS + ms).toISOString();

/** An admin's request for a product of 30 days at 12 %, open for subscription for a day from now on. */
export const productBody = (changes: Record<string, unknown> = {}) => ({
  name: "USDT 30 days",
  description: "Fixed term",
  annual_rate_bps: 1_200,
  duration_seconds: 2_592_000,
  total_quota: "10000000000",
  min_amount: "10000000",
  max_amount_per_user: "5000000000",
  subscribe_start_time: isoAfter(0),
  subscribe_end_time: isoAfter(DAY_ms),
  ...changes,
});

interface Reply {
  readonly statusCode: number;
  readonly body: string;
  json(): Record<string, unknown>;
}

/** The whole platform on its embedded chain, with wallets that subscribe as a browser would. */
export class EarnScene {
  readonly platform: TestPlatform;
  readonly db: EarnDb;
  readonly chain;
  readonly contracts: { readonly usdt: Address; readonly earn: Address };
  readonly #transport;
  readonly #chainId: number;

  private constructor(platform: TestPlatform, config: { chain_id: number; contracts: Record<string, Address> }) {
    this.platform = platform;
    this.db = earnDb(platform.database);
    this.contracts = { usdt: config.contracts["usdt"]!, earn: config.contracts["earn"]! };
    this.#chainId = config.chain_id;
    this.#transport = custom({ request: (call) => this.#rpc(call) }, { retryCount: 0 });
    const chain = chainOf(this.#chainId);
    this.chain = createPublicClient({ chain, transport: this.#transport, pollingInterval: 10, cacheTime: 0 });
  }

  static async open(environment: Record<string, string> = {}): Promise<EarnScene> {
    const platform = await createTestPlatform(environment);
    return new EarnScene(platform, (await platform.get("/api/v1/config")).json());
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  // Requests to the platform.

  async token(wallet: PrivateKeyAccount): Promise<string> {
    return (await this.platform.signIn(wallet)).access_token;
  }

  async admin(method: "POST" | "PUT", path: string, payload?: object): Promise<Reply> {
    const { access_token } = await this.platform.adminSignIn();
    const headers = { host: "127.0.0.1:8080", authorization: `Bearer ${access_token}` };
    const url = `/api/v1/earn/admin/products${path}`;
    return await this.platform.call({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  }

  /** A new product, open for subscription if its time has come. */
  async product(changes: Record<string, unknown> = {}): Promise<ProductDetail> {
    const { id } = accepted<ProductDetail>(await this.admin("POST", "", productBody(changes)));
    await this.sync();
    return await this.read(id);
  }

  async read(id: string | number): Promise<ProductDetail> {
    return accepted(await this.platform.get(`/earn/products/${id}`));
  }

  async prepareReply(wallet: PrivateKeyAccount, body: object): Promise<Reply> {
    return await this.platform.post("/earn/subscribe/prepare", body, await this.token(wallet));
  }

  async prepare(wallet: PrivateKeyAccount, product_id: string, amount: string): Promise<PreparedSubscription> {
    return accepted(await this.prepareReply(wallet, { product_id, amount }));
  }

  async subscriptions(wallet: PrivateKeyAccount): Promise<EarnSubscription[]> {
    const reply = await this.platform.get("/earn/subscriptions", await this.token(wallet));
    return accepted<{ subscriptions: EarnSubscription[] }>(reply).subscriptions;
  }

  /** WIRE-4: indexes, then changes product states. */
  async sync(): Promise<void> {
    const reply = await this.platform.post("/api/v1/dev/jobs/chain-sync/run");
    assert.equal(accepted<{ error: string | null }>(reply).error, null);
  }

  async moveTo(ms: number): Promise<void> {
    accepted(await this.platform.post("/api/v1/dev/clock", { now: TEST_EPOCH_MS + ms }));
  }

  // Transactions on chain.

  /** Gives the wallet gas and tokens. */
  async give(wallet: PrivateKeyAccount, amount: bigint): Promise<void> {
    const deployer = privateKeyToAccount(DEPLOYER_KEY);
    const sent = this.#signer(deployer).sendTransaction({ to: wallet.address, value: parseEther("1") });
    await this.chain.waitForTransactionReceipt({ hash: await sent });
    const operator = privateKeyToAccount(this.platform.settings.operatorKey as Hex);
    await this.#write(operator, this.contracts.usdt, testUsdtAbi, "mint", [wallet.address, amount]);
  }

  async approve(wallet: PrivateKeyAccount, amount: bigint): Promise<void> {
    await this.#write(wallet, this.contracts.usdt, testUsdtAbi, "approve", [this.contracts.earn, amount]);
  }

  /** Approves and subscribes with a voucher. */
  async subscribe(wallet: PrivateKeyAccount, voucher: PreparedSubscription): Promise<Hex> {
    await this.approve(wallet, BigInt(voucher.amount));
    return await this.earn(wallet, "subscribe", subscribeArgs(voucher));
  }

  /** Prepares, approves, subscribes, and waits until the subscription is indexed. */
  async invest(wallet: PrivateKeyAccount, product_id: string, amount: string): Promise<Hex> {
    const hash = await this.subscribe(wallet, await this.prepare(wallet, product_id, amount));
    await this.sync();
    return hash;
  }

  earn(wallet: PrivateKeyAccount, functionName: string, args: readonly unknown[]): Promise<Hex> {
    return this.#write(wallet, this.contracts.earn, earnAbi, functionName, args);
  }

  tokensOf(address: Address): Promise<bigint> {
    const usdt = { address: this.contracts.usdt, abi: testUsdtAbi } as const;
    return this.chain.readContract({ ...usdt, functionName: "balanceOf", args: [address] });
  }

  onChain(chain_product_id: number) {
    const args = [BigInt(chain_product_id)] as const;
    return this.chain.readContract({ address: this.contracts.earn, abi: earnAbi, functionName: "product", args });
  }

  #signer(account: PrivateKeyAccount) {
    return createWalletClient({ account, chain: chainOf(this.#chainId), transport: this.#transport });
  }

  /** Rejects with the contract's reason if it refuses. */
  async #write(account: PrivateKeyAccount, address: Address, abi: Abi, functionName: string, args: readonly unknown[]) {
    const call = { address, abi, functionName, args, account, chain: chainOf(this.#chainId) };
    await this.chain.simulateContract(call as never);
    const hash = await this.#signer(account).writeContract(call as WriteContractParameters);
    const { status } = await this.chain.waitForTransactionReceipt({ hash });
    assert.equal(status, "success");
    return hash;
  }

  async #rpc({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const reply = await this.platform.post("/rpc", { jsonrpc: "2.0", id: 1, method, params: params ?? [] });
    const { result, error } = reply.json();
    if (error !== undefined) throw error;
    return result;
  }
}

export const subscribeArgs = ({ chain_product_id, amount, deadline, signature }: PreparedSubscription) =>
  [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature] as const;

export function accepted<Body>(reply: Reply): Body {
  assert.equal(reply.statusCode, 200, reply.body);
  return reply.json() as Body;
}

export function assertRefused(reply: Reply, status: number, code: string): void {
  assert.deepEqual([reply.statusCode, reply.json()["code"]], [status, code], reply.body);
}

/** Asserts that the contract refuses with this error. */
export async function reverts(call: Promise<unknown>, errorName: string): Promise<void> {
  await assert.rejects(call, (error: { walk?: (is: (each: unknown) => boolean) => unknown }) => {
    const revert = error.walk?.((each) => each instanceof ContractFunctionRevertedError);
    assert.ok(revert instanceof ContractFunctionRevertedError, String(error));
    assert.equal(revert.data?.errorName, errorName);
    return true;
  });
}
