import { GTC, STP_EXPIRE_MAKER } from "../book/codes.ts";
import type { MarketDefinition } from "../rules/market.ts";
import type { MarketRules } from "../rules/market-rules.ts";
import {
  type CancelScope,
  type ConditionalType,
  LIMIT,
  type MarginMode,
  type MarketStatus,
  type OrderType,
  type PriceMatch,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  type WorkingType,
} from "./codes.ts";

/**
 * All commands of the engine. They come from the log and are applied one after the other; each carries the time at
 * which it was logged. Absent numbers are 0, absent texts "", absent objects null: a command always has all its fields,
 * so that commands of one kind have one shape in memory. The engine checks their values again: for any value of a field
 * the result is events, never an exception.
 */
export type Command =
  | PlaceOrder
  | CancelOrder
  | ModifyOrder
  | CancelAll
  | PlaceConditional
  | SetLeverage
  | SetMarginMode
  | MoveIsolatedMargin
  | SetPrice
  | ApplyFunding
  | AdvanceTime
  | OpenAccount
  | AddMarket
  | SetMarketStatus
  | SetMarketRules
  | ExpireBonus
  | CloseExpiredBonus
  | ExternalCommand;

/** External commands are numbered and come in order: one whose number is not above the last applied one is ignored. */
export type ExternalCommand =
  | Deposit
  | HoldWithdrawal
  | SettleWithdrawal
  | GrantBonus
  | FreezeBonus
  | UnfreezeBonus
  | RecallBonus
  | SetTerms
  | FollowTerms
  | SetDiscount
  | SeedFund
  | PayOut
  | ReturnPayout
  | SetRulesVersion
  | CommitWallet
  | Note;

/**
 * LOG-1: what the outside world means by a command. Absent in logs of rules version 3. Commitment and disclosure belong
 * together: what is private stands in the disclosure, which is kept beside the log and never published.
 */
export interface OutsideStamp {
  /** Names the row, transaction or decision that the command comes from; unique among all references. */
  readonly reference?: string;
  /** What else the outside world has to remember of it, as JSON; "" for nothing. */
  readonly details?: string;
  /** SHA-256(salt ‖ private fields) in hex; "" where nothing is private. */
  readonly commitment?: string;
  /** The salt in hex, a colon, the private fields. The engine does not look at it. */
  readonly disclosure?: string;
}

interface Timed extends OutsideStamp {
  readonly time_ms: number;
}

/** Comes from the outside world too, where it has a number; the market or account itself keeps it from being done twice. */
interface MaybeNumbered extends Timed {
  readonly number?: number;
}

interface OfAccount extends Timed {
  readonly account: number;
}

interface Numbered extends Timed {
  readonly number: number;
}

/** From rules version 6 on; absent is 0. What a command of an earlier log has, has no place for them. */
export interface OrderTerms {
  /** FUT-25: the order ends at this time if it rests until then. GTC only; 0 for no end. */
  readonly goodTill_ms?: number;
  /** FUT-26: where its price comes from; then `ticks` is 0. */
  readonly priceMatch?: PriceMatch;
}

/** A trigger attached to an order: it reduces the position that the order opens, and ends with the order. */
export interface AttachedTrigger {
  readonly triggerTicks: number;
  /** The limit price of the order it produces; 0 for a market order. */
  readonly ticks: number;
  readonly workingType: WorkingType;
}

export interface PlaceOrder extends OfAccount, OrderTerms {
  readonly kind: "place_order";
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  /** A MARKET order is always IOC. */
  readonly timeInForce: TimeInForce;
  /** 0 for a MARKET order, and for one that takes its price from the book. */
  readonly ticks: number;
  /** Lots, or an amount that is converted to lots (FUT-5): one of them is 0. */
  readonly lots: number;
  readonly quote_micros: number;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  /** "" for none. */
  readonly clientId: string;
  /** FUT-4; −1 for no limit. MARKET orders only. */
  readonly maxSlippage_e8: number;
  readonly takeProfit: AttachedTrigger | null;
  readonly stopLoss: AttachedTrigger | null;
}

/** An order that asks for nothing in particular, but for whose, where and how much. */
export const PLAIN_ORDER = {
  kind: "place_order",
  type: LIMIT,
  timeInForce: GTC,
  ticks: 0,
  quote_micros: 0,
  isReduceOnly: false,
  selfTradePrevention: STP_EXPIRE_MAKER,
  clientId: "",
  maxSlippage_e8: -1,
  takeProfit: null,
  stopLoss: null,
} as const satisfies Partial<PlaceOrder>;

/** What is asked of a conditional order, from its placing to its end. */
export interface ConditionalTerms extends OrderTerms {
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: ConditionalType;
  /** The limit price of the order it produces; 0 for a market order, and for one that takes its price from the book. */
  readonly ticks: number;
  readonly timeInForce: TimeInForce;
  /** 0 with `isClosePosition`. */
  readonly lots: number;
  /** 0 for a trailing stop. */
  readonly triggerTicks: number;
  /** Trailing stops: the price from which the best price is followed; 0 for at once. */
  readonly activateTicks: number;
  /** Trailing stops: how far the price returns from its best, 10 … 1000 (0.1 % … 10 %). */
  readonly callback_bps: number;
  readonly workingType: WorkingType;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
  /** The order that it produces gets the conditional order's id instead of a new one. */
  readonly keepsId: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly clientId: string;
}

export interface PlaceConditional extends Timed, ConditionalTerms {
  readonly kind: "place_conditional";
}

export interface CancelOrder extends OfAccount {
  readonly kind: "cancel_order";
  /** 0: by `clientId`. */
  readonly order: number;
  readonly clientId: string;
  readonly scope: CancelScope;
}

export interface CancelAll extends OfAccount {
  readonly kind: "cancel_all";
  /** NO_MARKET: in all markets. */
  readonly market: number;
  readonly scope: CancelScope;
}

export interface ModifyOrder extends OfAccount, Pick<OrderTerms, "priceMatch"> {
  readonly kind: "modify_order";
  /** 0: by `clientId`. */
  readonly order: number;
  readonly clientId: string;
  /** −1: unchanged. */
  readonly side: Side | -1;
  /** 0 with a price from the book. */
  readonly ticks: number;
  readonly lots: number;
}

export interface SetLeverage extends OfAccount {
  readonly kind: "set_leverage";
  readonly market: number;
  readonly leverage: number;
}

export interface SetMarginMode extends OfAccount {
  readonly kind: "set_margin_mode";
  readonly market: number;
  readonly mode: MarginMode;
}

export interface MoveIsolatedMargin extends OfAccount {
  readonly kind: "move_isolated_margin";
  readonly market: number;
  /** Above 0: into the position; below 0: out of it. */
  readonly amount_micros: number;
}

export interface SetPrice extends Timed {
  readonly kind: "set_price";
  readonly market: number;
  readonly indexTicks: number;
  readonly markTicks: number;
}

export interface ApplyFunding extends Timed {
  readonly kind: "apply_funding";
  readonly market: number;
  readonly rate_e8: number;
  /** The hour that is settled, in hours since 1970. Each hour is settled once. */
  readonly hour: number;
}

/** Carries only the time: the engine processes the midnights that have passed. */
export interface AdvanceTime extends Timed {
  readonly kind: "advance_time";
}

/** Accounts are numbered without gaps from 1, so `account` is the number of accounts plus one. */
export interface OpenAccount extends OfAccount, MaybeNumbered {
  readonly kind: "open_account";
}

export interface AddMarket extends MaybeNumbered {
  readonly kind: "add_market";
  readonly definition: MarketDefinition;
}

export interface SetMarketStatus extends MaybeNumbered {
  readonly kind: "set_market_status";
  readonly market: number;
  readonly status: MarketStatus;
}

/** From rules version 5 on: an admin's bounds for a market. */
export interface SetMarketRules extends MaybeNumbered {
  readonly kind: "set_market_rules";
  readonly market: number;
  readonly rules: MarketRules;
}

export interface ExpireBonus extends OfAccount {
  readonly kind: "expire_bonus";
}

export interface CloseExpiredBonus extends OfAccount {
  readonly kind: "close_expired_bonus";
}

export interface Deposit extends OfAccount, Numbered {
  readonly kind: "deposit";
  readonly amount_micros: number;
}

/** Takes the amount out of the account; it stays in flight until the withdrawal is settled. */
export interface HoldWithdrawal extends OfAccount, Numbered {
  readonly kind: "hold_withdrawal";
  readonly amount_micros: number;
}

export interface SettleWithdrawal extends OfAccount, Numbered {
  readonly kind: "settle_withdrawal";
  readonly amount_micros: number;
  /** True: the amount has left the exchange; false: it returns to the account. */
  readonly isDone: boolean;
}

export interface GrantBonus extends OfAccount, Numbered {
  readonly kind: "grant_bonus";
  readonly amount_micros: number;
  readonly maxLeverage: number;
  readonly expires_ms: number;
}

export interface FreezeBonus extends OfAccount, Numbered {
  readonly kind: "freeze_bonus";
}

export interface UnfreezeBonus extends OfAccount, Numbered {
  readonly kind: "unfreeze_bonus";
}

export interface RecallBonus extends OfAccount, Numbered {
  readonly kind: "recall_bonus";
}

/** BRK-8: sets the account's own version; its later fills carry it, and those of the accounts that follow it. */
export interface SetTerms extends OfAccount, Numbered {
  readonly kind: "set_terms";
  readonly version: number;
}

/** BRK-8: every later fill of the account carries the leader's own version at the time of that fill. */
export interface FollowTerms extends OfAccount, Numbered {
  readonly kind: "follow_terms";
  /** The account itself: it carries its own version again. */
  readonly leader: number;
}

export interface SetDiscount extends OfAccount, Numbered {
  readonly kind: "set_discount";
  readonly discount_bps: number;
}

export interface SeedFund extends Numbered {
  readonly kind: "seed_fund";
  readonly amount_micros: number;
}

/** Pays from the fee account. */
export interface PayOut extends Numbered {
  readonly kind: "pay_out";
  readonly amount_micros: number;
}

export interface ReturnPayout extends Numbered {
  readonly kind: "return_payout";
  readonly amount_micros: number;
}

/** LOG-5: from the next command on the rules of this version hold. */
export interface SetRulesVersion extends Numbered {
  readonly kind: "set_rules_version";
  readonly version: number;
}

/** LOG-1: the commitment to the wallet of an account that was opened before there were any. */
export interface CommitWallet extends OfAccount, Numbered {
  readonly kind: "commit_wallet";
}

/** Something the outside world decided that the engine has no part in; its details stand in the log. */
export interface Note extends Numbered {
  readonly kind: "note";
}
