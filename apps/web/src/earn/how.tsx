import type { ProductDetail } from "@bourse/api/client";
import { sayUnits } from "../chain/tokens.ts";
import { Fact, Facts } from "../kit/panel.tsx";
import { formatDecimal } from "../lib/format.ts";
import { interestOf } from "./interest.ts";

/** How an interest comes about: the formula with its figures, as the contract works it out. */
export function HowInterest({ product, principal }: { readonly product: ProductDetail; readonly principal: bigint }) {
  const { annual_rate, duration_seconds } = product;
  const seconds = formatDecimal(String(duration_seconds));
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">Interest = principal × annual rate × term ÷ one year, rounded down to 0.000001 USDT.</p>
      <Facts className="rounded-md bg-raised p-3">
        <Fact name="Principal">{sayUnits(principal)}</Fact>
        <Fact name="Annual rate">{annual_rate} %</Fact>
        <Fact name="Term">{seconds} s</Fact>
        <Fact name="One year">31,536,000 s</Fact>
        <Fact name="Interest">
          <strong className="font-semibold">{sayUnits(interestOf(principal, product))}</strong>
        </Fact>
      </Facts>
      <p className="text-xs text-muted">
        It runs from the end of the subscription for everyone, and the contract computes the very same figure.
      </p>
    </div>
  );
}
