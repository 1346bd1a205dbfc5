import { type ContractAddresses, referralRebateAbi } from "@bourse/contracts";
import { encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import type { ChainClient, Operator, OperatorCall, OperatorOutcome } from "../chain/index.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { ReferralContract } from "./contract.ts";
import { planParts, type RebateLine, type RebatePart } from "./rebate-lines.ts";
import { bindBatchRef, findBatch } from "./store.ts";
import { referralDb } from "./tables.ts";

export type { RebateLine } from "./rebate-lines.ts";

export interface RebateSyncOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly client: ChainClient;
  readonly operator: Pick<Operator, "address" | "send" | "outcomeOf">;
  readonly contract: ReferralContract;
  readonly addresses: Pick<ContractAddresses, "usdt">;
  /** How long to wait for each transaction. */
  readonly wait_ms?: number;
}

/** REF-3: the contract would refuse every call, so nothing is started. */
export class NotOperator extends Error {
  constructor(address: string) {
    super(`${address} is not an operator of the referral contract: rebates cannot be synced`);
    this.name = "NotOperator";
  }
}

/** The reference of the payout was used for other lines before. */
export class RebateConflict extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RebateConflict";
  }
}

/**
 * The state of a part. `synced`: its users are credited by this transaction. `unknown`: it may be credited or not; send again
 * later. `failed`: it is not credited; send again when the reason is gone. `waiting`: an earlier part is not synced, so this one
 * was not tried.
 */
export type PartState =
  | { readonly state: "synced"; readonly tx_hash: Hex }
  | { readonly state: "unknown"; readonly tx_hash: Hex | null; readonly reason: string | null }
  | { readonly state: "failed"; readonly reason: string }
  | { readonly state: "waiting" };

export type SyncedPart = RebatePart & { readonly outcome: PartState };

export interface RebateSyncReport {
  /** Whether every line is credited. */
  readonly isComplete: boolean;
  readonly parts: readonly SyncedPart[];
}

const WAIT_ms = 60_000;

/** An attempt that certainly failed: the next one needs another reference. */
const isSpent = (outcome: OperatorOutcome | undefined) =>
  outcome?.state === "reverted" || outcome?.state === "not_sent";

const failureOf = (outcome: OperatorOutcome): string =>
  "reason" in outcome ? (outcome.reason ?? `${outcome.state}, no reason given`) : `reverted in ${outcome.hash}`;

/**
 * Credits users with rebates on chain (REF-3). A payout has a reference. Sending it again, after a crash or an unknown outcome,
 * continues where it stopped: the operator remembers what was sent, and the contract accepts each part once.
 */
export class RebateSync {
  readonly #options: RebateSyncOptions;

  constructor(options: RebateSyncOptions) {
    this.#options = options;
  }

  /** Rejects with NotOperator or RebateConflict if nothing may be started; after any other rejection the call can be repeated. */
  async send(batchRef: string, lines: readonly RebateLine[]): Promise<RebateSyncReport> {
    const { client, contract, operator, database, clock } = this.#options;
    const plan = planParts(batchRef, lines, { chainId: client.chainId, contract: contract.address });
    if (!(await contract.isOperator(operator.address))) throw new NotOperator(operator.address);
    const known = await bindBatchRef(referralDb(database), batchRef, plan.digest, new Date(clock.now()));
    if (known !== plan.digest) throw new RebateConflict(`the payout ${batchRef} was sent with other lines before`);

    const parts: SyncedPart[] = [];
    let isComplete = true;
    for (const part of plan.parts) {
      const outcome: PartState = isComplete ? await this.#sync(batchRef, part) : { state: "waiting" };
      isComplete &&= outcome.state === "synced";
      parts.push({ ...part, outcome });
    }
    return { isComplete, parts };
  }

  async #sync(batchRef: string, part: RebatePart): Promise<PartState> {
    const { contract, operator, wait_ms = WAIT_ms } = this.#options;
    const call = await this.#attempt(`rebate:${batchRef}:${part.number}`, isSpent, {
      to: contract.address,
      data: encodeFunctionData({
        abi: referralRebateAbi,
        functionName: "syncRebates",
        args: [part.batchId, part.users, part.amounts],
      }),
    });
    if ((await operator.outcomeOf(call.ref)) === undefined) {
      // The part may be on chain by a transaction that this database does not know, for example one from before a restored backup.
      if (await contract.isBatchSynced(part.batchId)) return this.#foundOnChain(part);
      const refused = await this.#allow(part);
      if (refused !== undefined) return refused;
    }
    const outcome = await operator.send(call, { wait_ms });
    if (outcome.state === "confirmed") return { state: "synced", tx_hash: outcome.hash };
    if (outcome.state === "unknown") return { state: "unknown", tx_hash: outcome.hash, reason: outcome.reason };
    // Another attempt may have been mined first, which makes the contract refuse this one.
    if (await contract.isBatchSynced(part.batchId)) return this.#foundOnChain(part);
    return { state: "failed", reason: failureOf(outcome) };
  }

  /** The contract has the part already: the indexer has seen, or will see, the transaction and its lines. */
  async #foundOnChain(part: RebatePart): Promise<PartState> {
    const found = await findBatch(referralDb(this.#options.database), part.batchId);
    if (found === undefined) {
      return {
        state: "unknown",
        tx_hash: null,
        reason: "it is on the chain, where the indexer has not come to it yet",
      };
    }
    const isSame =
      found.credits.length === part.users.length &&
      found.credits.every(({ address, amount }, place) => {
        return address === part.users[place] && BigInt(amount) === part.amounts[place];
      });
    if (!isSame) throw new RebateConflict(`the batch ${part.batchId} is on the chain with other lines`);
    return { state: "synced", tx_hash: found.tx_hash };
  }

  /**
   * Gives the contract an unlimited allowance: it takes only what its operator hands over in a batch, and one allowance serves all
   * batches.
   */
  async #allow({ amounts }: RebatePart): Promise<PartState | undefined> {
    const { client, contract, operator, addresses, wait_ms = WAIT_ms } = this.#options;
    const needed = amounts.reduce((sum, amount) => sum + amount, 0n);
    const allowance = await client.public.readContract({
      address: addresses.usdt,
      abi: erc20Abi,
      functionName: "allowance",
      args: [operator.address, contract.address],
    });
    if (allowance >= needed) return undefined;
    const isUsedUp = (outcome: OperatorOutcome | undefined) => isSpent(outcome) || outcome?.state === "confirmed";
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [contract.address, maxUint256] });
    const ref = `rebate-allowance:${contract.address.toLowerCase()}`;
    const outcome = await operator.send(await this.#attempt(ref, isUsedUp, { to: addresses.usdt, data }), { wait_ms });
    if (outcome.state === "confirmed") return undefined;
    return { state: "failed", reason: `the contract may not take the tokens: ${failureOf(outcome)}` };
  }

  /** Sends the call under the reference of its first attempt that has not failed. */
  async #attempt(
    ref: string,
    isOver: (outcome: OperatorOutcome | undefined) => boolean,
    call: Omit<OperatorCall, "ref">,
  ): Promise<OperatorCall> {
    for (let number = 1; ; number += 1) {
      const name = `${ref}:${number}`;
      if (!isOver(await this.#options.operator.outcomeOf(name))) return { ref: name, ...call };
    }
  }
}
