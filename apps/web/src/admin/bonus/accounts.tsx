import type { BonusAccount } from "@bourse/api/client";
import { useState } from "react";
import { Field, Select, TextInput } from "../../kit/field.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { walletOf } from "./addresses.ts";
import { MoreRows } from "./more-rows.tsx";
import { type BonusStatus, useAccounts } from "./queries.ts";
import { WalletLink } from "./wallet-link.tsx";
import { STATUS_WORDS } from "./words.ts";

const amount = (value: string) => <Num value={value} decimals={2} />;

/** Bonuses of wallets; each leads to how its figures came about. */
export function AccountTable({
  label,
  accounts,
}: {
  readonly label: string;
  readonly accounts: readonly BonusAccount[];
}) {
  return (
    <Table
      label={label}
      rows={accounts}
      keyOf={({ id }) => id}
      columns={[
        {
          key: "address",
          title: "Wallet",
          cell: ({ address }) => <WalletLink address={address} />,
        },
        {
          key: "status",
          title: "Status",
          cell: ({ status }) => <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].label}</Badge>,
        },
        { key: "amount", title: "Granted, USDT", isNumber: true, cell: (account) => amount(account.amount) },
        { key: "free", title: "Free", isNumber: true, cell: ({ bonus_free }) => amount(bonus_free) },
        { key: "locked", title: "In margin", isNumber: true, cell: ({ bonus_locked }) => amount(bonus_locked) },
        { key: "consumed", title: "Consumed", isNumber: true, cell: ({ bonus_consumed }) => amount(bonus_consumed) },
        { key: "tier", title: "Tier", isSecondary: true, cell: ({ grant_tier }) => grant_tier },
        { key: "granted", title: "Granted", isSecondary: true, cell: ({ granted_at }) => <Time at={granted_at} /> },
        { key: "expires", title: "Expires", cell: ({ expires_at }) => <Time at={expires_at} /> },
      ]}
    />
  );
}

/** Every bonus of every wallet, the newest first. */
export function Accounts() {
  const [status, setStatus] = useState<BonusStatus>();
  const [find, setFind] = useState("");
  const wallet = walletOf(find.trim());
  const query = useAccounts(status, wallet);
  return (
    <Panel title="Bonuses of wallets" isFlush>
      <div className="flex flex-wrap items-start gap-3 px-4 pb-3">
        <Field label="Status" className="w-44">
          {(ids) => (
            <Select
              {...ids}
              value={status ?? ""}
              onChange={(event) =>
                setStatus(event.target.value === "" ? undefined : (event.target.value as BonusStatus))
              }
            >
              <option value="">all</option>
              {Object.entries(STATUS_WORDS).map(([value, { label }]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field
          label="Find a wallet"
          className="w-full sm:w-96"
          error={find.trim() === "" || wallet !== undefined ? undefined : "A whole address: 0x and 40 hex digits."}
        >
          {(ids) => (
            <TextInput
              {...ids}
              className="font-mono"
              placeholder="0x…"
              spellCheck={false}
              value={find}
              onChange={(event) => setFind(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Async
        query={query}
        skeleton={<Skeleton rows={8} rowHeight={40} />}
        isEmpty={({ pages }) => pages[0]?.accounts.length === 0}
        empty={
          <EmptyState title="No bonus matches">
            {wallet === undefined
              ? "Bonuses appear here when they are granted or redeemed."
              : "This wallet has had none."}
          </EmptyState>
        }
      >
        {({ pages }) => {
          const accounts = pages.flatMap((page) => page.accounts);
          return (
            <>
              <AccountTable label="Bonuses of wallets" accounts={accounts} />
              <MoreRows of="bonus" many="bonuses" shown={accounts.length} total={pages[0]?.total} query={query} />
            </>
          );
        }}
      </Async>
    </Panel>
  );
}
