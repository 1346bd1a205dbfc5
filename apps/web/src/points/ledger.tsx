import { Link } from "@tanstack/react-router";
import { Hash } from "../kit/hash.tsx";
import { PagedTable } from "../kit/list.tsx";
import { Num } from "../kit/number.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { EmptyState } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { calculationOf, type PointsLine, SOURCE_WORDS } from "./ledger-words.ts";
import { useLedger } from "./queries.ts";

const TradeLink = () => (
  <Link to="/trade" className="text-sm text-accent underline">
    To trading
  </Link>
);

/** The fill, the earn position or the invitee behind a line. */
function Origin({ line }: { readonly line: PointsLine }) {
  const { source, symbol, trade_id, side, subscription_id, invitee } = line;
  const fill = symbol !== undefined && (
    <Link to="/trade/$symbol" params={{ symbol }} className="text-accent underline-offset-2 hover:underline">
      {symbol} #{trade_id} {side?.toLowerCase()}
    </Link>
  );
  const position = subscription_id !== undefined && (
    <span className="inline-flex items-center gap-1.5">
      <Link to="/earn" className="text-accent underline-offset-2 hover:underline">
        Earn position
      </Link>
      <Hash value={subscription_id} of="subscription" />
    </span>
  );
  if (source !== "referral") return fill || position || null;
  return (
    <span className="inline-flex items-center gap-1.5 max-md:flex-col max-md:items-start max-md:gap-0">
      <Hash value={invitee} of="invitee" /> {fill || position || null}
    </span>
  );
}

function Calculated({ line }: { readonly line: PointsLine }) {
  const { base, baseWords, factor } = calculationOf(line);
  return (
    <span className="text-muted">
      <Num value={base} decimals={2} /> {baseWords} × <Num value={factor} />
    </span>
  );
}

const COLUMNS: readonly Column<PointsLine>[] = [
  ["Time", ({ time }) => <Time at={time} />],
  ["Points", ({ points }) => <Num value={points} signed decimals={2} />, "number"],
  ["Source", ({ source }) => <Badge>{SOURCE_WORDS[source]}</Badge>, "secondary"],
  ["Came from", (line) => <Origin line={line} />],
  ["Calculation", (line) => <Calculated line={line} />, "secondary"],
  ["Rule", ({ rule_version }) => <span className="text-muted">version {rule_version}</span>, "secondary"],
];

/** Every line of the wallet's points with its source, the newest first. */
export const Ledger = ({ address }: { readonly address: string }) => (
  <Panel title="Where your points came from" isFlush>
    <PagedTable
      label="Your points, line by line"
      className="max-h-[32rem] px-1"
      query={useLedger(address)}
      keyOf={({ id }) => id}
      columns={COLUMNS}
      empty={
        <EmptyState title="No points yet" action={<TradeLink />}>
          Each USDT of fee gives points at once; an earn position gives points at every midnight, UTC.
        </EmptyState>
      }
    />
  </Panel>
);
