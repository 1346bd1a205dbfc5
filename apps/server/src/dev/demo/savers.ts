import { createHmac } from "node:crypto";
import type { ProductRequest } from "@bourse/api";
import { type ContractAddresses, earnAbi } from "@bourse/contracts";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { type ChainClient, mintData, type Operator, type OperatorCall } from "../../chain/index.ts";
import { type Earn, earnDb, findByRequest } from "../../earn/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { DAY_s } from "../../kernel/dates.ts";
import type { Log } from "../../kernel/log.ts";

export interface EarnDemoOptions {
  readonly earn: Pick<Earn, "admin" | "prepare">;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Log;
  readonly client: ChainClient;
  readonly operator: Pick<Operator, "send">;
  readonly contracts: Pick<ContractAddresses, "usdt" | "earn">;
  /** Wallets are derived from the seed. It is a secret of the installation: with it one knows their private keys. */
  readonly walletSeed: string;
}

const USDT = 1_000_000n;
const ACTOR = { actor: "system", role: "system", ip: null, request_id: null };
/** Enough for a few transactions. */
const GAS_wei = parseEther("1");
const RECEIPT_TIMEOUT_ms = 30_000;

interface DemoProduct {
  readonly requestId: string;
  readonly name: string;
  readonly description: string;
  readonly rate_bps: number;
  readonly duration_s: number;
  /** From now. */
  readonly start_s: number;
  readonly end_s: number;
  /** In USDT, one per saver. */
  readonly subscribed: readonly number[];
  /** Interest that is paid in at once, in USDT. */
  readonly funded: number;
}

/** RUN-2: one product open for subscription, one that opens later, one that lasts minutes, and one that is soon claimable. */
const PRODUCTS: readonly DemoProduct[] = [
  {
    requestId: "demo:open",
    name: "USDT 30 days",
    description: "Thirty days at a fixed rate. Open for a week.",
    rate_bps: 1_200,
    duration_s: 30 * DAY_s,
    start_s: 0,
    end_s: 7 * DAY_s,
    subscribed: [25_000, 12_500],
    funded: 0,
  },
  {
    requestId: "demo:coming",
    name: "USDT 90 days",
    description: "Ninety days at a fixed rate. Opens tomorrow.",
    rate_bps: 1_500,
    duration_s: 90 * DAY_s,
    start_s: DAY_s,
    end_s: 8 * DAY_s,
    subscribed: [],
    funded: 0,
  },
  {
    requestId: "demo:running",
    name: "USDT 7 days",
    description: "Seven days at a fixed rate. Its subscription was short.",
    rate_bps: 800,
    duration_s: 7 * DAY_s,
    start_s: 0,
    end_s: 120,
    subscribed: [5_000, 8_000],
    funded: 50,
  },
  {
    requestId: "demo:claimable",
    name: "USDT one minute",
    description: "A minute at a fixed rate, to see a product from its beginning to its end.",
    rate_bps: 1_000,
    duration_s: 60,
    start_s: 0,
    end_s: 90,
    subscribed: [1_000, 2_000],
    funded: 1,
  },
];

/**
 * Creates the demo's products and subscribes a few savers, through the same calls as admins and users. Existing products are not
 * changed, so it can run at every start, and again after an interruption.
 */
export async function seedDemoProducts(
  options: EarnDemoOptions,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const product of PRODUCTS) {
    if (isStopped()) return;
    const id = await findOrCreate(options, product);
    for (const [place, amount] of product.subscribed.entries()) {
      if (isStopped()) return;
      await subscribe(options, { product, productId: id, saver: saverOf(options.walletSeed, place), amount });
    }
    const request_id = `${product.requestId}:fund`;
    if (product.funded > 0) await fundOnce(options, id, { amount: wei(product.funded), request_id });
  }
}

const wei = (usdt: number): string => (BigInt(usdt) * USDT).toString();

function saverOf(walletSeed: string, place: number): PrivateKeyAccount {
  const key = createHmac("sha256", walletSeed)
    .update(`demo saver: ${place + 1}`)
    .digest("hex");
  return privateKeyToAccount(`0x${key}`);
}

async function findOrCreate({ earn, database, clock }: EarnDemoOptions, product: DemoProduct): Promise<string> {
  const known = await findByRequest(earnDb(database), product.requestId);
  if (known !== undefined) return known.id;
  const now_s = Math.floor(clock.now() / 1_000);
  const iso = (time_s: number) => new Date(time_s * 1_000).toISOString();
  const request: ProductRequest = {
    name: product.name,
    description: product.description,
    annual_rate_bps: product.rate_bps,
    duration_seconds: product.duration_s,
    total_quota: wei(1_000_000),
    min_amount: wei(10),
    max_amount_per_user: wei(50_000),
    subscribe_start_time: iso(now_s + product.start_s),
    subscribe_end_time: iso(now_s + product.end_s),
    request_id: product.requestId,
    reason: "demo data",
  };
  return (await earn.admin.create(request, ACTOR)).id;
}

async function fundOnce(
  { earn, database }: EarnDemoOptions,
  id: string,
  request: { readonly amount: string; readonly request_id: string },
): Promise<void> {
  const product = await findByRequest(earnDb(database), request.request_id.replace(/:fund$/, ""));
  if (product?.chain?.status !== "open" || product.chain.funded > 0n) return;
  await earn.admin.fund(id, { ...request, reason: "demo data" }, ACTOR);
}

interface Subscription {
  readonly product: DemoProduct;
  readonly productId: string;
  readonly saver: PrivateKeyAccount;
  readonly amount: number;
}

async function subscribe(options: EarnDemoOptions, { product, productId, saver, amount }: Subscription): Promise<void> {
  const { earn, database, contracts } = options;
  const current = await findByRequest(earnDb(database), product.requestId);
  if (current?.status !== "subscribing" || current.chainProductId === undefined) return;
  if (await hasPosition(options, saver.address, current.chainProductId)) return;
  const ref = `earn-demo:${productId}:${saver.address}`;
  await sent(options, { ref: `${ref}:gas`, to: saver.address, value_wei: GAS_wei });
  const data = mintData(saver.address, BigInt(wei(amount)));
  await sent(options, { ref: `${ref}:usdt`, to: contracts.usdt, data });
  const user = saver.address.toLowerCase() as Address;
  const voucher = await earn.prepare.prepare(user, productId, amount);
  const allowed = [contracts.earn, BigInt(voucher.amount)] as const;
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: allowed });
  await sign(options, saver, contracts.usdt, approve);
  const { deadline, signature } = voucher;
  const args = [current.chainProductId, BigInt(voucher.amount), BigInt(deadline), signature as Hex] as const;
  await sign(options, saver, contracts.earn, encodeFunctionData({ abi: earnAbi, functionName: "subscribe", args }));
}

async function hasPosition({ client, contracts }: EarnDemoOptions, user: Address, id: bigint): Promise<boolean> {
  const call = { address: contracts.earn, abi: earnAbi, functionName: "position", args: [user, id] } as const;
  return (await client.public.readContract(call)).principal > 0n;
}

async function sent({ operator }: EarnDemoOptions, call: OperatorCall): Promise<void> {
  const { state } = await operator.send(call);
  if (state !== "confirmed") throw new Error(`${call.ref} is ${state}`);
}

/** Sends and mines a saver's transaction. */
async function sign({ client }: EarnDemoOptions, saver: PrivateKeyAccount, to: Address, data: Hex): Promise<void> {
  const { public: chain, chainId } = client;
  const nonce = await chain.getTransactionCount({ address: saver.address });
  const gas = await chain.estimateGas({ account: saver, to, data });
  const fees = await chain.estimateFeesPerGas();
  const raw = await saver.signTransaction({ type: "eip1559", chainId, nonce, to, data, gas: (gas * 6n) / 5n, ...fees });
  const hash = await chain.sendRawTransaction({ serializedTransaction: raw });
  const { status } = await chain.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_ms });
  if (status !== "success") throw new Error(`transaction ${hash} of a demo saver was reverted`);
}

/** Creates the products in the background after the server listens. */
export class EarnDemo {
  readonly #options: EarnDemoOptions;
  #seeding: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: EarnDemoOptions) {
    this.#options = options;
  }

  start(): void {
    this.#seeding = seedDemoProducts(this.#options, () => this.#isStopped).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, "the demo's earn products are not complete; the next start goes on");
    });
  }

  /** Finishes the current step. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#seeding;
  }
}
