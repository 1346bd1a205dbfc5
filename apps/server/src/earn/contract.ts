import { earnAbi, testUsdtAbi } from "@bourse/contracts";
import {
  AbiDecodingZeroDataError,
  AbiErrorSignatureNotFoundError,
  type Address,
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isHex,
  parseEventLogs,
} from "viem";
import type { ChainClient } from "../chain/client.ts";
import type { OperatorCall } from "../chain/operator/operator.ts";
import { RPC_CODES, RpcError } from "../chain/rpc-error.ts";
import { type EarnTerms, onChain } from "./terms.ts";

type Call = Pick<OperatorCall, "to" | "data">;

/** Figures of the contract, all at one block. */
export interface Solvency {
  readonly blockNumber: bigint;
  /** The tokens that the contract holds. */
  readonly balance: bigint;
  readonly totalPrincipal: bigint;
  readonly totalFunded: bigint;
  readonly product: { readonly principal: bigint; readonly interestOwed: bigint; readonly funded: bigint };
}

/** The earn contract and its token: what is read of them, and what the operator sends to them. */
export class EarnContract {
  readonly address: Address;
  readonly #client: ChainClient;
  readonly #usdt: Address;

  constructor({ client, earn, usdt }: { client: ChainClient; earn: Address; usdt: Address }) {
    this.#client = client;
    this.address = earn;
    this.#usdt = usdt;
  }

  create(terms: EarnTerms): Call {
    return this.#call(encodeFunctionData({ abi: earnAbi, functionName: "createProduct", args: [onChain(terms)] }));
  }

  update(chainProductId: bigint, terms: EarnTerms): Call {
    const args = [chainProductId, onChain(terms)] as const;
    return this.#call(encodeFunctionData({ abi: earnAbi, functionName: "updateProduct", args }));
  }

  cancel(chainProductId: bigint): Call {
    return this.#call(encodeFunctionData({ abi: earnAbi, functionName: "cancel", args: [chainProductId] }));
  }

  settle(chainProductId: bigint): Call {
    return this.#call(encodeFunctionData({ abi: earnAbi, functionName: "settle", args: [chainProductId] }));
  }

  /** The tokens come from the operator; on the embedded chain, which has no other source, it mints them first. */
  fund(chainProductId: bigint, amount: bigint, operator: Address): Call[] {
    const approve = { abi: erc20Abi, functionName: "approve", args: [this.address, amount] } as const;
    const fund = { abi: earnAbi, functionName: "fund", args: [chainProductId, amount] } as const;
    const mint = { abi: testUsdtAbi, functionName: "mint", args: [operator, amount] } as const;
    const isEmbedded = this.#client.kind === "embedded";
    return [
      ...(isEmbedded ? [{ to: this.#usdt, data: encodeFunctionData(mint) }] : []),
      { to: this.#usdt, data: encodeFunctionData(approve) },
      this.#call(encodeFunctionData(fund)),
    ];
  }

  /** The product that a transaction has created. */
  async createdBy(hash: Hex): Promise<bigint> {
    const { logs } = await this.#client.public.getTransactionReceipt({ hash });
    const own = logs.filter(({ address }) => address.toLowerCase() === this.address.toLowerCase());
    const [created] = parseEventLogs({ abi: earnAbi, eventName: "ProductCreated", logs: own });
    if (created === undefined) throw new Error(`the transaction ${hash} has created no product`);
    return created.args.productId;
  }

  /**
   * Whether nobody has subscribed and nobody can any more: the indexer may be behind the chain, and whoever had
   * subscribed would lose the interest. Blocks never go back in time, so one after the end is the proof; on the embedded
   * chain the next block has the time of the clock.
   */
  async isEmptyForGood(chainProductId: bigint, subscribeEnd_s: number): Promise<boolean> {
    const { number, timestamp } = await this.#client.public.getBlock({ blockTag: "latest" });
    if (this.#client.kind === "external" && Number(timestamp) < subscribeEnd_s) return false;
    const product = await this.#client.public.readContract({
      address: this.address,
      abi: earnAbi,
      functionName: "product",
      args: [chainProductId],
      blockNumber: number,
    });
    return product.subscribed === 0n;
  }

  async solvency(chainProductId: bigint): Promise<Solvency> {
    const { public: client } = this.#client;
    const blockNumber = await client.getBlockNumber();
    const earn = { address: this.address, abi: earnAbi, blockNumber } as const;
    const usdt = { address: this.#usdt, abi: erc20Abi, blockNumber } as const;
    const [balance, totalPrincipal, totalFunded, product] = await Promise.all([
      client.readContract({ ...usdt, functionName: "balanceOf", args: [this.address] }),
      client.readContract({ ...earn, functionName: "totalPrincipal" }),
      client.readContract({ ...earn, functionName: "totalFunded" }),
      client.readContract({ ...earn, functionName: "product", args: [chainProductId] }),
    ]);
    return { blockNumber, balance, totalPrincipal, totalFunded, product };
  }

  /** INV-5: what the contract holds for everybody, and owes them, at a block. */
  async totalsAt(block: number): Promise<{ readonly balance: bigint; readonly totalPrincipal: bigint }> {
    const { public: client } = this.#client;
    const blockNumber = BigInt(block);
    const [balance, totalPrincipal] = await Promise.all([
      client.readContract({
        address: this.#usdt,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [this.address],
        blockNumber,
      }),
      client.readContract({ address: this.address, abi: earnAbi, functionName: "totalPrincipal", blockNumber }),
    ]);
    return { balance, totalPrincipal };
  }

  #call(data: Hex): Call {
    return { to: this.address, data };
  }
}

/** The contract's own words for a refusal, where it has some. */
export function refusalOf(cause: unknown): string | undefined {
  if (!(cause instanceof BaseError)) return undefined;
  const carrier = cause.walk((error) => isHex((error as { data?: unknown }).data)) as { data?: Hex } | null;
  if (carrier?.data === undefined) return undefined;
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: [...earnAbi, ...testUsdtAbi], data: carrier.data });
    return `${errorName}(${args.join(", ")})`;
  } catch (error) {
    // Some other contract's error, of which nothing is known here.
    if (error instanceof AbiErrorSignatureNotFoundError || error instanceof AbiDecodingZeroDataError) return undefined;
    throw error;
  }
}

/** Whether the contract itself has refused: trying again would give the same answer. */
export function isRefusedByContract(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  const root = cause.walk(
    (error) => error instanceof RpcError || (error as { code?: unknown }).code === RPC_CODES.reverted,
  );
  return root !== null && (root as { code?: unknown }).code === RPC_CODES.reverted;
}
