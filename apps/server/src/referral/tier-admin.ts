import type { ReferralTierReply } from "@bourse/api";
import { referralRebateAbi } from "@bourse/contracts";
import { type Address as ChainAddress, encodeFunctionData } from "viem";
import type { Operator, OperatorOutcome } from "../chain/index.ts";
import type { Address } from "../kernel/address.ts";
import type { AuditEntry, AuditLog } from "../kernel/audit/audit-log.ts";
import type { Database } from "../kernel/database/database.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { type Random, randomUuid } from "../kernel/random.ts";
import { tierNameOf } from "./contract.ts";
import type { ReferralReads } from "./reads.ts";

export interface TierAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly audit: AuditLog;
  readonly random: Random;
  readonly log: Pick<Log, "error">;
  readonly operator: Pick<Operator, "send">;
  readonly contractAddress: ChainAddress;
  readonly reads: Pick<ReferralReads, "tierNow" | "forgetAffiliate">;
}

/** The staff member who sets a tier, for the audit log. */
export type TierSetter = Pick<AuditEntry, "actor" | "role" | "ip" | "request_id" | "reason">;

const WAIT_ms = 30_000;

function noted(outcome: OperatorOutcome | undefined) {
  const tx_hash = outcome !== undefined && "hash" in outcome ? outcome.hash : null;
  return { state: outcome?.state ?? "unknown", tx_hash };
}

function refusalText(outcome: OperatorOutcome | undefined): string {
  if (outcome === undefined) return "the chain could not be asked whether the tier was set";
  if (outcome.state === "not_sent") return "the tier could not be set; nothing was sent to the chain";
  if (outcome.state === "reverted") return `the contract refused the tier in the transaction ${outcome.hash}`;
  return `whether the tier is set is not known yet; the transaction is ${outcome.hash}`;
}

/**
 * REF-4: sets affiliates' tiers on chain. The chain cannot share a transaction with the audit log, so the log gets two entries: the
 * intended call before it is sent, and its outcome.
 */
export class TierAdmin {
  readonly #options: TierAdminOptions;

  constructor(options: TierAdminOptions) {
    this.#options = options;
  }

  async setTier(address: Address, tier: number, setter: TierSetter): Promise<ReferralTierReply> {
    const { random, reads } = this.#options;
    const before = { tier: await reads.tierNow(address) };
    const ref = `referral-tier:${randomUuid(random)}`;
    const entry = { ...setter, target: address, before };
    await this.#note({ ...entry, action: "referral.tier.request", after: { tier, ref } });
    const outcome = await this.#send(ref, address, tier);
    reads.forgetAffiliate(address);
    await this.#note({ ...entry, action: "referral.tier.outcome", after: { tier, ref, ...noted(outcome) } });
    if (outcome?.state === "confirmed") return { address, tier, tier_name: tierNameOf(tier), tx_hash: outcome.hash };
    throw new ApiError(500, "CHAIN_ERROR", refusalText(outcome));
  }

  /** Undefined if the outcome is unknown: the transaction may have been sent or not. */
  async #send(ref: string, affiliate: Address, tier: number): Promise<OperatorOutcome | undefined> {
    const { operator, contractAddress: to, log } = this.#options;
    const data = encodeFunctionData({ abi: referralRebateAbi, functionName: "setTier", args: [affiliate, tier] });
    try {
      const outcome = await operator.send({ ref, to, data }, { wait_ms: WAIT_ms });
      if (outcome.state !== "confirmed") log.error({ ref, ...outcome }, "a referral tier was not set");
      return outcome;
    } catch (err) {
      log.error({ ref, err }, "whether a referral tier was set is not known");
      return undefined;
    }
  }

  async #note(entry: AuditEntry): Promise<void> {
    const { database, audit } = this.#options;
    await database.db.transaction().execute((tx) => audit.append(tx, entry));
  }
}
