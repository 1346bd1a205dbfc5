import type { HeldAmount } from "@bourse/api/client";
import { Money } from "../../kit/number.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { useHolds } from "../queries.ts";
import { HOLD_WORDS } from "./hold-words.ts";

/** What of the wallet's money is held, why and until when; nothing where nothing is. */
export function Holds() {
  const items = useHolds().data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title="Held money">
      <ul className="flex flex-col gap-3 text-sm">
        {items.map((item) => (
          <Hold key={`${item.reason} ${item.until} ${item.amount}`} item={item} />
        ))}
      </ul>
    </Panel>
  );
}

function Hold({ item }: { readonly item: HeldAmount }) {
  const { label, more } = HOLD_WORDS[item.reason];
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{label}</span>
        <Money value={item.amount} />
      </div>
      <p className="text-xs text-muted">
        {more}
        {item.until !== null && (
          <>
            {" "}
            Until <Time at={item.until} />.
          </>
        )}
      </p>
    </li>
  );
}
