import type { PreparedSubscription, PublicConfig } from "@bourse/api/client";
import {
  type Abi,
  type Address,
  type Hex,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
  type WalletClient,
} from "viem";
import { chainOf, createPublicClient, http } from "../session/chain-parts.ts";
import { earnAbi, referralAbi, tokenAbi, vaultAbi } from "./abi.ts";
import type { StepTools } from "./flow.ts";
import { ChainRefused, refusalOf } from "./refusals.ts";

/** Everything here needs viem, so it is loaded when the chain is needed first: see access.ts. */

const POLL_MS = 1_000;
/**
 * Above the estimate: the Vault notes its totals once a second, and an estimate in the second of somebody else's deposit lacks the
 * new entries.
 */
const GAS_ROOM = 50_000n;
const RECEIPT_TIMEOUT_MS = 120_000;

export interface Contracts {
  readonly usdt: Address;
  readonly vault: Address;
  readonly earn: Address;
  readonly referral: Address;
}

export function contractsOf({ contracts }: PublicConfig): Contracts {
  const { usdt, vault, earn, referral } = contracts;
  if (usdt === null || vault === null || earn === null || referral === null) {
    throw new Error("This exchange has no contracts on its chain");
  }
  return { usdt: usdt as Address, vault: vault as Address, earn: earn as Address, referral: referral as Address };
}

export function readerOf(rpcUrl: string, chainId: number): PublicClient {
  return createPublicClient({ chain: chainOf(chainId, rpcUrl), transport: http(rpcUrl), pollingInterval: POLL_MS });
}

export function balanceOf(reader: PublicClient, usdt: Address, holder: Address): Promise<bigint> {
  return reader.readContract({ address: usdt, abi: tokenAbi, functionName: "balanceOf", args: [holder] });
}

/** What the referral contract holds for a wallet until it is claimed. */
export async function rebatesWaiting(reader: PublicClient, referral: Address, holder: Address): Promise<bigint> {
  const call = { address: referral, abi: referralAbi, functionName: "userRebate" } as const;
  const { credited, claimed } = await reader.readContract({ ...call, args: [holder] });
  return credited - claimed;
}

interface ContractCall {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

interface Parts {
  readonly reader: PublicClient;
  readonly wallet: WalletClient;
  readonly owner: Address;
  readonly contracts: Contracts;
}

/** What a wallet does on the chain. Every write is simulated first, so that a refusal costs nothing. */
export class ChainHands {
  readonly owner: Address;
  readonly contracts: Contracts;
  readonly #reader: PublicClient;
  readonly #wallet: WalletClient;

  constructor({ reader, wallet, owner, contracts }: Parts) {
    this.owner = owner;
    this.contracts = contracts;
    this.#reader = reader;
    this.#wallet = wallet;
  }

  balance(): Promise<bigint> {
    return balanceOf(this.#reader, this.contracts.usdt, this.owner);
  }

  allowance(spender: Address): Promise<bigint> {
    const call = { address: this.contracts.usdt, abi: tokenAbi, functionName: "allowance" } as const;
    return this.#reader.readContract({ ...call, args: [this.owner, spender] });
  }

  /** Approves exactly this amount, so that the contract cannot take more. */
  approve(tools: StepTools, spender: Address, units: bigint): Promise<void> {
    const args = [spender, units];
    return this.#transact(tools, { address: this.contracts.usdt, abi: tokenAbi, functionName: "approve", args });
  }

  deposit(tools: StepTools, units: bigint): Promise<void> {
    const args = [units];
    return this.#transact(tools, { address: this.contracts.vault, abi: vaultAbi, functionName: "deposit", args });
  }

  subscribe(tools: StepTools, voucher: PreparedSubscription): Promise<void> {
    const { chain_product_id, amount, deadline, signature, contract_address } = voucher;
    const args = [BigInt(chain_product_id), BigInt(amount), BigInt(deadline), signature];
    const address = contract_address as Address;
    return this.#transact(tools, { address, abi: earnAbi, functionName: "subscribe", args });
  }

  collect(tools: StepTools, functionName: "claim" | "emergencyClaim", chainProductId: number): Promise<void> {
    const args = [BigInt(chainProductId)];
    return this.#transact(tools, { address: this.contracts.earn, abi: earnAbi, functionName, args });
  }

  claimRebates(tools: StepTools): Promise<void> {
    const { referral } = this.contracts;
    return this.#transact(tools, { address: referral, abi: referralAbi, functionName: "claim", args: [] });
  }

  /** Sends, or waits for what an earlier attempt has sent: never sends twice. */
  async #transact(tools: StepTools, call: ContractCall): Promise<void> {
    try {
      const earlier = await this.#stillThere(tools.hash);
      const hash = earlier ?? (await this.#send(call));
      if (earlier === undefined) tools.sent(hash);
      const receipt = await this.#reader.waitForTransactionReceipt({ hash, timeout: RECEIPT_TIMEOUT_MS });
      // Sped up in the wallet: another one was mined in its place.
      if (receipt.transactionHash !== hash) tools.sent(receipt.transactionHash);
      if (receipt.status !== "success") {
        throw new ChainRefused("reverted", "The chain reverted the transaction. Nothing was moved; try again.");
      }
    } catch (error) {
      throw refusalOf(error);
    }
  }

  async #send(call: ContractCall): Promise<Hex> {
    const { request } = await this.#reader.simulateContract({ ...call, account: this.owner });
    const gas = GAS_ROOM + (await this.#reader.estimateContractGas({ ...call, account: this.owner }));
    const account = this.#wallet.account ?? this.owner;
    return await this.#wallet.writeContract({ ...request, gas, account, chain: this.#wallet.chain ?? null } as never);
  }

  /** The hash, if the chain still has the transaction; one that was dropped or reverted counts as not sent. */
  async #stillThere(hash: string | undefined): Promise<Hex | undefined> {
    if (hash === undefined) return undefined;
    try {
      const { status } = await this.#reader.getTransactionReceipt({ hash: hash as Hex });
      return status === "success" ? (hash as Hex) : undefined;
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError)) throw error;
    }
    try {
      await this.#reader.getTransaction({ hash: hash as Hex });
      return hash as Hex;
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return undefined;
      throw error;
    }
  }
}
