import type { Downline } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Hash } from "../kit/hash.tsx";
import { Num, Percent } from "../kit/number.tsx";
import { Badge } from "../kit/panel.tsx";
import { VirtualTable } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";

const KINDS: Readonly<Record<Downline["code_type"], string>> = { direct: "customer", sub_kol: "sub-KOL", bd: "KOL" };

interface DownlineTableProps {
  readonly label: string;
  readonly rows: readonly Downline[];
  readonly empty: ReactNode;
}

export function DownlineTable({ label, rows, empty }: DownlineTableProps) {
  return (
    <VirtualTable<Downline>
      label={label}
      height="min(36rem, 70dvh)"
      className="px-1"
      rows={rows}
      keyOf={({ wallet_address }) => wallet_address}
      empty={empty}
      columns={[
        ["Wallet", ({ wallet_address }) => <Hash value={wallet_address} />],
        ["Is a", ({ code_type }) => <Badge>{KINDS[code_type]}</Badge>],
        ["Since", ({ bind_time }) => <Time at={bind_time} precision="day" />, "secondary"],
        ["Rate", ({ rebate_rate }) => <Percent fraction={rebate_rate} />, "number", "secondary"],
        ["Fees", ({ total_fee }) => <Num decimals={2} value={total_fee} />, "number"],
        [
          "Back to it",
          ({ total_customer_rebate }) => <Num decimals={2} value={total_customer_rebate} />,
          "number",
          "secondary",
        ],
        [
          "Net",
          ({ total_kol_net_rebate }) => <Num decimals={2} value={total_kol_net_rebate} className="font-medium" />,
          "number",
        ],
      ]}
    />
  );
}
