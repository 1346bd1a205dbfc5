import assert from "node:assert/strict";
import {
  type AttachedTrigger,
  CONTRACT_PRICE,
  FOK,
  GTC,
  GTX,
  IOC,
  LIMIT,
  MARK_PRICE,
  MARKET,
  type Market,
  type OrderTerms,
  PLAIN_ORDER,
  type PlaceConditional,
  type PlaceOrder,
  type PriceMatch,
  type Side,
  STP_EXPIRE_BOTH,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
} from "@bourse/engine";

const TIMES_IN_FORCE = { GTC, IOC, FOK, GTX } as const;
const PREVENTIONS = {
  MAKER: STP_EXPIRE_MAKER,
  TAKER: STP_EXPIRE_TAKER,
  BOTH: STP_EXPIRE_BOTH,
  NONE: STP_NONE,
} as const;
const WORKING_TYPES = { last: CONTRACT_PRICE, mark: MARK_PRICE } as const;

interface Attached {
  readonly at: number;
  readonly limit?: number;
  readonly by?: keyof typeof WORKING_TYPES;
}

export interface OrderOptions {
  /** The limit price; without it the order is a MARKET order. */
  readonly at?: number;
  readonly in?: string;
  readonly tif?: keyof typeof TIMES_IN_FORCE;
  readonly stp?: keyof typeof PREVENTIONS;
  readonly reduceOnly?: boolean;
  readonly name?: string;
  readonly quote?: number;
  readonly maxSlippage_e8?: number;
  readonly goodTill_ms?: number;
  /** Instead of `at`. */
  readonly priceMatch?: PriceMatch;
  readonly takeProfit?: Attached;
  readonly stopLoss?: Attached;
}

export interface ConditionalOptions {
  readonly trigger?: number;
  readonly limit?: number;
  readonly in?: string;
  readonly by?: keyof typeof WORKING_TYPES;
  readonly tif?: keyof typeof TIMES_IN_FORCE;
  readonly stp?: keyof typeof PREVENTIONS;
  readonly reduceOnly?: boolean;
  readonly closePosition?: boolean;
  readonly priceProtect?: boolean;
  readonly keepsId?: boolean;
  readonly activate?: number;
  readonly callback_bps?: number;
  readonly name?: string;
  readonly goodTill_ms?: number;
  /** Instead of `limit`. */
  readonly priceMatch?: PriceMatch;
}

type OfNobody<Placed> = Omit<Placed, "time_ms" | "account">;

/** An order in whole ticks and lots, without its account. */
export function orderOf(
  definition: Market,
  market: number,
  side: Side,
  quantity: number,
  options: OrderOptions,
): OfNobody<PlaceOrder> {
  const isMarket = options.at === undefined && options.priceMatch === undefined;
  return {
    ...PLAIN_ORDER,
    market,
    side,
    type: isMarket ? MARKET : LIMIT,
    timeInForce: TIMES_IN_FORCE[options.tif ?? (isMarket ? "IOC" : "GTC")],
    ticks: ticksOf(definition, options.at ?? 0),
    lots: lotsOf(definition, quantity),
    quote_micros: usdt(options.quote ?? 0),
    isReduceOnly: options.reduceOnly ?? false,
    selfTradePrevention: PREVENTIONS[options.stp ?? "MAKER"],
    clientId: options.name ?? "",
    maxSlippage_e8: options.maxSlippage_e8 ?? -1,
    takeProfit: attachedOf(definition, options.takeProfit),
    stopLoss: attachedOf(definition, options.stopLoss),
    ...termsOf(options),
  };
}

export function conditionalOf(
  definition: Market,
  market: number,
  type: PlaceConditional["type"],
  side: Side,
  quantity: number,
  options: ConditionalOptions,
): OfNobody<PlaceConditional> {
  return {
    kind: "place_conditional",
    market,
    side,
    type,
    ticks: ticksOf(definition, options.limit ?? 0),
    timeInForce: TIMES_IN_FORCE[options.tif ?? (options.limit === undefined ? "IOC" : "GTC")],
    lots: lotsOf(definition, quantity),
    triggerTicks: ticksOf(definition, options.trigger ?? 0),
    activateTicks: ticksOf(definition, options.activate ?? 0),
    callback_bps: options.callback_bps ?? 0,
    workingType: WORKING_TYPES[options.by ?? "last"],
    isReduceOnly: options.reduceOnly ?? false,
    isClosePosition: options.closePosition ?? false,
    isPriceProtected: options.priceProtect ?? false,
    keepsId: options.keepsId ?? false,
    selfTradePrevention: PREVENTIONS[options.stp ?? "MAKER"],
    clientId: options.name ?? "",
    ...termsOf(options),
  };
}

const termsOf = ({ goodTill_ms = 0, priceMatch = 0 }: OrderTerms): OrderTerms => ({ goodTill_ms, priceMatch });

/** Micros of an amount in USDT. */
export function usdt(amount: number): number {
  return Math.round(amount * 1e6);
}

function attachedOf(definition: Market, attached: Attached | undefined): AttachedTrigger | null {
  if (attached === undefined) return null;
  return {
    triggerTicks: ticksOf(definition, attached.at),
    ticks: ticksOf(definition, attached.limit ?? 0),
    workingType: WORKING_TYPES[attached.by ?? "last"],
  };
}

export function ticksOf({ tickSize_e8 }: Market, price: number): number {
  return wholeOf(price, tickSize_e8);
}

export function lotsOf({ lotSize_e8 }: Market, quantity: number): number {
  return wholeOf(quantity, lotSize_e8);
}

function wholeOf(amount: number, size_e8: number): number {
  const whole = Math.round((amount * 1e8) / size_e8);
  assert.ok(Math.abs(whole * size_e8 - amount * 1e8) < 0.5, `${amount} is a whole number of ${size_e8 / 1e8}`);
  return whole;
}
