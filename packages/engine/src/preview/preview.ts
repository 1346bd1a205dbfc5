import { NO_SLOT } from "../book/order-pool.ts";
import { NO_TICKS } from "../book/price-levels.ts";
import { CROSS, NO_PRICE_MATCH } from "../contract/codes.ts";
import type { EventOf } from "../contract/events.ts";
import type { Engine, Refusal } from "../engine.ts";
import { CEIL, mulDiv } from "../integers.ts";
import { bonusLocked, splitCost } from "../rules/bonus.ts";
import { initialMargin } from "../rules/brackets.ts";
import { FEE_TIERS, tradeFee } from "../rules/fees.ts";
import { shownLiquidationPrice } from "../rules/liquidation.ts";
import { applyFill, FillEffect } from "../rules/position.ts";
import { estimatedSlippage_e8 } from "../rules/slippage.ts";
import { BUY, type Side } from "../side.ts";
import { matchedTicks } from "../trading/price-match.ts";
import { type OrderDraft, Rehearsal, SELF } from "./rehearsal.ts";

/** FUT-18: what an order would do. The lots that would rest count as filled at their price with the maker's fee. */
export interface PreviewFigures {
  readonly lots: number;
  readonly executedLots: number;
  readonly restingLots: number;
  /** The value of the lots that would match at once. */
  readonly executed_micros: number;
  /** The value of the whole order. */
  readonly notional_micros: number;
  readonly takerFee_micros: number;
  readonly makerFee_micros: number;
  /** The part of both fees that the bonus would pay. */
  readonly feeFromBonus_micros: number;
  readonly slippage_e8: number;
  readonly leverage: number;
  /** By how much the margin in use would grow, and how much of it the bonus would cover. */
  readonly margin_micros: number;
  readonly marginFromBonus_micros: number;
  /** Of the position afterwards, in millionths of a tick; 0 if no price liquidates it. */
  readonly liquidation_microTicks: number;
  readonly positionLots: number;
  readonly realised_micros: number;
  /** After the order is placed. */
  readonly available_micros: number;
  readonly balance_micros: number;
}

export type Preview =
  | { readonly kind: "taken"; readonly figures: PreviewFigures }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The order would meet more orders than a preview reads. */
  | { readonly kind: "too_deep" };

/** The account's margin in use, before and after. */
interface MarginInUse {
  readonly initial_micros: number;
  readonly isolated_micros: number;
  readonly locked_micros: number;
  readonly available_micros: number;
  readonly balance_micros: number;
}

/** The lots that would match at once. */
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
  margin.computeAll(SELF);
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

/** The figures once all of the order is filled; resting lots fill at their price, with the maker's fee. */
interface Filled {
  readonly restLots: number;
  readonly restValue_micros: number;
  readonly makerFee_micros: number;
  readonly makerFeeFromBonus_micros: number;
  readonly realised_micros: number;
  readonly lots: number;
  readonly cost_micros: number;
  /** FUT-11: the balance beside the position. */
  readonly beside_micros: number;
}

function fillRest(engine: Engine, position: number, slot: number): Filled {
  const { pool, positions, accounts, markets } = engine.state;
  const beside_micros = engine.margin.balanceBeside(position);
  const [held, cost_micros] = [positions.lots(position), positions.cost(position)];
  const none = {
    restLots: 0,
    restValue_micros: 0,
    makerFee_micros: 0,
    makerFeeFromBonus_micros: 0,
    realised_micros: 0,
  };
  if (slot === NO_SLOT) return { ...none, lots: held, cost_micros, beside_micros };
  const { definition } = markets[positions.market(position)]!;
  const restLots = pool.remainingLots(slot);
  const ticks = pool.ticks(slot);
  const effect = new FillEffect();
  applyFill(held, cost_micros, pool.side(slot) === BUY ? restLots : -restLots, ticks, definition.unit_micros, effect);
  const restValue_micros = ticks * restLots * definition.unit_micros;
  const { maker_e8 } = FEE_TIERS[accounts.tier(SELF)]!;
  const makerFee_micros = tradeFee(restValue_micros, maker_e8, accounts.discount_bps(SELF));
  const split = { fromPrincipal_micros: 0, fromBonus_micros: 0, shortfall_micros: 0 };
  splitCost(makerFee_micros, accounts.principal(SELF), accounts.bonus(SELF), split);
  const isCross = positions.mode(position) === CROSS;
  const released = isCross || held === 0 ? 0 : mulDiv(beside_micros, effect.closedLots, Math.abs(held), CEIL);
  const opened = initialMargin(effect.openedLots * ticks * definition.unit_micros, positions.leverage(position));
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

function slippageOf(executed: Executed, side: Side, bestTicks: number): number {
  if (bestTicks === NO_TICKS) return 0;
  const scan = { filledLots: executed.lots, filledTickLots: executed.tickLots, referenceTicks: bestTicks };
  return estimatedSlippage_e8(scan, side);
}

/** FUT-26: with the price that it would get from the whole book, of which a rehearsal has a part. */
function withPriceOf({ state }: Engine, order: OrderDraft): OrderDraft {
  const { priceMatch = NO_PRICE_MATCH, side } = order;
  if (priceMatch === NO_PRICE_MATCH) return order;
  const ticks = matchedTicks(state.markets[order.market]!.book, side, priceMatch);
  // Where there is no such level the rehearsal has none either, and refuses.
  return ticks === NO_TICKS ? order : { ...order, ticks, priceMatch: NO_PRICE_MATCH };
}

/**
 * Computes what an order would do, and changes nothing: the order is placed in a small engine that contains the account
 * and the part of the book that the order can reach. An undefined `account` stands for an empty one.
 */
export function previewOrder(live: Engine, account: number | undefined, draft: OrderDraft): Preview {
  const order = withPriceOf(live, draft);
  const rehearsal = new Rehearsal(live, account, order);
  if (rehearsal.isCut) return { kind: "too_deep" };
  const { engine, market } = rehearsal;
  const bestTicks = market.book.bestTicks((order.side ^ 1) as Side);
  const before = marginInUse(engine, market.number);
  rehearsal.place(order);
  const events = engine.events.decode();
  const [first] = events;
  if (first?.kind === "refused") return { kind: "refused", refusal: first };
  const opened = events.find((event) => event.kind === "order_opened")!;
  const ownFills = events.filter((event) => event.kind === "fill" && event.order === opened.order);
  const executed = sumFills(ownFills as EventOf<"fill">[]);
  const after = marginInUse(engine, market.number);
  const position = engine.state.positions.find(SELF, market.number);
  const filled = fillRest(engine, position, engine.state.index.get(opened.order));
  const initial_micros = after.initial_micros + after.isolated_micros - before.initial_micros - before.isolated_micros;
  const margin_micros = Math.max(0, initial_micros);
  const { lots, cost_micros, beside_micros } = filled;
  const figures: PreviewFigures = {
    lots: opened.lots,
    executedLots: executed.lots,
    restingLots: filled.restLots,
    executed_micros: executed.quote_micros,
    notional_micros: executed.quote_micros + filled.restValue_micros,
    takerFee_micros: executed.fee_micros,
    makerFee_micros: filled.makerFee_micros,
    feeFromBonus_micros: executed.feeFromBonus_micros + filled.makerFeeFromBonus_micros,
    slippage_e8: slippageOf(executed, order.side, bestTicks),
    leverage: engine.state.positions.leverage(position),
    margin_micros,
    marginFromBonus_micros: Math.min(margin_micros, Math.max(0, after.locked_micros - before.locked_micros)),
    liquidation_microTicks: shownLiquidationPrice(market.definition, lots, cost_micros, beside_micros),
    positionLots: lots,
    realised_micros: executed.realised_micros + filled.realised_micros,
    available_micros: after.available_micros,
    balance_micros: after.balance_micros,
  };
  return { kind: "taken", figures };
}
