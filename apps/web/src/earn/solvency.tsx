import type { ProductSolvency } from "@bourse/api/client";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { sayUnits, tokensOf } from "../chain/tokens.ts";
import { Money } from "../kit/number.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { Async } from "../kit/states.tsx";
import { Age } from "../kit/time.tsx";
import { useSolvency } from "./queries.ts";

/** Whether the contract holds the principal and the promised interest. */
export function solvencyWords({ is_funded, total, shortfall, principal_owed }: ProductSolvency): {
  readonly isWell: boolean;
  readonly text: string;
} {
  if (!total.is_solvent) return { isWell: false, text: "The contract holds less than it owes" };
  if (is_funded) return { isWell: true, text: `${sayUnits(principal_owed, 0)} and all interest are in the contract` };
  return { isWell: true, text: `Principal is in the contract; ${sayUnits(shortfall, 2)} of interest to be paid in` };
}

/** What is owed against what is held, in one line with its age. */
export function SolvencyLine({ productId }: { readonly productId: string }) {
  const query = useSolvency(productId);
  return (
    <Async query={query} rows={1} rowHeight={18} loadingLabel="Reading the contract">
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
    <Async query={query} rows={8} rowHeight={25}>
      {(solvency) => (
        <div className="flex flex-col gap-3">
          <SolvencyLine productId={productId} />
          <Facts>
            <Fact name="Principal owed" value={<Money value={tokensOf(solvency.principal_owed)} />} />
            <Fact name="Interest promised" value={<Money value={tokensOf(solvency.interest_owed)} />} />
            <Fact name="Interest paid in" value={<Money value={tokensOf(solvency.funded_amount)} />} />
            <Fact name="Still to be paid in" value={<Money value={tokensOf(solvency.shortfall)} />} />
          </Facts>
          <h3 className="text-xs text-faint">The whole contract, all products together</h3>
          <Facts>
            <Fact name="Tokens held" value={<Money value={tokensOf(solvency.total.contract_balance)} />} />
            <Fact name="Principal owed" value={<Money value={tokensOf(solvency.total.principal_owed)} />} />
            <Fact name="Interest paid in" value={<Money value={tokensOf(solvency.total.funded_amount)} />} />
            <Fact name="Read at block" value={solvency.block_number} />
          </Facts>
        </div>
      )}
    </Async>
  );
}
