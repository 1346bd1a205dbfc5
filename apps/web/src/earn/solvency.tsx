import type { ProductSolvency } from "@bourse/api/client";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { sayUnits, tokensOf } from "../chain/tokens.ts";
import { Money } from "../kit/number.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { Async, Skeleton } from "../kit/states.tsx";
import { Age } from "../kit/time.tsx";
import { useSolvency } from "./queries.ts";

/** Everything that was put in is there, and so is all interest that is promised. */
export function solvencyWords({ is_funded, total, shortfall, principal_owed }: ProductSolvency): {
  readonly isWell: boolean;
  readonly text: string;
} {
  if (!total.is_solvent) return { isWell: false, text: "The contract holds less than it owes" };
  if (is_funded) return { isWell: true, text: `${sayUnits(principal_owed, 0)} and all interest are in the contract` };
  return { isWell: true, text: `Principal is in the contract; ${sayUnits(shortfall, 2)} of interest to be paid in` };
}

/** Promised against held, in one line with the time of the look. */
export function SolvencyLine({ productId }: { readonly productId: string }) {
  const query = useSolvency(productId);
  return (
    <Async query={query} skeleton={<Skeleton rows={1} rowHeight={18} label="Looking into the contract" />}>
      {(solvency) => {
        const { isWell, text } = solvencyWords(solvency);
        return (
          <p className="flex min-h-[18px] items-start gap-1.5 text-xs text-muted">
            {isWell ? (
              <CircleCheck size={14} className="mt-px shrink-0 text-good" aria-label="Solvent" />
            ) : (
              <TriangleAlert size={14} className="mt-px shrink-0 text-warn" aria-label="Not solvent" />
            )}
            <span>
              {text} · <Age since={query.dataUpdatedAt} /> ago
            </span>
          </p>
        );
      }}
    </Async>
  );
}

/** The same figure by figure, for one product and for the whole contract. */
export function SolvencyTable({ productId }: { readonly productId: string }) {
  const query = useSolvency(productId);
  return (
    <Async query={query} skeleton={<Skeleton rows={8} rowHeight={25} />}>
      {(solvency) => (
        <div className="flex flex-col gap-3">
          <SolvencyLine productId={productId} />
          <Facts>
            <Fact name="Principal owed">
              <Money value={tokensOf(solvency.principal_owed)} />
            </Fact>
            <Fact name="Interest promised">
              <Money value={tokensOf(solvency.interest_owed)} />
            </Fact>
            <Fact name="Interest paid in">
              <Money value={tokensOf(solvency.funded_amount)} />
            </Fact>
            <Fact name="Still to be paid in">
              <Money value={tokensOf(solvency.shortfall)} />
            </Fact>
          </Facts>
          <h3 className="text-xs text-faint">The whole contract, all products together</h3>
          <Facts>
            <Fact name="Tokens held">
              <Money value={tokensOf(solvency.total.contract_balance)} />
            </Fact>
            <Fact name="Principal owed">
              <Money value={tokensOf(solvency.total.principal_owed)} />
            </Fact>
            <Fact name="Interest paid in">
              <Money value={tokensOf(solvency.total.funded_amount)} />
            </Fact>
            <Fact name="Read at block">{solvency.block_number}</Fact>
          </Facts>
        </div>
      )}
    </Async>
  );
}
