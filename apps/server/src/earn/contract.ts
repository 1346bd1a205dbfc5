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
import { type ChainClient, type OperatorCall, RPC_CODES, RpcError } from "../chain/index.ts";
import { type EarnTerms, onChain } from "./terms.ts";

type Call = Pick<OperatorCall, "to" | "data">;

/** Users whose money is read at the same time, with three requests each. */
const READ_AT_ONCE = 8;

/** Figures of the contract, all at one block. */
export interface Solvency {
  readonly blockNumber: bigint;
  /** The tokens that the contract holds. */
  readonly balance: bigint;
  readonly totalPrincipal: bigint;
  readonly totalFunded: bigint;
  readonly product: { readonly principal: bigint; readonly interestOwed: bigint; readonly funded: bigint };
}

/** ERN-4: what stands behind a voucher: the user's tokens, what the contract may take of them, and whether it was used. */
export interface Behind {
  readonly balance: bigint;
  readonly allowance: bigint;
  readonly isUsed: boolean;
}

/** The earn contract and its token: the platform's reads and the operator's calls. */
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

  /** Pays tokens of the operator in; on the embedded chain, which has no other source, the operator mints them first. */
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

  /** The product that a transaction created. */
  async createdBy(hash: Hex): Promise<bigint> {
    const { logs } = await this.#client.public.getTransactionReceipt({ hash });
    const own = logs.filter(({ address }) => address.toLowerCase() === this.address.toLowerCase());
    const [created] = parseEventLogs({ abi: earnAbi, eventName: "ProductCreated", logs: own });
    if (created === undefined) throw new Error(`the transaction ${hash} has created no product`);
    return created.args.productId;
  }

  /**
   * Whether nobody has subscribed and nobody can any more. The chain itself is read because the indexer may be behind, and a
   * subscriber would lose the interest. Block times never decrease, so a block after the end is the proof; on the embedded chain
   * the next block has the clock's time.
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

  /** ERN-4: what stands behind vouchers of these users, in their order, all at one block. */
  async behind(vouchers: readonly { readonly user: string; readonly digest: string }[]): Promise<Behind[]> {
    const { public: client } = this.#client;
    const blockNumber = await client.getBlockNumber({ cacheTime: 0 });
    const usdt = { address: this.#usdt, abi: erc20Abi, blockNumber } as const;
    const earn = { address: this.address, abi: earnAbi, blockNumber } as const;
    const read = async ({ user, digest }: { readonly user: string; readonly digest: string }): Promise<Behind> => {
      const owner = user as Address;
      const [balance, allowance, isUsed] = await Promise.all([
        client.readContract({ ...usdt, functionName: "balanceOf", args: [owner] }),
        client.readContract({ ...usdt, functionName: "allowance", args: [owner, this.address] }),
        client.readContract({ ...earn, functionName: "isDigestUsed", args: [digest as Hex] }),
      ]);
      return { balance, allowance, isUsed };
    };
    const behind: Behind[] = [];
    for (let from = 0; from < vouchers.length; from += READ_AT_ONCE) {
      behind.push(...(await Promise.all(vouchers.slice(from, from + READ_AT_ONCE).map(read))));
    }
    return behind;
  }

  /** INV-5: the contract's balance and its debts at a block. */
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

/** The contract's own reason of a refusal, if it has one. */
export function refusalOf(cause: unknown): string | undefined {
  if (!(cause instanceof BaseError)) return undefined;
  const carrier = cause.walk((error) => isHex((error as { data?: unknown }).data)) as { data?: Hex } | null;
  if (carrier?.data === undefined) return undefined;
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: [...earnAbi, ...testUsdtAbi], data: carrier.data });
    return `${errorName}(${args.join(", ")})`;
  } catch (error) {
    // An error of another contract, which is unknown here.
    if (error instanceof AbiErrorSignatureNotFoundError || error instanceof AbiDecodingZeroDataError) return undefined;
    throw error;
  }
}

/** Whether the contract itself refused: a retry would get the same answer. */
export function isRefusedByContract(cause: unknown): boolean {
  if (!(cause instanceof BaseError)) return false;
  const root = cause.walk(
    (error) => error instanceof RpcError || (error as { code?: unknown }).code === RPC_CODES.reverted,
  );
  return root !== null && (root as { code?: unknown }).code === RPC_CODES.reverted;
}
