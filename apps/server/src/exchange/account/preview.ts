import type { OrderPreview } from "@bourse/api";
import {
  applyFill,
  BUY,
  bonusLocked,
  CEIL,
  CROSS,
  type Engine,
  type EventOf,
  estimatedSlippage_e8,
  FEE_TIERS,
  FillEffect,
  initialMargin,
  LIMIT,
  mulDiv,
  NO_SLOT,
  NO_TICKS,
  type Side,
  splitCost,
  tradeFee,
} from "@bourse/engine";
import { shownLiquidationPrice } from "../liquidation-price.ts";
import { averagePriceText, finePriceText, moneyText, quantityText, rateText } from "../units.ts";
import { balanceBeside } from "./account-view.ts";
import { sideName } from "./order-view.ts";
import { engineRefusal, refusal, refusedEvent } from "./refusals.ts";
import { type OrderOfNobody, Rehearsal, SELF } from "./rehearsal.ts";

/** What the account has in use, before and after. */
interface MarginInUse {
  readonly initial_micros: number;
  readonly isolated_micros: number;
  readonly locked_micros: number;
  readonly available_micros: number;
  readonly balance_micros: number;
}

/** What would match at once. */
interface Executed {
  readonly lots: number;
  readonly tickLots: number;
  readonly quote_micros: number;
  readonly fee_micros: number;
  readonly feeFromBonus_micros: number;
  readonly realised_micros: number;
}

function marginInUse({ margin, state }: Engine, market: number): MarginInUse {
  const { accounts, positions } = state;
  margin.reckonAll(SELF);
  const bonus = accounts.bonus(SELF);
  return {
    initial_micros: margin.initial_micros,
    isolated_micros: positions.isolated(positions.find(SELF, market)),
    locked_micros: bonus === 0 ? 0 : bonusLocked(bonus, accounts.principal(SELF), margin.initial_micros),
    available_micros: margin.available_micros,
    balance_micros: margin.balance_micros,
  };
}

function sumFills(fills: readonly EventOf<"fill">[]): Executed {
  const sum = (field: (fill: EventOf<"fill">) => number) => fills.reduce((total, fill) => total + field(fill), 0);
  return {
    lots: sum(({ lots }) => lots),
    tickLots: sum(({ ticks, lots }) => ticks * lots),
    quote_micros: fills.at(-1)?.quote_micros ?? 0,
    fee_micros: sum(({ fee_micros }) => fee_micros),
    feeFromBonus_micros: sum(({ feeFromBonus_micros }) => feeFromBonus_micros),
    realised_micros: sum(({ realised_micros }) => realised_micros),
  };
}

/** What follows once all of the order is filled: what rests is taken at its price, with the maker's fee. */
interface Filled {
  readonly restLots: number;
  readonly restValue_micros: number;
  readonly makerFee_micros: number;
  readonly makerFeeFromBonus_micros: number;
  readonly realised_micros: number;
  readonly lots: number;
  readonly cost_micros: number;
  /** FUT-11: what then stands beside the position. */
  readonly beside_micros: number;
}

function fillRest(engine: Engine, position: number, slot: number): Filled {
  const { pool, positions, accounts, markets } = engine.state;
  const beside_micros = balanceBeside(engine, position);
  const [held, cost_micros] = [positions.lots(position), positions.cost(position)];
  const none = {
    restLots: 0,
    restValue_micros: 0,
    makerFee_micros: 0,
    makerFeeFromBonus_micros: 0,
    realised_micros: 0,
  };
  if (slot === NO_SLOT) return { ...none, lots: held, cost_micros, beside_micros };
  const { terms } = markets[positions.market(position)]!;
  const restLots = pool.remainingLots(slot);
  const ticks = pool.ticks(slot);
  const effect = new FillEffect();
  applyFill(held, cost_micros, pool.side(slot) === BUY ? restLots : -restLots, ticks, terms.unit_micros, effect);
  const restValue_micros = ticks * restLots * terms.unit_micros;
  const { maker_e8 } = FEE_TIERS[accounts.tier(SELF)]!;
  const makerFee_micros = tradeFee(restValue_micros, maker_e8, accounts.discount_bps(SELF));
  const split = { fromPrincipal_micros: 0, fromBonus_micros: 0, shortfall_micros: 0 };
  splitCost(makerFee_micros, accounts.principal(SELF), accounts.bonus(SELF), split);
  const isCross = positions.mode(position) === CROSS;
  const released = isCross || held === 0 ? 0 : mulDiv(beside_micros, effect.closedLots, Math.abs(held), CEIL);
  const opened = initialMargin(effect.openedLots * ticks * terms.unit_micros, positions.leverage(position));
  return {
    restLots,
    restValue_micros,
    makerFee_micros,
    makerFeeFromBonus_micros: split.fromBonus_micros,
    realised_micros: effect.realisedPnl_micros,
    lots: effect.lots,
    cost_micros: effect.cost_micros,
    beside_micros: isCross
      ? beside_micros + effect.realisedPnl_micros - makerFee_micros
      : beside_micros - released + opened,
  };
}

function slippageOf(executed: Executed, side: Side, bestTicks: number): string {
  if (bestTicks === NO_TICKS) return "0";
  const scan = { filledLots: executed.lots, filledTickLots: executed.tickLots, referenceTicks: bestTicks };
  return rateText(estimatedSlippage_e8(scan, side));
}

/** FUT-18: what an order would do. Nothing changes; what the engine would refuse is refused here in the same words. */
export function previewOrder(live: Engine, account: number | undefined, order: OrderOfNobody): OrderPreview {
  const rehearsal = new Rehearsal(live, account, order);
  if (rehearsal.isCut) throw refusal("PREVIEW_TOO_DEEP", -1020, "the order would meet too many orders to be previewed");
  const { engine, market } = rehearsal;
  const { terms } = market;
  const bestTicks = market.book.bestTicks((order.side ^ 1) as Side);
  const before = marginInUse(engine, market.number);
  rehearsal.place(order);
  const events = engine.events.decode();
  const refused = refusedEvent({ events });
  if (refused !== undefined) throw engineRefusal(refused, terms);
  const opened = events.find((event) => event.kind === "order_opened")!;
  const ownFills = events.filter((event) => event.kind === "fill" && event.order === opened.order);
  const executed = sumFills(ownFills as EventOf<"fill">[]);
  const after = marginInUse(engine, market.number);
  const position = engine.state.positions.find(SELF, market.number);
  const filled = fillRest(engine, position, engine.state.index.get(opened.order));
  const initial_micros = after.initial_micros + after.isolated_micros - before.initial_micros - before.isolated_micros;
  const margin_micros = Math.max(0, initial_micros);
  const marginFromBonus_micros = Math.min(margin_micros, Math.max(0, after.locked_micros - before.locked_micros));
  const fee_micros = executed.fee_micros + filled.makerFee_micros;
  const feeFromBonus_micros = executed.feeFromBonus_micros + filled.makerFeeFromBonus_micros;
  const liquidation = shownLiquidationPrice(terms, filled.lots, filled.cost_micros, filled.beside_micros);
  return {
    symbol: terms.symbol,
    side: sideName(order.side),
    type: order.type === LIMIT ? "LIMIT" : "MARKET",
    quantity: quantityText(terms, opened.lots),
    executed_quantity: quantityText(terms, executed.lots),
    resting_quantity: quantityText(terms, filled.restLots),
    average_price: averagePriceText(terms, executed.quote_micros, executed.lots),
    notional: moneyText(executed.quote_micros + filled.restValue_micros),
    fee: moneyText(fee_micros),
    taker_fee: moneyText(executed.fee_micros),
    maker_fee: moneyText(filled.makerFee_micros),
    est_slippage: slippageOf(executed, order.side, bestTicks),
    leverage: engine.state.positions.leverage(position),
    initial_margin: moneyText(margin_micros),
    liquidation_price: liquidation === 0 ? null : finePriceText(terms, liquidation),
    position_quantity: quantityText(terms, filled.lots),
    realized_pnl: moneyText(executed.realised_micros + filled.realised_micros),
    available_after: moneyText(after.available_micros),
    margin_balance_after: moneyText(after.balance_micros),
    split: {
      fee_from_bonus: moneyText(feeFromBonus_micros),
      fee_from_principal: moneyText(fee_micros - feeFromBonus_micros),
      margin_from_bonus: moneyText(marginFromBonus_micros),
      margin_from_principal: moneyText(margin_micros - marginFromBonus_micros),
    },
  };
}
