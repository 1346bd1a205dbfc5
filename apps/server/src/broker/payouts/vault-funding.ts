import { type ContractAddresses, vaultAbi } from "@bourse/contracts";
import { encodeFunctionData, type Hex } from "viem";
import type { ChainClient, Operator, OperatorOutcome } from "../../chain/index.ts";
import { vaultRefusalOf } from "../../wallet/index.ts";
import { payoutRef, vaultPayoutIdOf } from "./payout-id.ts";

export interface VaultFundingOptions {
  readonly client: ChainClient;
  readonly operator: Pick<Operator, "address" | "send" | "outcomeOf">;
  readonly contracts: Pick<ContractAddresses, "vault">;
}

/** The total of a batch. */
interface Total {
  readonly id: string;
  readonly total_micros: bigint;
}

/**
 * Whether the Vault has paid the operator a batch's total. The hash is null if this database does not know the transaction, for
 * example after a restored backup. `why` is null while the transaction is in progress.
 */
export type Funding =
  | { readonly isFunded: true; readonly tx_hash: Hex | null }
  | { readonly isFunded: false; readonly why: string | null };

const isSpent = (outcome: OperatorOutcome | undefined) =>
  outcome?.state === "reverted" || outcome?.state === "not_sent";

/**
 * Moves a batch's total from the Vault to the operator, from whom the referral contract takes it. The batch's id makes this happen
 * once.
 */
export class VaultFunding {
  readonly #options: VaultFundingOptions;

  constructor(options: VaultFundingOptions) {
    this.#options = options;
  }

  async fund({ id, total_micros }: Total, wait_ms: number): Promise<Funding> {
    const { operator, contracts } = this.#options;
    const { ref, outcome: known } = await this.#attempt(id);
    if (known?.state === "confirmed") return { isFunded: true, tx_hash: known.hash };
    const args = [vaultPayoutIdOf(id), operator.address, total_micros] as const;
    const data = encodeFunctionData({ abi: vaultAbi, functionName: "payout", args });
    const outcome = await operator.send({ ref, to: contracts.vault, data }, { wait_ms });
    if (outcome.state === "confirmed") return { isFunded: true, tx_hash: outcome.hash };
    if (outcome.state === "unknown") return { isFunded: false, why: outcome.reason };
    if (outcome.state !== "not_sent") return { isFunded: false, why: `the Vault has refused it in ${outcome.hash}` };
    const name = vaultRefusalOf(outcome.cause)?.name;
    if (name === "PayoutAlreadyPaid" && (await this.#isPaid(id))) return { isFunded: true, tx_hash: null };
    return { isFunded: false, why: name ?? outcome.reason };
  }

  /** The reference of the first attempt that has not failed, and its outcome. */
  async #attempt(id: string): Promise<{ ref: string; outcome: OperatorOutcome | undefined }> {
    for (let number = 1; ; number += 1) {
      const ref = number === 1 ? payoutRef(id) : `${payoutRef(id)}:${number}`;
      const outcome = await this.#options.operator.outcomeOf(ref);
      if (!isSpent(outcome)) return { ref, outcome };
    }
  }

  /** In a final block. */
  async #isPaid(id: string): Promise<boolean> {
    const { client, contracts } = this.#options;
    const counted = (await client.public.getBlockNumber()) - BigInt(client.confirmations);
    if (counted < 0n) return false;
    return await client.public.readContract({
      address: contracts.vault,
      abi: vaultAbi,
      functionName: "isPayoutPaid",
      args: [vaultPayoutIdOf(id)],
      blockNumber: counted,
    });
  }
}
