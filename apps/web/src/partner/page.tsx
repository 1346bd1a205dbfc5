import { Outlet, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "../kit/panel.tsx";
import { ErrorState, Skeleton } from "../kit/states.tsx";
import { shortHash } from "../lib/format.ts";
import { useSession } from "../session/session.ts";
import { PartnerNav } from "./nav.tsx";
import { Newcomer } from "./newcomer.tsx";
import { Program } from "./program.tsx";
import { useOverview } from "./queries.ts";
import { RecordDialog } from "./record-dialog.tsx";

/** The portal: a partner's pages; for other wallets the program and their own rebates. */
export function PartnerPage() {
  const session = useSession("wallet");
  const overview = useOverview(session !== undefined);
  const { pathname } = useLocation();
  if (session === undefined) {
    return (
      <Page title="Partners" lead="Invite traders, share the fees they pay, and check every figure yourself.">
        <Program />
      </Page>
    );
  }
  if (overview.data === null) {
    const isPayouts = pathname.endsWith("/payouts");
    return (
      <Page title="Partners" lead="What you get back of your own fees, and how to become a partner.">
        <PartnerNav isBroker={false} />
        {isPayouts ? <Outlet /> : <Newcomer address={session.name} />}
        <OpenRecord />
      </Page>
    );
  }
  if (overview.data === undefined) {
    return (
      <Page title="Partners">
        {overview.error ? (
          <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
        ) : (
          <Skeleton rows={10} rowHeight={40} />
        )}
      </Page>
    );
  }
  const { nickname, wallet_address, current_level_label } = overview.data;
  return (
    <Page title="Partners" lead={`${nickname ?? shortHash(wallet_address)}, ${current_level_label}`}>
      <PartnerNav isBroker />
      <Outlet />
      <OpenRecord />
    </Page>
  );
}

/** The record that the address names. */
function OpenRecord() {
  const { record } = useSearch({ from: "/partner" });
  const navigate = useNavigate();
  if (record === undefined) return null;
  return <RecordDialog id={record} onClose={() => void navigate({ to: ".", search: {} })} />;
}
