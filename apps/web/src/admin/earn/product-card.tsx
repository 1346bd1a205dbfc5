import type { ProductDetail, ProductSolvency } from "@bourse/api/client";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { sayUnits, tokensOf } from "../../chain/tokens.ts";
import { sayDuration } from "../../earn/interest.ts";
import { Button } from "../../kit/button.tsx";
import { Column } from "../../kit/column.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Badge, Fact, Facts, Panel } from "../../kit/panel.tsx";
import { Progress } from "../../kit/progress.tsx";
import { Async } from "../../kit/states.tsx";
import { Age, Time } from "../../kit/time.tsx";
import { fractionForDrawing } from "../../lib/decimal.ts";
import { formatMoney } from "../../lib/format.ts";
import { useServerNow } from "../../lib/server-time.ts";
import { counted } from "../frame/words.ts";
import { movesOf, statusWords } from "./moves.ts";
import { CancelProductDialog, ChangeProductDialog, FundDialog } from "./product-dialogs.tsx";
import { percentOfBps } from "./product-draft.ts";
import { useSolvency } from "./queries.ts";

const DIALOGS = { change: ChangeProductDialog, fund: FundDialog, cancel: CancelProductDialog };
type Action = keyof typeof DIALOGS;

interface ActionsProps {
  readonly product: ProductDetail;
  readonly solvency: ProductSolvency | undefined;
}

function ProductActions({ product, solvency }: ActionsProps) {
  const [action, setAction] = useState<Action>();
  const { canFund, canCancel, canChangeParameters } = movesOf(product, useServerNow());
  const Asked = action && DIALOGS[action];
  const missing = BigInt(solvency?.shortfall ?? "0");
  return (
    <>
      <Button look="quiet" onClick={() => setAction("change")}>
        {canChangeParameters ? "Change parameters" : "Rename"}
      </Button>
      {canCancel && (
        <Button look="quiet" onClick={() => setAction("cancel")}>
          Cancel
        </Button>
      )}
      {canFund && (
        <Button look={missing > 0n ? "primary" : "plain"} onClick={() => setAction("fund")}>
          Fund
        </Button>
      )}
      {Asked !== undefined && <Asked product={product} solvency={solvency} onClose={() => setAction(undefined)} />}
    </>
  );
}

function Quota({ product }: { readonly product: ProductDetail }) {
  const { subscribed_amount, total_quota, reserved_amount, subscriber_count } = product;
  return (
    <Column title="Quota">
      <Progress
        label={counted(subscriber_count, "saver")}
        fraction={fractionForDrawing(subscribed_amount, total_quota)}
        figure={`${product.subscription_rate} %`}
      />
      <Facts>
        <Fact name="Subscribed" value={sayUnits(subscribed_amount)} />
        <Fact name="Quota" value={sayUnits(total_quota)} />
        <Fact name="Promised to open vouchers" value={sayUnits(reserved_amount)} />
        <Fact
          name="For one saver"
          value={
            <>
              {sayUnits(product.min_amount)} – {sayUnits(product.max_amount_per_user)}
            </>
          }
        />
      </Facts>
    </Column>
  );
}

function fundingWords(interest_owed: string, shortfall: string): string {
  if (interest_owed === "0") return "nothing owed yet";
  return shortfall === "0" ? "covered" : `${sayUnits(shortfall, 2)} missing`;
}

/** Owed against paid in, as the contract says. */
function Funding({ product }: { readonly product: ProductDetail }) {
  const query = useSolvency(product);
  return (
    <Column title="Interest">
      <Async query={query} rows={5} rowHeight={24} loadingLabel="Reading the contract">
        {({ interest_owed, funded_amount, shortfall, is_funded, block_number }) => (
          <>
            <Progress
              label="Paid in of what is owed"
              tone={is_funded ? "accent" : "warn"}
              fraction={fractionForDrawing(funded_amount, interest_owed)}
              figure={fundingWords(interest_owed, shortfall)}
            />
            <Facts>
              <Fact name="Owed" value={sayUnits(interest_owed)} />
              <Fact name="Paid in" value={sayUnits(funded_amount)} />
              <Fact name="Missing" value={sayUnits(shortfall)} />
              <Fact
                name={`At block ${block_number}`}
                value={
                  <span className="inline-flex items-center gap-1.5">
                    {is_funded ? (
                      <CircleCheck size={14} className="text-good" aria-label="Covered" />
                    ) : (
                      <TriangleAlert size={14} className="text-warn" aria-label="Not covered yet" />
                    )}
                    <Age since={query.dataUpdatedAt} /> ago
                  </span>
                }
              />
            </Facts>
          </>
        )}
      </Async>
    </Column>
  );
}

function ProductParameters({ product }: { readonly product: ProductDetail }) {
  return (
    <Column title="Parameters">
      <Facts>
        <Fact name="Rate a year" value={<>{percentOfBps(product.annual_rate_bps)} %</>} />
        <Fact name="Term" value={sayDuration(product.duration_seconds)} />
        <Fact name="Opens" value={<Time at={product.subscribe_start_time} />} />
        <Fact name="Closes" value={<Time at={product.subscribe_end_time} />} />
        <Fact name="Matures" value={<Time at={product.settle_time} />} />
        <Fact name="Id" value={<Hash value={product.id} of="product id" />} />
      </Facts>
    </Column>
  );
}

/** One product with all that an operator decides by. */
export function ProductCard({ product }: { readonly product: ProductDetail }) {
  const solvency = useSolvency(product).data;
  const { next } = movesOf(product, useServerNow());
  const { label, tone } = statusWords(product);
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          {product.name} <Badge tone={tone}>{label}</Badge>
          <span className="num text-xs font-normal text-faint">number {product.chain_product_id} on chain</span>
        </span>
      }
      actions={<ProductActions product={product} solvency={solvency} />}
    >
      <p className="pb-3 text-sm text-muted">{next}</p>
      <div className="grid gap-x-8 gap-y-5 md:grid-cols-2 xl:grid-cols-3">
        <ProductParameters product={product} />
        <Quota product={product} />
        <Funding product={product} />
      </div>
    </Panel>
  );
}

/** The contract as a whole: what it holds against all that it owes. */
export function WholeContract({ product }: { readonly product: ProductDetail }) {
  const query = useSolvency(product);
  return (
    <Async query={query} rows={2} rowHeight={42} loadingLabel="Reading the contract">
      {({ total }) => (
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          <Figure
            label="In the contract"
            value={total.contract_balance}
            note={
              <span className="inline-flex items-center gap-1.5">
                {total.is_solvent ? (
                  <CircleCheck size={13} className="text-good" aria-hidden="true" />
                ) : (
                  <TriangleAlert size={13} className="text-warn" aria-hidden="true" />
                )}
                {total.is_solvent ? "covers all principal and all that was paid in" : "less than it must hold"}
              </span>
            }
          />
          <Figure label="Principal owed" value={total.principal_owed} note="of all products" />
          <Figure label="Interest promised" value={total.interest_owed} note="of products that are not cancelled" />
          <Figure label="Interest paid in" value={total.funded_amount} note="of all products" />
        </div>
      )}
    </Async>
  );
}

function Figure({ label, value, note }: { readonly label: string; readonly value: string; readonly note: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-0.5 rounded-lg bg-panel px-4 py-3">
      <span className="text-xs text-muted">{label}, USDT</span>
      <span className="num truncate text-lg font-semibold" title={`${tokensOf(value)} USDT`}>
        {formatMoney(tokensOf(value))}
      </span>
      <span className="text-xs text-faint">{note}</span>
    </div>
  );
}
