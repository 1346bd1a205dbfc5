import type { BonusAccount, RiskPair, RiskReason, RiskReport } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { formatMoney, shortHash } from "../../lib/format.ts";
import { counted } from "../frame/words.ts";
import { heldOf } from "./account-figures.ts";
import { sayShort } from "./grant-draft.ts";

const usdt = (amount: string) => `${formatMoney(amount, { signed: true })} USDT`;

/** A reason as a sentence. */
export function sayReason(reason: RiskReason): string {
  switch (reason.kind) {
    case "funding": {
      if (reason.is_direct) return "One of the two has paid the other on chain.";
      const sources = reason.sources.map((source) => shortHash(source)).join(", ");
      return `Both were paid by ${sources} on chain, who has paid ${counted(reason.wallets_funded, "bonus wallet")}.`;
    }
    case "mirrored": {
      const [one = 0, other = 0] = reason.of;
      const what = reason.basis === "orders" ? "orders" : "positions";
      const side = reason.relation === "mirrored" ? "on opposite sides" : "on the same side";
      return `${reason.matched} of ${one} and ${other} ${what} match, most of them ${side}: same market, within 5 minutes, sizes within 10 %.`;
    }
    case "off_mark":
      return `Trades gave one of the two ${formatMoney(reason.off_mark)} USDT against the mark, out of the other's bonus account.`;
    case "volume":
      return `${formatMoney(reason.volume)} of ${formatMoney(reason.total_volume)} USDT were traded with the other.`;
    case "opposite":
      return `They held opposite positions of the same size for ${reason.percent} % of the time.`;
    case "pnl": {
      const [one = "0", other = "0"] = reason.pnl;
      return `One has gained what the other has lost: ${usdt(one)} and ${usdt(other)}.`;
    }
    case "ip":
      return `Both have signed in from ${reason.ips.join(", ")}.`;
  }
}

export const REASON_NAMES: Readonly<Record<RiskReason["kind"], string>> = {
  funding: "Money",
  off_mark: "Prices",
  mirrored: "Trades",
  opposite: "Positions",
  volume: "Volume",
  pnl: "Results",
  ip: "Network",
};

export type RiskCluster = RiskReport["clusters"][number];

/** The pairs that link a cluster. */
export function pairsOf({ wallets }: Pick<RiskCluster, "wallets">, pairs: readonly RiskPair[]): readonly RiskPair[] {
  const members = new Set(wallets);
  return pairs.filter((pair) => pair.wallets.every((wallet) => members.has(wallet)));
}

export interface LinkedFigures {
  /** Wallets whose bonus runs; the others have nothing that could be frozen. */
  readonly running: readonly BonusAccount[];
  /** What is left of their bonuses, in margin or not. */
  readonly held: string;
  /** What comes back at once: of wallets that have nothing in margin. */
  readonly recallable: string;
  /** What stays until positions are closed. */
  readonly staying: string;
}

/** What freezing a cluster would move. A wallet with anything in margin is frozen, and keeps all of it for now. */
export function figuresOf(wallets: readonly string[], bonuses: ReadonlyMap<string, BonusAccount>): LinkedFigures {
  const running = wallets.flatMap((wallet) => bonuses.get(wallet) ?? []);
  const isFree = ({ bonus_locked }: BonusAccount) => Decimal.parse(bonus_locked).isZero();
  const total = (accounts: readonly BonusAccount[]) =>
    accounts.reduce((all, account) => all.add(heldOf(account)), Decimal.ZERO).toString();
  return {
    running,
    held: total(running),
    recallable: total(running.filter(isFree)),
    staying: total(running.filter((account) => !isFree(account))),
  };
}

export const linkedLabel = ({ running, held }: LinkedFigures): string =>
  `Freeze and recall ${counted(running.length, "linked wallet")} (${sayShort(held)})`;
