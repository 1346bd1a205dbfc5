import { type EventOf, entryPrice, type MarketState, type OrderType, type Reason } from "@bourse/engine";
import { clientIdOf } from "../fapi/client-ids.ts";
import { SELF_TRADE_NAMES, SIDE_NAMES, TIME_IN_FORCE_NAMES, typeName, WORKING_TYPE_NAMES } from "../fapi/names.ts";
import type { TrackedConditional } from "../market-data/tracked-orders.ts";
import { averagePriceText, decimalText, finePriceText, moneyText, priceText, quantityText } from "../units.ts";
import { conditionalTypeName } from "./own-views.ts";
import type { ConditionalFact, Execution, OrderFact, OrderStatus } from "./private-facts.ts";

/** The events of the bots' user data stream. */

type Markets = readonly MarketState[];

const ASSET = "USDT";
const CALLBACK_DIGITS = 2;

/** Why an order expired, as clients number it. */
const EXPIRY_REASONS: Partial<Record<Reason, string>> = { self_trade: "1", reduce_only_excess: "4", liquidation: "5" };

function expiryReason({ execution, reason, order }: OrderFact): { er?: string } {
  if (execution !== "EXPIRED") return {};
  if (reason === "time_in_force") return { er: typeName(order.type as OrderType) === "MARKET" ? "9" : "2" };
  return { er: EXPIRY_REASONS[reason] ?? "0" };
}

/** What an order has from the conditional order it came from. */
function triggerFields(conditional: TrackedConditional | undefined, type: string, { terms }: MarketState) {
  if (conditional === undefined) return { sp: "0", wt: "CONTRACT_PRICE", ot: type, cp: false, pP: false };
  const trailing =
    conditional.callback_bps === 0
      ? {}
      : {
          AP: priceText(terms, conditional.activateTicks),
          cr: decimalText(conditional.callback_bps, CALLBACK_DIGITS),
        };
  return {
    sp: priceText(terms, conditional.triggerTicks),
    wt: WORKING_TYPE_NAMES[conditional.workingType],
    ot: conditionalTypeName(conditional),
    cp: conditional.isClosePosition !== 0,
    pP: conditional.isPriceProtected !== 0,
    ...trailing,
  };
}

const FORCED_NAMES: Partial<Record<OrderFact["order"]["cause"], string>> = {
  liquidation: "autoclose-",
  takeover: "autoclose-",
  adl: "adl_autoclose",
};

/** Orders that the exchange makes for an account have names by which clients know them. */
function clientName({ order }: OrderFact): string {
  const forced = FORCED_NAMES[order.cause];
  if (forced === undefined) return clientIdOf(order.id, order.clientId);
  return forced.endsWith("-") ? `${forced}${order.id}` : forced;
}

export interface OpenNotionals {
  readonly bids_micros: number;
  readonly asks_micros: number;
}

export function orderTradeUpdate(fact: OrderFact, markets: Markets, open: OpenNotionals): object {
  const { order, fill, time_ms } = fact;
  const market = markets[order.market]!;
  const { terms } = market;
  const type = order.cause in FORCED_NAMES ? "LIQUIDATION" : typeName(order.type as OrderType);
  const fee = fill === undefined ? {} : { N: ASSET, n: moneyText(fill.fee_micros) };
  return {
    e: "ORDER_TRADE_UPDATE",
    E: time_ms,
    T: time_ms,
    o: {
      s: terms.symbol,
      c: clientName(fact),
      S: SIDE_NAMES[order.side],
      o: type,
      f: TIME_IN_FORCE_NAMES[order.timeInForce],
      q: quantityText(terms, fact.lots),
      p: priceText(terms, fact.ticks),
      ap: averagePriceText(terms, fact.quote_micros, fact.executedLots),
      x: fact.execution,
      X: fact.status,
      i: order.id,
      l: quantityText(terms, fill?.lots ?? 0),
      z: quantityText(terms, fact.executedLots),
      L: fill === undefined ? "0" : priceText(terms, fill.ticks),
      ...fee,
      T: time_ms,
      t: fill?.trade ?? 0,
      b: moneyText(open.bids_micros),
      a: moneyText(open.asks_micros),
      m: fill !== undefined && fill.isMaker !== 0,
      R: order.isReduceOnly,
      ps: "BOTH",
      rp: moneyText(fill?.realised_micros ?? 0),
      si: 0,
      ss: 0,
      V: SELF_TRADE_NAMES[order.selfTradePrevention],
      pm: "NONE",
      gtd: 0,
      ...triggerFields(order.conditional, type, market),
      ...expiryReason(fact),
    },
  };
}

export function tradeLite({ order, fill, ticks, lots, time_ms }: OrderFact, markets: Markets): object {
  const { terms } = markets[order.market]!;
  return {
    e: "TRADE_LITE",
    E: time_ms,
    T: time_ms,
    s: terms.symbol,
    q: quantityText(terms, lots),
    p: priceText(terms, ticks),
    m: fill!.isMaker !== 0,
    c: clientIdOf(order.id, order.clientId),
    S: SIDE_NAMES[order.side],
    L: priceText(terms, fill!.ticks),
    l: quantityText(terms, fill!.lots),
    t: fill!.trade,
    i: order.id,
  };
}

/** A conditional order that came as an ordinary one and keeps its id: to its client it is an order. */
export function triggerOrderUpdate(fact: ConditionalFact, markets: Markets, open: OpenNotionals): object {
  const { conditional, status, reason, time_ms } = fact;
  const update = orderTradeUpdate(
    {
      channel: "orders",
      kind: "order",
      order: {
        id: conditional.conditional,
        account: conditional.account,
        market: conditional.market,
        side: conditional.side,
        type: conditional.ticks === 0 ? 1 : 0,
        timeInForce: conditional.timeInForce,
        isReduceOnly: conditional.isReduceOnly !== 0 || conditional.isClosePosition !== 0,
        selfTradePrevention: conditional.selfTradePrevention,
        cause: "trade",
        clientId: conditional.clientId,
        conditional,
        created_ms: conditional.created_ms,
        ticks: conditional.ticks,
        previousTicks: conditional.ticks,
        lots: conditional.lots,
        executedLots: 0,
        quote_micros: 0,
        isResting: false,
      },
      ticks: conditional.ticks,
      lots: conditional.lots,
      executedLots: 0,
      quote_micros: 0,
      execution: executionOf(status),
      status: status as OrderStatus,
      reason,
      fill: undefined,
      time_ms,
    },
    markets,
    open,
  ) as { readonly o: object };
  return { ...update, o: { ...update.o, o: conditionalTypeName(conditional) } };
}

/** What ended it, in the words of an execution. */
export function executionOf(status: string): Execution {
  return status === "NEW" || status === "CANCELED" ? status : "EXPIRED";
}

export function algoUpdate(fact: ConditionalFact, markets: Markets): object {
  const { conditional, status, produced, reason, time_ms } = fact;
  const { terms } = markets[conditional.market]!;
  const actual =
    produced === undefined
      ? { ap: "0", aq: "0", act: "" }
      : {
          ap: averagePriceText(terms, produced.quote_micros, produced.executedLots),
          aq: quantityText(terms, produced.executedLots),
          act: typeName(produced.order.type as OrderType),
        };
  return {
    e: "ALGO_UPDATE",
    T: time_ms,
    E: time_ms,
    o: {
      caid: clientIdOf(conditional.conditional, conditional.clientId),
      aid: conditional.conditional,
      at: "CONDITIONAL",
      o: conditionalTypeName(conditional),
      s: terms.symbol,
      S: SIDE_NAMES[conditional.side],
      ps: "BOTH",
      f: TIME_IN_FORCE_NAMES[conditional.timeInForce],
      q: quantityText(terms, conditional.lots),
      X: status,
      ai: conditional.order === 0 || status === "TRIGGERING" ? "" : String(conditional.order),
      ...actual,
      tp: priceText(terms, conditional.triggerTicks),
      p: priceText(terms, conditional.ticks),
      V: SELF_TRADE_NAMES[conditional.selfTradePrevention],
      wt: WORKING_TYPE_NAMES[conditional.workingType],
      pm: "NONE",
      cp: conditional.isClosePosition !== 0,
      pP: conditional.isPriceProtected !== 0,
      R: conditional.isReduceOnly !== 0,
      tt: conditional.triggered_ms,
      gtd: 0,
      rm: reason === "none" ? "" : reason,
    },
  };
}

/** The wallet after a change, and the positions it was about. */
export interface AccountChange {
  readonly reason: string;
  readonly time_ms: number;
  readonly wallet_micros: number;
  /** Neither profit nor fee. */
  readonly change_micros: number;
  readonly positions: readonly ChangedPosition[];
}

export interface ChangedPosition {
  readonly market: number;
  readonly lots: number;
  readonly cost_micros: number;
  readonly realised_micros: number;
  readonly isIsolated: boolean;
  readonly isolated_micros: number;
}

const unrealised = ({ terms, markTicks }: MarketState, { lots, cost_micros }: ChangedPosition) =>
  lots * markTicks * terms.unit_micros - cost_micros;

export function accountUpdate(change: AccountChange, markets: Markets): object {
  const wallet = moneyText(change.wallet_micros);
  return {
    e: "ACCOUNT_UPDATE",
    E: change.time_ms,
    T: change.time_ms,
    a: {
      m: change.reason,
      B: [{ a: ASSET, wb: wallet, cw: wallet, bc: moneyText(change.change_micros) }],
      P: change.positions.map((position) => {
        const market = markets[position.market]!;
        const { terms } = market;
        const entry = finePriceText(terms, entryPrice(position.lots, position.cost_micros, terms.unit_micros));
        return {
          s: terms.symbol,
          pa: quantityText(terms, position.lots),
          ep: entry,
          bep: entry,
          cr: moneyText(position.realised_micros),
          up: moneyText(unrealised(market, position)),
          mt: position.isIsolated ? "isolated" : "cross",
          iw: moneyText(position.isolated_micros),
          ps: "BOTH",
        };
      }),
    },
  };
}

export function accountConfigUpdate({ market, leverage }: EventOf<"leverage_set">, time_ms: number, markets: Markets) {
  const ac = { s: markets[market]!.terms.symbol, l: leverage };
  return { e: "ACCOUNT_CONFIG_UPDATE", E: time_ms, T: time_ms, ac };
}

export interface CalledPosition extends ChangedPosition {
  readonly maintenance_micros: number;
}

export function marginCall(positions: readonly CalledPosition[], wallet_micros: number, time_ms: number, all: Markets) {
  return {
    e: "MARGIN_CALL",
    E: time_ms,
    cw: moneyText(wallet_micros),
    p: positions.map((position) => {
      const market = all[position.market]!;
      return {
        s: market.terms.symbol,
        ps: "BOTH",
        pa: quantityText(market.terms, position.lots),
        mt: position.isIsolated ? "ISOLATED" : "CROSSED",
        iw: moneyText(position.isolated_micros),
        mp: priceText(market.terms, market.markTicks),
        up: moneyText(unrealised(market, position)),
        mm: moneyText(position.maintenance_micros),
      };
    }),
  };
}
