import type { AuditEntry } from "@bourse/api/client";

const WORDS: Readonly<Record<string, string>> = {
  "api-key.create": "API key made",
  "api-key.revoke": "API key revoked",
  "bonus.freeze": "Bonus account frozen",
  "bonus.unfreeze": "Bonus account unfrozen",
  "bonus.recall": "Bonus recalled",
  "bonus.freeze-linked": "Linked wallets frozen",
  "bonus.generate-codes": "Bonus codes generated",
  "bonus.grant": "Bonus granted",
  "bonus.campaign.begin": "Bonus campaign begun",
  "bonus.campaign.change": "Bonus campaign changed",
  "bonus.grants.stop": "Bonus grants stopped",
  "bonus.grants.resume": "Bonus grants resumed",
  "broker.tiers.set": "Tiers changed",
  "broker.tiers.unset": "Tiers removed",
  "broker.bd.create": "BD created",
  "broker.bd.reassign": "All KOLs of a BD moved",
  "broker.bd.update": "BD changed",
  "broker.code.create": "Invite code made",
  "broker.code.update": "Invite code changed",
  "broker.kol.create": "KOL created",
  "broker.kol.reassign": "KOL moved",
  "broker.kol.tier": "Tier of a KOL set",
  "broker.kol.update": "KOL changed",
  "earn.product.cancel": "Earn product cancelled",
  "earn.product.create": "Earn product created",
  "earn.product.fund": "Earn product funded",
  "earn.product.update": "Earn product changed",
  "market.add": "Market added",
  "market.rules": "Rules of a market changed",
  "market.status": "Status of a market changed",
  "points.levels.set": "Levels set",
  "points.makers.replace": "Market makers replaced",
  "points.rules.change": "Points rules changed",
  "points.season.change": "Season changed",
  "points.season.complete": "Season completed",
  "points.season.create": "Season created",
  "points.season.active": "Season began",
  "points.season.snapshot": "Season's snapshot taken",
  "points.season.distributing": "Season's distribution began",
  "points.season.completed": "Season ended",
  "rebate.calculate": "Day settled",
  "rebate.payout.cancel": "Payout batch cancelled",
  "rebate.payout.confirm": "Payout batch confirmed",
  "rebate.payout.create": "Payout batch made",
  "rebate.payout.pay": "Payout batch paid",
  "session.revoke": "Sessions ended",
  "staff.create": "Staff member created",
  "switch.withdrawals": "Withdrawal switch changed",
  "withdrawal.refuse": "Withdrawal refused",
  "withdrawal.release": "Withdrawal released",
};

/** The action in words; an unknown action is shown as it is. */
export const wordsOfAction = (action: string): string => WORDS[action] ?? action;

/** Entries that contain the text in any shown field. */
export function findEntries(entries: readonly AuditEntry[], text: string): readonly AuditEntry[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return entries;
  return entries.filter(({ seq, actor, role, action, target, reason }) =>
    [String(seq), actor, role, action, wordsOfAction(action), target, reason].some((field) =>
      field?.toLowerCase().includes(wanted),
    ),
  );
}
