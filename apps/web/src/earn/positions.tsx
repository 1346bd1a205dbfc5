import type { EarnSubscription } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { tokensOf } from "../chain/tokens.ts";
import { Dialog } from "../kit/dialog.tsx";
import { Hash } from "../kit/hash.tsx";
import { Num } from "../kit/number.tsx";
import { Badge, Fact, Facts } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { Countdown, Time } from "../kit/time.tsx";
import { useMedia } from "../lib/use-media.ts";
import { ClaimButton } from "./claim-button.tsx";
import { HowInterest } from "./how.tsx";
import { usePositions, useProduct, useProducts } from "./queries.ts";
import { POSITION_WORDS } from "./words.ts";

/** Its latest transaction. */
const lastHash = (position: EarnSubscription) =>
  position.claim_tx_hash ?? position.refund_tx_hash ?? position.subscribe_tx_hash;

function Matures({ position }: { readonly position: EarnSubscription }) {
  if (position.status === "active") return <Countdown until={position.claimable_at} done="being settled" />;
  return <Time at={position.claimed_at ?? position.refunded_at ?? position.claimable_at} />;
}

function Interest({ position, onHow }: { readonly position: EarnSubscription; readonly onHow: () => void }) {
  return (
    <button
      type="button"
      className="text-accent underline decoration-dotted underline-offset-4"
      title="How it is calculated"
      onClick={onHow}
    >
      <Num value={tokensOf(position.interest)} decimals={6} />
    </button>
  );
}

function Status({ status, nft_status }: EarnSubscription) {
  const { tone, label } = POSITION_WORDS[status];
  return (
    <span title={`Receipt: ${nft_status}`}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  );
}

interface ProductNameProps {
  readonly position: EarnSubscription;
  readonly names: ReadonlyMap<string, string>;
}

function ProductName({ position: { chain_product_id, product_id }, names }: ProductNameProps) {
  return (
    <Link
      to="/earn/$productId"
      params={{ productId: String(chain_product_id) }}
      className="font-medium hover:underline"
    >
      {names.get(product_id) ?? `Product ${chain_product_id}`}
    </Link>
  );
}

function columnsOf(
  names: ReadonlyMap<string, string>,
  onHow: (position: EarnSubscription) => void,
): readonly Column<EarnSubscription>[] {
  return [
    ["Product", (position) => <ProductName position={position} names={names} />],
    ["Status", (position) => <Status {...position} />],
    ["Principal, USDT", ({ principal }) => <Num value={tokensOf(principal)} decimals={2} />, "number"],
    ["Interest, USDT", (position) => <Interest position={position} onHow={() => onHow(position)} />, "number"],
    ["Matures in / paid", (position) => <Matures position={position} />],
    ["Transaction", (position) => <Hash value={lastHash(position)} of="transaction hash" />],
    ["Action", (position) => <ClaimButton position={position} />, "untitled"],
  ];
}

interface CardProps extends ProductNameProps {
  readonly onHow: () => void;
}

/** The same on a phone, where a table would hide the button. */
function PositionCard({ position, names, onHow }: CardProps) {
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <ProductName position={position} names={names} /> <Status {...position} />
      </div>
      <Facts>
        <Fact name="Principal" value={<Num value={tokensOf(position.principal)} decimals={2} unit="USDT" />} />
        <Fact name="Interest" value={<Interest position={position} onHow={onHow} />} />
        <Fact name={position.status === "active" ? "Matures in" : "Since"} value={<Matures position={position} />} />
        <Fact name="Transaction" value={<Hash value={lastHash(position)} of="transaction hash" />} />
      </Facts>
      <ClaimButton position={position} />
    </li>
  );
}

const PHONE = "(max-width: 767px)";

export function MyPositions() {
  const isPhone = useMedia(PHONE);
  const query = usePositions();
  const products = useProducts(undefined);
  const [explained, setExplained] = useState<EarnSubscription>();
  const names = new Map(products.data?.products.map(({ id, name }) => [id, name]));
  return (
    <>
      <Async
        query={query}
        rows={3}
        rowHeight={40}
        empty={
          <EmptyState title="You have no positions yet">Choose an open product below to start earning.</EmptyState>
        }
      >
        {(positions) =>
          isPhone ? (
            <ul aria-label="My positions">
              {positions.map((position) => (
                <PositionCard
                  key={position.id}
                  position={position}
                  names={names}
                  onHow={() => setExplained(position)}
                />
              ))}
            </ul>
          ) : (
            <Table
              label="My positions"
              rows={positions}
              keyOf={({ id }) => id}
              columns={columnsOf(names, setExplained)}
            />
          )
        }
      </Async>
      <Dialog
        title="How the interest is calculated"
        isOpen={explained !== undefined}
        onClose={() => setExplained(undefined)}
      >
        {explained !== undefined && <Explained position={explained} />}
      </Dialog>
    </>
  );
}

function Explained({ position }: { readonly position: EarnSubscription }) {
  const query = useProduct(position.product_id);
  return (
    <Async query={query} rows={8}>
      {(product) => (
        <>
          <HowInterest product={product} principal={BigInt(position.principal)} />
          <div className="flex items-center justify-between gap-2 text-sm">
            <span className="text-muted">Subscribed by</span>
            <Hash value={position.subscribe_tx_hash} of="transaction hash" />
          </div>
        </>
      )}
    </Async>
  );
}
