/** Wallets that save with an earn product, while servers are killed and restarted. */
import assert from "node:assert/strict";
import type { EarnSubscription, PreparedSubscription, ProductDetail, TokenReply } from "@bourse/api";
import { earnAbi, testUsdtAbi } from "@bourse/contracts";
import { createPublicClient, createWalletClient, formatUnits, type Hex, http, maxUint256 } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { CHAIN, contractsOf } from "./chain.ts";
import type { RunningServer } from "./server.ts";
import { postJson, signIn, TRADING_ENV } from "./traders.ts";
import { waitFor } from "./waiting.ts";

const DAY_ms = 86_400_000;
const USDT = 1_000_000n;

async function readProduct({ baseUrl }: RunningServer, id: string): Promise<ProductDetail> {
  return (await (await fetch(`${baseUrl}/earn/products/${id}`)).json()) as ProductDetail;
}

/** A product of 30 days at 12 %, open for subscriptions for a day from now on. */
export async function openEarnProduct(server: RunningServer): Promise<ProductDetail> {
  const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
  const login = `${server.baseUrl}/api/v1/broker/auth/login`;
  const { access_token } = await postJson<TokenReply>(login, credentials);
  const request = {
    name: "USDT 30 days",
    annual_rate_bps: 1_200,
    duration_seconds: 2_592_000,
    total_quota: "1000000000000",
    min_amount: "1000000",
    max_amount_per_user: "100000000000",
    subscribe_start_time: new Date().toISOString(),
    subscribe_end_time: new Date(Date.now() + DAY_ms).toISOString(),
  };
  const url = `${server.baseUrl}/api/v1/earn/admin/products`;
  const { id } = await postJson<ProductDetail>(url, request, access_token);
  const opened = async () => {
    const product = await readProduct(server, id);
    return product.status === "subscribing" ? product : undefined;
  };
  return await waitFor(opened, { what: "the product to be open" });
}

interface Taken {
  /** The number of subscriptions of a saver in the contract. */
  readonly count: number;
  readonly principal: bigint;
}

export class Saver {
  readonly wallet: PrivateKeyAccount = privateKeyToAccount(generatePrivateKey());
  readonly #product: ProductDetail;
  /** Hashes of transactions that the chain has acknowledged. */
  readonly #acknowledged = new Set<Hex>();

  constructor(product: ProductDetail) {
    this.#product = product;
  }

  async open(server: RunningServer): Promise<void> {
    await postJson(`${server.baseUrl}/api/v1/dev/faucet`, { address: this.wallet.address, amount: "10000" });
    const { usdt, earn } = await contractsOf(server);
    const approve = { address: usdt, abi: testUsdtAbi, functionName: "approve" } as const;
    await this.#signer(server).writeContract({ ...approve, args: [earn, maxUint256] });
  }

  /** Subscribes, and adds to the subscription, until the server is dead. */
  async act(server: RunningServer, isOver: () => boolean): Promise<void> {
    try {
      const token = await signIn(server.baseUrl, this.wallet);
      while (!isOver()) await this.#subscribe(server, token);
    } catch (error) {
      if (!isOver()) throw error;
    }
  }

  /** Once more, on a server that is not killed: continues whatever the kills have interrupted. */
  async finish(server: RunningServer): Promise<Taken> {
    await this.#subscribe(server, await signIn(server.baseUrl, this.wallet));
    return await this.#agreement(server);
  }

  async #subscribe(server: RunningServer, token: string): Promise<void> {
    const wanted = { product_id: this.#product.id, amount: formatUnits(USDT + BigInt(this.#acknowledged.size), 6) };
    const url = `${server.baseUrl}/earn/subscribe/prepare`;
    const voucher = await postJson<PreparedSubscription>(url, wanted, token);
    const { chain_product_id, amount, deadline, signature } = voucher;
    const args = [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature as Hex] as const;
    const call = { address: (await contractsOf(server)).earn, abi: earnAbi, functionName: "subscribe", args } as const;
    this.#acknowledged.add(await this.#signer(server).writeContract(call));
  }

  /** Waits until `/earn/subscriptions` matches the contract for this saver. */
  async #agreement(server: RunningServer): Promise<Taken> {
    const { earn: address } = await contractsOf(server);
    const client = createPublicClient({ chain: CHAIN, transport: http(`${server.baseUrl}/rpc`) });
    const contract = { address, abi: earnAbi } as const;
    const args = [this.wallet.address, BigInt(this.#product.chain_product_id)] as const;
    const { principal, tokenId } = await client.readContract({ ...contract, functionName: "position", args });
    const interest = await client.readContract({ ...contract, functionName: "interestOf", args });
    const logs = await client.getContractEvents({
      ...contract,
      eventName: "Subscribed",
      args: { user: this.wallet.address },
      fromBlock: 0n,
      strict: true,
    });
    const hashes = new Set(logs.map(({ transactionHash }) => transactionHash));
    assert.ok(
      [...this.#acknowledged].every((hash) => hashes.has(hash)),
      "what the chain has answered is on the chain",
    );
    assert.equal(
      principal,
      logs.reduce((sum, { args: { amount } }) => sum + amount, 0n),
    );
    const token = await signIn(server.baseUrl, this.wallet);
    const positions = await waitFor(
      async () => {
        const headers = { authorization: `Bearer ${token}` };
        const response = await fetch(`${server.baseUrl}/earn/subscriptions`, { headers });
        const { subscriptions } = (await response.json()) as { subscriptions: EarnSubscription[] };
        return subscriptions[0]?.principal === principal.toString() ? subscriptions : undefined;
      },
      { what: `the position of ${principal} to be listed` },
    );
    assert.deepEqual(
      positions.map((each) => [
        each.product_id,
        each.interest,
        String(each.nft_token_id),
        each.nft_status,
        each.subscribe_tx_hash,
      ]),
      [[this.#product.id, interest.toString(), tokenId.toString(), "minted", logs[0]!.transactionHash]],
    );
    return { count: logs.length, principal };
  }

  #signer({ baseUrl }: RunningServer) {
    const transport = http(`${baseUrl}/rpc`, { retryCount: 0 });
    return createWalletClient({ account: this.wallet, chain: CHAIN, transport });
  }
}

/** The product's own figures are the sums of its subscriptions. */
export async function assertProductAgrees(
  server: RunningServer,
  { id }: ProductDetail,
  taken: readonly Taken[],
): Promise<void> {
  const { subscribed_amount, subscriber_count } = await readProduct(server, id);
  const principal = taken.reduce((sum, each) => sum + each.principal, 0n);
  assert.deepEqual([subscribed_amount, subscriber_count], [principal.toString(), taken.length]);
}
