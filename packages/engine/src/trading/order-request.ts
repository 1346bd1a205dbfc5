import { GTC, type SelfTradePrevention, STP_EXPIRE_MAKER, type TimeInForce } from "../book/codes.ts";
import { NO_SLOT } from "../book/order-pool.ts";
import { LIMIT, type OrderType, type PriceMatch } from "../contract/codes.ts";
import type { AttachedTrigger, PlaceOrder } from "../contract/commands.ts";
import { orNone } from "../contract/validation.ts";
import { BUY, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";

/**
 * An order before it is accepted, from any source: a client, a conditional order that fires, a liquidation, the fund.
 * One object is reused for all of them; admission fills in what it computes.
 */
export class OrderRequest {
  /** Set by `reset` before anything is read. */
  market!: MarketState;
  account = 0;
  /** The account's entry, NO_POSITION if it does not exist yet. */
  position = NO_POSITION;
  side: Side = BUY;
  type: OrderType = LIMIT;
  timeInForce: TimeInForce = GTC;
  /** As requested: 0 for MARKET. */
  ticks = 0;
  /** The worst price at which it may match. */
  limitTicks = 0;
  lots = 0;
  quote_micros = 0;
  isReduceOnly = false;
  /** Closes the whole position, regardless of other reduce-only orders. */
  isClosePosition = false;
  selfTradePrevention: SelfTradePrevention = STP_EXPIRE_MAKER;
  clientId = "";
  maxSlippage_e8 = -1;
  /** FUT-25: 0 for no end. */
  goodTill_ms = 0;
  /** FUT-26: admission fills in `ticks`. */
  priceMatch: PriceMatch = 0;
  takeProfit: AttachedTrigger | null = null;
  stopLoss: AttachedTrigger | null = null;
  /** The conditional order that produces it; 0 for none. */
  conditional = 0;
  /** The id that it gets; 0 for the next one. */
  id = 0;
  /** An index into CAUSES. */
  cause = 0;
  /** The resting order that it replaces (modify). */
  replacedSlot = NO_SLOT;

  /** Copies a client's command. Each field is written once, because this runs for every order. */
  take(command: PlaceOrder, market: MarketState, position: number, selfTradePrevention: SelfTradePrevention): void {
    this.market = market;
    this.account = command.account;
    this.position = position;
    this.side = command.side;
    this.type = command.type;
    this.timeInForce = command.timeInForce;
    this.ticks = command.ticks;
    this.limitTicks = 0;
    this.lots = command.lots;
    this.quote_micros = command.quote_micros;
    this.isReduceOnly = command.isReduceOnly;
    this.isClosePosition = false;
    this.selfTradePrevention = selfTradePrevention;
    this.clientId = command.clientId;
    this.maxSlippage_e8 = command.maxSlippage_e8;
    this.goodTill_ms = orNone(command.goodTill_ms);
    this.priceMatch = orNone(command.priceMatch);
    this.takeProfit = command.takeProfit;
    this.stopLoss = command.stopLoss;
    this.conditional = 0;
    this.id = 0;
    this.cause = 0;
    this.replacedSlot = NO_SLOT;
  }

  reset(market: MarketState, account: number, position: number, side: Side): void {
    this.market = market;
    this.account = account;
    this.position = position;
    this.side = side;
    this.type = LIMIT;
    this.timeInForce = GTC;
    this.ticks = 0;
    this.limitTicks = 0;
    this.lots = 0;
    this.quote_micros = 0;
    this.isReduceOnly = false;
    this.isClosePosition = false;
    this.selfTradePrevention = STP_EXPIRE_MAKER;
    this.clientId = "";
    this.maxSlippage_e8 = -1;
    this.goodTill_ms = 0;
    this.priceMatch = 0;
    this.takeProfit = null;
    this.stopLoss = null;
    this.conditional = 0;
    this.id = 0;
    this.cause = 0;
    this.replacedSlot = NO_SLOT;
  }
}
