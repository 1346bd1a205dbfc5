import type { ProductDetail } from "@bourse/api/client";
import { sayUnits } from "../chain/tokens.ts";
import { Fact, Facts } from "../kit/panel.tsx";
import { formatDecimal } from "../lib/format.ts";
import { interestOf } from "./interest.ts";

/** How interest is calculated: the formula with its figures, as in the contract. */
export function HowInterest({ product, principal }: { readonly product: ProductDetail; readonly principal: bigint }) {
  const { annual_rate, duration_seconds } = product;
  const seconds = formatDecimal(String(duration_seconds));
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">Interest = principal × annual rate × term ÷ one year, rounded down to 0.000001 USDT.</p>
      <Facts className="rounded-md bg-raised p-3">
        <Fact name="Principal" value={sayUnits(principal)} />
        <Fact name="Annual rate" value={<>{annual_rate} %</>} />
        <Fact name="Term" value={<>{seconds} s</>} />
        <Fact name="One year" value="31,536,000 s" />
        <Fact
          name="Interest"
          value={<strong className="font-semibold">{sayUnits(interestOf(principal, product))}</strong>}
        />
      </Facts>
      <p className="text-xs text-muted">
        It runs for everyone from the end of the subscription window. The contract computes the same figure.
      </p>
    </div>
  );
}
