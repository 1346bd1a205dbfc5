import type { BonusAccount, RiskPair } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Panel } from "../../kit/panel.tsx";
import { Table } from "../../kit/table.tsx";
import { counted } from "../frame/words.ts";
import { LinkedFreeze } from "./linked-freeze.tsx";
import { figuresOf, linkedLabel, pairsOf, REASON_NAMES, type RiskCluster, sayReason } from "./risk-words.ts";
import { WalletLink } from "./wallet-link.tsx";
import { STATUS_WORDS } from "./words.ts";

function Pair({ pair }: { readonly pair: RiskPair }) {
  const [one = "", other = ""] = pair.wallets;
  return (
    <li className="flex flex-col gap-2 rounded-md bg-raised p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <WalletLink address={one} /> <span className="text-faint">and</span> <WalletLink address={other} />
        <span className="ml-auto">
          <Badge tone={pair.proposed_action === "freeze" ? "warn" : "neutral"}>score {pair.score}</Badge>
        </span>
      </div>
      <ul className="flex flex-col gap-1 text-sm">
        {pair.reasons.map((reason) => (
          <li key={reason.kind} className="flex items-baseline gap-3">
            <span className="w-16 shrink-0 text-muted">{REASON_NAMES[reason.kind]}</span>
            <span className="min-w-0 flex-1">{sayReason(reason)}</span>
            <span className="num shrink-0 text-faint">+{reason.points}</span>
          </li>
        ))}
      </ul>
    </li>
  );
}

interface WalletsProps {
  readonly wallets: readonly string[];
  readonly bonuses: ReadonlyMap<string, BonusAccount>;
}

function Wallets({ wallets, bonuses }: WalletsProps) {
  const amount = (address: string, field: "bonus_free" | "bonus_locked") => (
    <Num value={bonuses.get(address)?.[field]} decimals={2} />
  );
  return (
    <Table
      label="Wallets of the cluster"
      isDense
      className="max-h-80"
      rows={wallets}
      keyOf={(address) => address}
      columns={[
        ["Wallet", (address) => <WalletLink address={address} />],
        [
          "Bonus",
          (address) => {
            // Over, or never granted: who has traded with a bonus is linked too.
            const bonus = bonuses.get(address);
            if (bonus === undefined) return <Badge>none running</Badge>;
            const { label, tone } = STATUS_WORDS[bonus.status];
            return <Badge tone={tone}>{label}</Badge>;
          },
        ],
        ["Free, USDT", (address) => amount(address, "bonus_free"), "number"],
        ["In margin", (address) => amount(address, "bonus_locked"), "number"],
      ]}
    />
  );
}

interface ClusterCardProps {
  readonly cluster: RiskCluster;
  readonly pairs: readonly RiskPair[];
  readonly bonuses: ReadonlyMap<string, BonusAccount> | undefined;
  readonly minScore: number;
}

/** Linked wallets, why they are linked, and what can be done. */
export function ClusterCard({ cluster, pairs, bonuses, minScore }: ClusterCardProps) {
  const [isAsking, setAsking] = useState(false);
  const figures = bonuses && figuresOf(cluster.wallets, bonuses);
  const isOver = figures?.running.length === 0;
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          {counted(cluster.wallets.length, "linked wallet")}
          <Badge tone={cluster.proposed_action === "freeze" ? "warn" : "neutral"}>
            {cluster.proposed_action === "freeze" ? "freezing proposed" : "watch"}
          </Badge>
          <span className="num text-xs font-normal text-faint">highest score {cluster.max_score}</span>
        </span>
      }
      actions={
        figures !== undefined &&
        !isOver && (
          <Button
            look={cluster.proposed_action === "freeze" ? "primary" : "plain"}
            className="h-auto! min-h-8 py-1 whitespace-normal!"
            onClick={() => setAsking(true)}
          >
            {linkedLabel(figures)}
          </Button>
        )
      }
    >
      {isOver && (
        <p className="pb-3 text-sm text-muted">None of their bonuses is running: there is nothing to freeze.</p>
      )}
      <div className="grid gap-x-8 gap-y-4 xl:grid-cols-2">
        <ul aria-label="Why they are linked" className="flex max-h-96 flex-col gap-2 overflow-y-auto">
          {pairsOf(cluster, pairs).map((pair) => (
            <Pair key={pair.wallets.join(" ")} pair={pair} />
          ))}
        </ul>
        <Wallets wallets={cluster.wallets} bonuses={bonuses ?? new Map()} />
      </div>
      {isAsking && figures !== undefined && (
        <LinkedFreeze cluster={cluster} figures={figures} minScore={minScore} onClose={() => setAsking(false)} />
      )}
    </Panel>
  );
}
