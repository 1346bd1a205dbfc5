import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "../kit/panel.tsx";
import { EmptyState } from "../kit/states.tsx";
import type { Session } from "../session/session.ts";
import { SignInFirst } from "../session/sign-in-first.tsx";
import { Bonus } from "./bonus/bonus.tsx";
import { Fees } from "./fees/fees.tsx";
import { Funds } from "./funds/funds.tsx";
import { Income } from "./income/income.tsx";
import { ApiKeys } from "./keys/api-keys.tsx";
import { Overview } from "./overview/overview.tsx";

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly content: ReactNode;
}

const mine = (reason: string, content: (session: Session) => ReactNode) => (
  <SignInFirst reason={reason}>{content}</SignInFirst>
);

const TABS: readonly Tab[] = [
  {
    name: "funds",
    label: "Funds",
    content: mine("Deposits and withdrawals belong to your wallet.", ({ name }) => <Funds address={name} />),
  },
  { name: "fees", label: "Fee tier", content: <Fees /> },
  { name: "income", label: "Income", content: mine("Income is what came to your account.", () => <Income />) },
  { name: "bonus", label: "Bonus", content: mine("A bonus belongs to your wallet.", () => <Bonus />) },
  { name: "keys", label: "API keys", content: mine("Keys act in the name of your wallet.", () => <ApiKeys />) },
];

const OVERVIEW = mine("Your balances, positions and history are shown here.", () => <Overview />);

const LINK = "flex h-9 items-center px-1.5 sm:px-2.5 text-sm whitespace-nowrap text-muted hover:text-text";
const ACTIVE = { className: "font-medium text-text shadow-[inset_0_-2px_var(--accent)]" };

function TabLinks() {
  return (
    <nav aria-label="Portfolio" className="-mx-2 flex overflow-x-auto sm:gap-1">
      <Link to="/portfolio" activeOptions={{ exact: true }} className={LINK} activeProps={ACTIVE}>
        Overview
      </Link>
      {TABS.map(({ name, label }) => (
        <Link key={name} to="/portfolio/$tab" params={{ tab: name }} className={LINK} activeProps={ACTIVE}>
          {label}
        </Link>
      ))}
    </nav>
  );
}

export function PortfolioPage() {
  const { tab } = useParams({ strict: false });
  const shown = tab === undefined ? OVERVIEW : TABS.find(({ name }) => name === tab)?.content;
  return (
    <Page title="Portfolio">
      <TabLinks />
      {shown ?? <EmptyState title="There is no such part of the portfolio">Choose one of the tabs above.</EmptyState>}
    </Page>
  );
}
