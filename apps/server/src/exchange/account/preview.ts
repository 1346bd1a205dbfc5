import type { OrderPreview } from "@bourse/api";
import { type Engine, LIMIT, type OrderDraft, previewOrder } from "@bourse/engine";
import { averagePriceText, finePriceText, moneyText, quantityText, rateText } from "../../kernel/units.ts";
import { sideName } from "../orders/names.ts";
import { engineRefusal, refusal } from "./refusals.ts";

/**
 * FUT-18: computes what an order would do, without changing anything. Throws the refusal that the engine would give.
 */
export function orderPreview(engine: Engine, account: number | undefined, order: OrderDraft): OrderPreview {
  const { definition } = engine.state.markets[order.market]!;
  const preview = previewOrder(engine, account, order);
  if (preview.kind === "too_deep") {
    throw refusal("PREVIEW_TOO_DEEP", -1020, "the order would meet too many orders to be previewed");
  }
  if (preview.kind === "refused") throw engineRefusal(preview.refusal, definition);
  const { figures } = preview;
  const fee_micros = figures.takerFee_micros + figures.makerFee_micros;
  const liquidation = figures.liquidation_microTicks;
  return {
    symbol: definition.symbol,
    side: sideName(order.side),
    type: order.type === LIMIT ? "LIMIT" : "MARKET",
    quantity: quantityText(definition, figures.lots),
    executed_quantity: quantityText(definition, figures.executedLots),
    resting_quantity: quantityText(definition, figures.restingLots),
    average_price: averagePriceText(definition, figures.executed_micros, figures.executedLots),
    notional: moneyText(figures.notional_micros),
    fee: moneyText(fee_micros),
    taker_fee: moneyText(figures.takerFee_micros),
    maker_fee: moneyText(figures.makerFee_micros),
    est_slippage: rateText(figures.slippage_e8),
    leverage: figures.leverage,
    initial_margin: moneyText(figures.margin_micros),
    liquidation_price: liquidation === 0 ? null : finePriceText(definition, liquidation),
    position_quantity: quantityText(definition, figures.positionLots),
    realized_pnl: moneyText(figures.realised_micros),
    available_after: moneyText(figures.available_micros),
    margin_balance_after: moneyText(figures.balance_micros),
    split: {
      fee_from_bonus: moneyText(figures.feeFromBonus_micros),
      fee_from_principal: moneyText(fee_micros - figures.feeFromBonus_micros),
      margin_from_bonus: moneyText(figures.marginFromBonus_micros),
      margin_from_principal: moneyText(figures.margin_micros - figures.marginFromBonus_micros),
    },
  };
}
