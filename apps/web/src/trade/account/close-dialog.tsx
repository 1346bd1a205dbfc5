import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Segmented, Slider, TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Num, Signed } from "../../kit/number.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { decimalsOf, formatDecimal } from "../../lib/format.ts";
import { type Market, useMarket, useMarkPrice } from "../market/market-data.ts";
import { percentOfQuantity, quantityOfPercent } from "../ticket/sizing.ts";
import { floorToLot, isOnStep } from "../ticket/steps.ts";
import { placeFromPanel } from "./actions.ts";
import { baseOf } from "./fills.ts";
import { magnitude, type Position, pnlAt } from "./margin.ts";

const TYPES = [
  { value: "MARKET", label: "Market" },
  { value: "LIMIT", label: "Limit" },
] as const;
type CloseType = (typeof TYPES)[number]["value"];

const MONEY_DIGITS = 6;

/** The share of the PnL that closing a part of the position at a price would realise, before fees. */
function realisedAt(position: Position, quantity: Decimal, price: Decimal): string {
  const whole = magnitude(Decimal.parse(position.quantity));
  if (whole.isZero()) return "0";
  return pnlAt(position, price.toString()).mul(quantity).div(whole, MONEY_DIGITS, "floor").toString();
}

export function CloseDialog({ position, onClose }: { readonly position: Position; readonly onClose: () => void }) {
  const market = useMarket(position.symbol);
  return (
    <Dialog
      title={`Close ${position.symbol} ${position.side.toLowerCase()}`}
      description="A reduce-only order: it can close the position, never turn it."
      onClose={onClose}
    >
      {market !== undefined && <CloseForm position={position} market={market} onDone={onClose} />}
    </Dialog>
  );
}

interface CloseFormProps {
  readonly position: Position;
  readonly market: Market;
  readonly onDone: () => void;
}

function CloseForm({ position, market, onDone }: CloseFormProps) {
  const mark = useMarkPrice(position.symbol) ?? position.mark_price;
  const whole = magnitude(Decimal.parse(position.quantity));
  const [type, setType] = useState<CloseType>("MARKET");
  const [price, setPrice] = useState(mark);
  const [size, setSize] = useState(whole.toFixed(decimalsOf(market.lot_size), "floor"));
  const task = useTask();

  const typedPrice = parseTyped(price);
  const isPriceGood = typedPrice !== undefined && !typedPrice.isZero() && isOnStep(typedPrice, market.tick_size);
  const quantity = floorToLot(parseTyped(size) ?? Decimal.ZERO, market.lot_size);
  const sizeProblem = quantity.isZero()
    ? `Enter ${market.lot_size} ${market.base_asset} or more.`
    : quantity.gt(whole)
      ? `The position is ${formatDecimal(whole.toString())} ${market.base_asset}.`
      : undefined;
  const priceProblem = type === "LIMIT" && !isPriceGood ? `Enter a price in steps of ${market.tick_size}.` : undefined;
  const at = type === "LIMIT" && typedPrice !== undefined ? typedPrice : Decimal.parse(mark);
  const side = position.side === "LONG" ? "SELL" : "BUY";
  const verb = side === "SELL" ? "Sell" : "Buy";
  const where = type === "MARKET" ? "at market" : `at ${isPriceGood ? formatDecimal(price.trim()) : "…"}`;

  const send = () =>
    task.run(async () => {
      if (sizeProblem !== undefined || priceProblem !== undefined) return;
      const limit = type === "LIMIT" ? { price: at.toString(), time_in_force: "GTC" } : {};
      await placeFromPanel({
        symbol: position.symbol,
        side,
        type,
        quantity: quantity.toString(),
        reduce_only: true,
        ...limit,
      });
      onDone();
    });
  return (
    <Form onSubmit={send}>
      <Segmented label="Close by" options={TYPES} value={type} onChange={setType} className="w-full" />
      {type === "LIMIT" && (
        <TextField label="Price" error={priceProblem} kind="decimal" value={price} onChange={setPrice} end="USDT" />
      )}
      <TextField
        label="Size"
        error={sizeProblem}
        kind="decimal"
        value={size}
        onChange={setSize}
        end={market.base_asset}
      />
      <Slider
        label="Part of the position"
        value={percentOfQuantity(quantity, whole)}
        min={0}
        max={100}
        onChange={(percent) =>
          setSize(
            quantityOfPercent(Math.round(percent), whole, market.lot_size).toFixed(
              decimalsOf(market.lot_size),
              "floor",
            ),
          )
        }
        valueText={`${Math.round(percentOfQuantity(quantity, whole))} percent`}
      />
      <Facts className="rounded-md bg-raised p-3">
        <Fact
          name="Position"
          value={
            <>
              <span className="text-faint line-through">{formatDecimal(whole.toString())}</span>{" "}
              <Num value={Decimal.max(whole.sub(quantity), Decimal.ZERO).toString()} unit={baseOf(position.symbol)} />
            </>
          }
        />
        <Fact
          name={type === "MARKET" ? "Realised at the mark, before fees" : "Realised, before fees"}
          value={<Signed value={realisedAt(position, quantity, at)} unit="USDT" />}
        />
      </Facts>
      <RefusalLine error={task.refusal} />
      <Button
        type="submit"
        look={side === "SELL" ? "sell" : "buy"}
        size="large"
        isBusy={task.isBusy}
        disabled={sizeProblem !== undefined || priceProblem !== undefined}
      >
        {verb} {formatDecimal(quantity.toString())} {market.base_asset} {where}
      </Button>
    </Form>
  );
}
