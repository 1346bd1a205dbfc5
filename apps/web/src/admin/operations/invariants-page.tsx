import type { Invariant } from "@bourse/api/client";
import { Check, Minus, RefreshCw, X } from "lucide-react";
import { Button } from "../../kit/button.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { Time } from "../../kit/time.tsx";
import { meaningOf, verdictOf } from "./invariant-words.ts";
import { useInvariants } from "./queries.ts";

function Tick({ ok }: Pick<Invariant, "ok">) {
  const [look, icon, words] =
    ok === true
      ? (["bg-good-soft text-good", <Check key="i" size={15} aria-hidden="true" />, "holds"] as const)
      : ok === false
        ? (["bg-bad-soft text-bad", <X key="i" size={15} aria-hidden="true" />, "does not hold"] as const)
        : (["bg-raised text-muted", <Minus key="i" size={15} aria-hidden="true" />, "not computed"] as const);
  return (
    <span className={`flex size-7 shrink-0 items-center justify-center rounded-full ${look}`} title={words}>
      {icon}
      <span className="sr-only">{words}</span>
    </span>
  );
}

function Row({ invariant: { code, name, ok, checked_at, detail } }: { readonly invariant: Invariant }) {
  return (
    <li className="flex gap-3 rounded-lg bg-panel px-4 py-3">
      <Tick ok={ok} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="font-medium">
            {name} <span className="font-mono text-xs font-normal text-faint">{code}</span>
          </h2>
          <span className="text-xs text-faint">
            checked <Time at={checked_at} precision="second" />
          </span>
        </div>
        <p className="text-sm text-muted">{meaningOf(code)}</p>
        <p className={`mt-1 font-mono text-xs break-words ${ok === false ? "text-bad" : "text-faint"}`}>{detail}</p>
      </div>
    </li>
  );
}

/** WIRE-10: what must always be true, checked on request. */
export function InvariantsPage() {
  const query = useInvariants();
  const verdict = query.data && verdictOf(query.data);
  return (
    <Page
      title="Invariants"
      lead="What must always be true. Every check reads all of it from the sources."
      actions={
        <>
          {verdict !== undefined && (
            <span role="status">
              <Badge tone={verdict.tone}>{verdict.words}</Badge>
            </span>
          )}
          <Button isBusy={query.isFetching} onClick={() => void query.refetch()}>
            <RefreshCw size={14} aria-hidden="true" /> Check now
          </Button>
        </>
      }
    >
      <Async
        query={query}
        skeleton={
          <Panel>
            <Skeleton rows={9} rowHeight={84} />
          </Panel>
        }
      >
        {(invariants) => (
          <ul aria-label="Invariants" className="flex flex-col gap-2">
            {invariants.map((invariant) => (
              <Row key={invariant.code} invariant={invariant} />
            ))}
          </ul>
        )}
      </Async>
    </Page>
  );
}
