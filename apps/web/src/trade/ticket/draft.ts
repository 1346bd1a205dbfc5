import type { Size } from "./sizing.ts";

export type Side = "BUY" | "SELL";
export type TimeInForce = "GTC" | "IOC" | "FOK" | "GTX";
export type WorkingType = "CONTRACT_PRICE" | "MARK_PRICE";

/** What each type asks for. `isPriced`: it has a limit price; `trigger`: what it waits for. */
export const KINDS = {
  LIMIT: { label: "Limit", isPriced: true, trigger: "none" },
  MARKET: { label: "Market", isPriced: false, trigger: "none" },
  STOP_MARKET: { label: "Stop market", isPriced: false, trigger: "stop" },
  STOP: { label: "Stop limit", isPriced: true, trigger: "stop" },
  TAKE_PROFIT_MARKET: { label: "Take profit market", isPriced: false, trigger: "take_profit" },
  TAKE_PROFIT: { label: "Take profit limit", isPriced: true, trigger: "take_profit" },
  TRAILING_STOP_MARKET: { label: "Trailing stop", isPriced: false, trigger: "trailing" },
} as const;
export type Kind = keyof typeof KINDS;

export const isConditional = (kind: Kind): boolean => KINDS[kind].trigger !== "none";

/** How an attached trigger is given: as a price, as a move of the price from the entry, or as what it shall bring. */
export type TriggerMeasure = "price" | "percent" | "pnl";

export interface AttachedDraft {
  readonly measure: TriggerMeasure;
  /** Without sign: a take profit's gain, a stop loss's loss. */
  readonly text: string;
  readonly workingType: WorkingType;
}

/** Everything that the form holds, as typed. */
export interface Draft {
  readonly side: Side;
  readonly kind: Kind;
  readonly price: string;
  readonly stopPrice: string;
  readonly activatePrice: string;
  /** In percent. */
  readonly callbackRate: string;
  readonly workingType: WorkingType;
  readonly size: Size;
  /** What typed sizes count. */
  readonly sizeUnit: "base" | "quote";
  readonly timeInForce: TimeInForce;
  readonly isReduceOnly: boolean;
  /** In percent; empty for none. */
  readonly maxSlippage: string;
  readonly hasAttached: boolean;
  readonly takeProfit: AttachedDraft;
  readonly stopLoss: AttachedDraft;
}

const NO_TRIGGER: AttachedDraft = { measure: "price", text: "", workingType: "MARK_PRICE" };

export const EMPTY_DRAFT: Draft = {
  side: "BUY",
  kind: "LIMIT",
  price: "",
  stopPrice: "",
  activatePrice: "",
  callbackRate: "1",
  workingType: "MARK_PRICE",
  size: { by: "base", text: "" },
  sizeUnit: "base",
  timeInForce: "GTC",
  isReduceOnly: false,
  maxSlippage: "",
  hasAttached: false,
  takeProfit: NO_TRIGGER,
  stopLoss: NO_TRIGGER,
};

/** The fields that something can be wrong with; `form` is the order as a whole. */
export type DraftField =
  | "price"
  | "stopPrice"
  | "activatePrice"
  | "callbackRate"
  | "size"
  | "timeInForce"
  | "reduceOnly"
  | "maxSlippage"
  | "takeProfit"
  | "stopLoss"
  | "form";

export type Problems = Readonly<Partial<Record<DraftField, string>>>;
