import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../../kit/panel.tsx";
import { Tabs } from "../../kit/tabs.tsx";
import { AccountDetail } from "./account-detail.tsx";
import { Accounts } from "./accounts.tsx";
import { BatchDetail } from "./batch-detail.tsx";
import { Batches } from "./batches.tsx";
import { Campaign } from "./campaign.tsx";
import { GrantWizard } from "./grant-wizard.tsx";
import { GrantsStopped, PoolUse } from "./pool.tsx";
import { PoolLedger } from "./pool-ledger.tsx";
import { Reconcile } from "./reconcile.tsx";

const TABS = ["overview", "grant", "batches", "accounts", "ledger", "reconcile"] as const;
type Tab = (typeof TABS)[number];

const LABELS: Readonly<Record<Tab, string>> = {
  overview: "Overview",
  grant: "Grant",
  batches: "Batches and codes",
  accounts: "Wallets",
  ledger: "Pool ledger",
  reconcile: "Reconciliation",
};

const isTab = (text: string | undefined): text is Tab => TABS.some((tab) => tab === text);

function Overview() {
  return (
    <div className="flex flex-col gap-4">
      <PoolUse />
      <Campaign />
    </div>
  );
}

/** Bonuses: who gets them, where they are, and whether ledger and engine agree. */
export function BonusAdminPage() {
  const { tab, batch, address } = useSearch({ from: "/admin/bonus" });
  const navigate = useNavigate();
  const contents: Readonly<Record<Tab, ReactNode>> = {
    overview: <Overview />,
    grant: <GrantWizard />,
    batches: batch === undefined ? <Batches /> : <BatchDetail id={batch} />,
    accounts: address === undefined ? <Accounts /> : <AccountDetail address={address} />,
    ledger: <PoolLedger />,
    reconcile: <Reconcile />,
  };
  return (
    <Page
      title="Bonus"
      lead="Trial funds from the pool: margin that pays half of the costs and can never be withdrawn."
    >
      <GrantsStopped />
      <Tabs
        label="Bonus"
        value={isTab(tab) ? tab : "overview"}
        onChange={(next) => void navigate({ to: "/admin/bonus", search: { tab: next } })}
        items={TABS.map((value) => ({
          value,
          label: LABELS[value],
          content: <div className="pt-3">{contents[value]}</div>,
        }))}
      />
    </Page>
  );
}
