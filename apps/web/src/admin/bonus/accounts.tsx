import type { BonusAccount } from "@bourse/api/client";
import { useState } from "react";
import { SelectField, TextField } from "../../kit/field.tsx";
import { PagedTable } from "../../kit/list.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { walletOf } from "./addresses.ts";
import { type BonusStatus, useAccounts } from "./queries.ts";
import { WalletLink } from "./wallet-link.tsx";
import { STATUS_WORDS } from "./words.ts";

const amount = (value: string) => <Num value={value} decimals={2} />;

/** Columns of lists of bonuses. */
export const BONUS_COLUMNS: readonly Column<BonusAccount>[] = [
  ["Wallet", ({ address }) => <WalletLink address={address} />],
  ["Status", ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>],
  ["Granted, USDT", (account) => amount(account.amount), "number"],
  ["Free", ({ bonus_free }) => amount(bonus_free), "number"],
  ["In margin", ({ bonus_locked }) => amount(bonus_locked), "number"],
  ["Consumed", ({ bonus_consumed }) => amount(bonus_consumed), "number"],
  ["Tier", ({ grant_tier }) => grant_tier, "secondary"],
  ["Granted", ({ granted_at }) => <Time at={granted_at} />, "secondary"],
  ["Expires", ({ expires_at }) => <Time at={expires_at} />],
];

const STATUS_OPTIONS = [
  { value: "" as const, label: "all" },
  ...Object.entries(STATUS_WORDS).map(([value, { label }]) => ({ value: value as BonusStatus, label })),
];

/** Every bonus of every wallet, the newest first. */
export function Accounts() {
  const [status, setStatus] = useState<BonusStatus>();
  const [find, setFind] = useState("");
  const wallet = walletOf(find.trim());
  return (
    <Panel title="Bonuses of wallets" isFlush>
      <div className="flex flex-wrap items-start gap-3 px-4 pb-3">
        <SelectField
          label="Status"
          className="w-44"
          options={STATUS_OPTIONS}
          value={status ?? ""}
          onChange={(next) => setStatus(next === "" ? undefined : next)}
        />
        <TextField
          label="Find a wallet"
          className="w-full sm:w-96"
          error={find.trim() === "" || wallet !== undefined ? undefined : "A whole address: 0x and 40 hex digits."}
          kind="code"
          placeholder="0x…"
          value={find}
          onChange={setFind}
        />
      </div>
      <PagedTable
        label="Bonuses of wallets"
        query={useAccounts(status, wallet)}
        keyOf={({ id }) => id}
        columns={BONUS_COLUMNS}
        empty={
          <EmptyState title="No bonus matches">
            {wallet === undefined
              ? "Bonuses appear here when they are granted or redeemed."
              : "This wallet never had a bonus."}
          </EmptyState>
        }
      />
    </Panel>
  );
}
