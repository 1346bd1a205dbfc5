import type { ChainEvent, ChainListener, EventOf } from "../chain/index.ts";
import type { Discounts } from "./discounts.ts";
import {
  type Affected,
  addBatch,
  addClaim,
  addCode,
  addCredit,
  removeBatch,
  removeCode,
  removeMovement,
  setAffiliateTier,
  setTierTerms,
  setTraderCode,
} from "./store.ts";
import { type ReferralTx, referralTx } from "./tables.ts";

type ReferralEvent = EventOf<"referral">;

const ofReferral = (events: readonly ChainEvent[]) =>
  events.filter((event): event is ReferralEvent => event.contract === "referral");

async function applyOne(tx: ReferralTx, event: ReferralEvent): Promise<void> {
  switch (event.name) {
    case "CodeRegistered":
      return addCode(tx, event.args.code, event.args.owner);
    case "CodeUsed":
      return setTraderCode(tx, event.args.trader, event.args.newCode);
    case "TierChanged":
      return setAffiliateTier(tx, event.args.affiliate, event.args.newTier);
    case "TierTermsChanged": {
      const { tier, newTotalBps: total_bps, newDiscountShareBps: discount_share_bps } = event.args;
      return setTierTerms(tx, tier, { total_bps, discount_share_bps });
    }
    case "RebateCredited":
      return addCredit(tx, event, event.args);
    case "BatchSynced":
      return addBatch(tx, event, event.args);
    case "RebateClaimed":
      return addClaim(tx, event, event.args);
    default:
      // Pauses and role changes are not stored: the contract itself is queried when they matter.
      return;
  }
}

async function undoOne(tx: ReferralTx, event: ReferralEvent): Promise<void> {
  switch (event.name) {
    case "CodeRegistered":
      return removeCode(tx, event.args.code);
    case "CodeUsed":
      return setTraderCode(tx, event.args.trader, event.args.oldCode);
    case "TierChanged":
      return setAffiliateTier(tx, event.args.affiliate, event.args.oldTier);
    case "TierTermsChanged": {
      const { tier, oldTotalBps: total_bps, oldDiscountShareBps: discount_share_bps } = event.args;
      return setTierTerms(tx, tier, { total_bps, discount_share_bps });
    }
    case "RebateCredited":
      return removeMovement(tx, "referral_credit", event);
    case "BatchSynced":
      return removeBatch(tx, event.args.batchId);
    case "RebateClaimed":
      return removeMovement(tx, "referral_claim", event);
    default:
      return;
  }
}

function affectedBy(events: readonly ReferralEvent[]): Affected {
  const traders = new Set<string>();
  const affiliates = new Set<string>();
  const tiers = new Set<number>();
  for (const { name, args } of events) {
    if (name === "CodeUsed") traders.add(args.trader.toLowerCase());
    else if (name === "TierChanged") affiliates.add(args.affiliate.toLowerCase());
    else if (name === "TierTermsChanged") tiers.add(args.tier);
  }
  return { traders: [...traders], affiliates: [...affiliates], tiers: [...tiers] };
}

/** Keeps the tables and the engine's discounts in step with the contract, also when blocks are reverted. */
export function createReferralListener(discounts: Pick<Discounts, "tellAffected">): ChainListener {
  async function follow(
    tx: ReferralTx,
    events: readonly ReferralEvent[],
    one: (tx: ReferralTx, event: ReferralEvent) => Promise<void>,
  ): Promise<void> {
    for (const event of events) await one(tx, event);
    await discounts.tellAffected(tx, affectedBy(events));
  }
  return {
    name: "referral",
    apply: (tx, events) => follow(referralTx(tx), ofReferral(events), applyOne),
    undo: (tx, events) => follow(referralTx(tx), ofReferral(events), undoOne),
  };
}
