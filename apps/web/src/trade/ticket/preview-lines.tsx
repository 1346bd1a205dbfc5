import type { OrderPreview } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Num, Percent, Signed } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { cx } from "../../lib/cx.ts";
import { Decimal } from "../../lib/decimal.ts";
import { percentOf } from "../../lib/format.ts";
import type { Estimate } from "./estimate.ts";

interface PreviewLinesProps {
  readonly preview: OrderPreview | undefined;
  readonly estimate: Estimate | undefined;
  readonly isStale: boolean;
  readonly isConditional: boolean;
  readonly hasBonus: boolean;
  readonly discount: Decimal;
  readonly priceDecimals: number;
}

const isZero = (text: string) => Decimal.parse(text).isZero();

const Usdt = ({ value }: { readonly value: string | undefined }) => (
  <Num value={value} decimals={2} rounding="ceil" unit="USDT" />
);

/** What cannot be known before the trigger fires is named, not guessed. */
const Later = ({ children }: { readonly children: ReactNode }) => <span className="text-faint">{children}</span>;

function ExecutionLines({
  preview,
  priceDecimals,
}: {
  readonly preview: OrderPreview;
  readonly priceDecimals: number;
}) {
  return (
    <>
      <Fact
        name="Average price"
        value={
          isZero(preview.executed_quantity) ? (
            <Later>rests in the book</Later>
          ) : (
            <Num value={preview.average_price} decimals={priceDecimals} rounding="halfUp" />
          )
        }
      />
      <Fact name="Slippage" value={<Percent fraction={preview.est_slippage} decimals={3} />} />
    </>
  );
}

function BonusLines({ split }: { readonly split: OrderPreview["split"] }) {
  return (
    <>
      <Fact name="Margin from bonus" value={<Usdt value={split.margin_from_bonus} />} />
      <Fact name="Fee from bonus" value={<Usdt value={split.fee_from_bonus} />} />
    </>
  );
}

/** What the order would cost and change. Always the same lines, so that nothing jumps while one types. */
export function PreviewLines(props: PreviewLinesProps) {
  const { preview, estimate, isStale, isConditional, hasBonus, discount, priceDecimals } = props;
  const margin = preview?.initial_margin ?? estimate?.margin;
  const fee = preview?.fee ?? estimate?.fee;
  return (
    <div className={cx("flex flex-col gap-1 text-xs transition-opacity", isStale && "opacity-55")}>
      <Facts className="text-xs">
        <Fact name={isConditional ? "Margin at the trigger" : "Margin"} value={<Usdt value={margin} />} />
        <Fact
          name={discount.isZero() ? "Fee" : `Fee (${percentOf(discount.toString(), 1)} % discount)`}
          value={<Usdt value={fee} />}
        />
        {!isConditional && <AfterLines preview={preview} priceDecimals={priceDecimals} />}
        {hasBonus && preview !== undefined && <BonusLines split={preview.split} />}
      </Facts>
      {isConditional && (
        <p className="text-faint">
          What happens at the trigger is not known yet: margin, price, slippage and liquidation price are determined
          when it fires.
        </p>
      )}
    </div>
  );
}

function AfterLines({ preview, priceDecimals }: Pick<PreviewLinesProps, "preview" | "priceDecimals">) {
  return (
    <>
      {preview === undefined ? (
        <>
          <Fact name="Average price" value="–" />
          <Fact name="Slippage" value="–" />
        </>
      ) : (
        <ExecutionLines preview={preview} priceDecimals={priceDecimals} />
      )}
      <Fact
        name="Liquidation price after"
        value={
          preview !== undefined && preview.liquidation_price === null ? (
            <Later>none</Later>
          ) : (
            <Num value={preview?.liquidation_price} decimals={priceDecimals} rounding="halfUp" />
          )
        }
      />
      {preview !== undefined && !isZero(preview.realized_pnl) && (
        <Fact name="Realised by closing" value={<Signed value={preview.realized_pnl} unit="USDT" />} />
      )}
    </>
  );
}
