import type { AccountEvents } from "./account-views.ts";
import type { FapiInterval, FapiSide } from "./fapi.ts";

/**
 * The platform's own WebSocket protocol on `/ws` (FUT-19, WIRE-9): JSON objects in text frames, decimals as strings,
 * times in milliseconds.
 *
 * **Sequence.** The server answers `subscribe` with `subscribed`, then with one `snapshot` with a `seq`, then with
 * updates with higher ones. A message whose `seq` is not above the snapshot's is already in the snapshot: drop it.
 * Every update is complete, none is a difference to the one before.
 *
 * **Numbers.** On public channels `seq` rises by 1 within one subscription and has no meaning beyond it. On private
 * channels all channels of the account share one rising sequence, with gaps, that continues after restarts.
 *
 * **Reconnecting without gaps.** Keep the highest private `seq` that was handled. After a reconnect: `auth`,
 * `subscribe` again, and buffer updates; read `GET /api/v1/account/events?after=<seq>` and continue with `next_after`
 * while `has_more`; handle those events, then the buffered ones with a higher `seq`. If a page has `is_complete:
 * false`, more was missed than the server keeps (24 hours): take the snapshots as the state and continue from their
 * `seq`. A client that shows only the current state needs only the snapshots.
 *
 * **Sign-in.** Private channels last as long as the token (or listenKey) of the last `auth`. Send `auth` with a fresh
 * token before the old one expires to keep the subscriptions; otherwise the server sends an error `UNAUTHORIZED` ("the
 * sign-in has ended"), and the private channels have to be subscribed to again.
 *
 * **Limits.** 10 messages a second from a client, bursts of 20: space out a long list of subscriptions. 4,096 bytes a
 * message, 1,024 subscriptions a connection. Close codes: 1001 the server stops, 1008 too many messages or too slow a
 * reader, 1011 a fault. The server pings every 3 minutes; browsers answer automatically.
 */

type Side = FapiSide;
type OrderTimeInForce = "GTC" | "IOC" | "FOK" | "GTX";

// Public channels.

/** Price and quantity. */
export type StreamLevel = readonly [price: string, quantity: string];

/** Every 100 ms if it has changed: the best 30 levels of each side, the best first. */
export interface OrderbookData {
  readonly bids: readonly StreamLevel[];
  readonly asks: readonly StreamLevel[];
  readonly update_id: number;
  readonly time: number;
}

export interface StreamTrade {
  readonly id: number;
  readonly price: string;
  readonly quantity: string;
  /** The taker's side. */
  readonly side: Side;
  readonly time: number;
}

/** Of the last 24 hours. */
export interface TickerData {
  readonly last_price: string;
  readonly open_price: string;
  readonly high_price: string;
  readonly low_price: string;
  readonly price_change: string;
  readonly price_change_percent: string;
  readonly weighted_average_price: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trades: number;
  readonly time: number;
}

/** Every 500 ms if it has changed. */
export interface MarkPriceData {
  readonly mark_price: string;
  readonly index_price: string;
  /** The current estimate for the current hour. */
  readonly funding_rate: string;
  readonly next_funding_time: number;
  readonly time: number;
}

export interface StreamKline {
  readonly open_time: number;
  readonly close_time: number;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly quote_volume: string;
  readonly trades: number;
  readonly is_closed: boolean;
}

/** By public channel: the `data` of the snapshot and of an update. */
export interface PublicChannels {
  readonly orderbook: { readonly snapshot: OrderbookData; readonly update: OrderbookData };
  /** Snapshot: the last 50, the oldest first. Update: the new ones in their order. */
  readonly trades: { readonly snapshot: readonly StreamTrade[]; readonly update: readonly StreamTrade[] };
  /** Null before the first trade. */
  readonly ticker: { readonly snapshot: TickerData | null; readonly update: TickerData };
  /** Null before the first price. */
  readonly markprice: { readonly snapshot: MarkPriceData | null; readonly update: MarkPriceData };
  /**
   * Snapshot: the last 100, the oldest first. Update: the changed ones, a closed one before the one that follows it.
   */
  readonly kline: { readonly snapshot: readonly StreamKline[]; readonly update: readonly StreamKline[] };
}
export type PublicChannel = keyof PublicChannels;

// Private channels.

export type StreamOrderStatus =
  | "NEW"
  | "PARTIALLY_FILLED"
  | "FILLED"
  | "CANCELED"
  | "EXPIRED"
  | "EXPIRED_IN_MATCH"
  | "REJECTED";

/** An order after an event. A `conditional_id` distinguishes `ConditionalEvent` from it. */
export interface OrderEvent {
  readonly conditional_id?: undefined;
  /** 0 if a position was moved without an order (takeover, auto-deleveraging). */
  readonly order_id: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: "LIMIT" | "MARKET";
  /** The type of the conditional order, if one produced this order. */
  readonly original_type: string;
  readonly time_in_force: OrderTimeInForce;
  readonly price: string;
  readonly quantity: string;
  readonly executed_quantity: string;
  readonly average_price: string;
  readonly reduce_only: boolean;
  /** The event. CALCULATED: a forced fill. In a snapshot always NEW. */
  readonly event: "NEW" | "TRADE" | "CANCELED" | "EXPIRED" | "AMENDMENT" | "CALCULATED";
  readonly status: StreamOrderStatus;
  /** Why it ended or changed, such as `user`; `none` otherwise. */
  readonly reason: string;
  readonly created_at: number;
  readonly time: number;
  /** With TRADE and CALCULATED. */
  readonly trade: OrderEventTrade | null;
}

export interface OrderEventTrade {
  readonly id: number;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly realized_pnl: string;
  readonly is_maker: boolean;
  readonly cause: "trade" | "liquidation" | "fund" | "bonus_expiry" | "takeover" | "adl";
}

/** A conditional order that waits for its trigger, or its end. */
export interface ConditionalEvent {
  readonly conditional_id: number;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: "STOP" | "STOP_MARKET" | "TAKE_PROFIT" | "TAKE_PROFIT_MARKET" | "TRAILING_STOP_MARKET";
  readonly time_in_force: OrderTimeInForce;
  readonly stop_price: string;
  readonly price: string;
  readonly quantity: string;
  /** Of trailing stops. */
  readonly activate_price?: string;
  /** Of trailing stops, in percent. */
  readonly callback_rate?: string;
  readonly working_type: "CONTRACT_PRICE" | "MARK_PRICE";
  readonly reduce_only: boolean;
  readonly close_position: boolean;
  /** The order that it is attached to. */
  readonly parent_order_id: number | null;
  /** The order that it has produced. */
  readonly order_id: number | null;
  readonly status: "NEW" | "TRIGGERING" | "TRIGGERED" | "FINISHED" | "CANCELED" | "EXPIRED" | "REJECTED";
  readonly reason: string;
  readonly created_at: number;
  readonly time: number;
}

export interface BalanceData {
  readonly asset: "USDT";
  readonly principal: string;
  readonly bonus: string;
  readonly isolated_margin: string;
  readonly in_flight: string;
  readonly margin_balance: string;
  readonly unrealized_pnl: string;
  readonly initial_margin: string;
  readonly maintenance_margin: string;
  readonly available: string;
  readonly withdrawable: string;
  readonly time: number;
}

export interface PositionData {
  readonly symbol: string;
  /** FLAT: the position was closed. */
  readonly side: "LONG" | "SHORT" | "FLAT";
  /** Signed: below zero for a short. */
  readonly quantity: string;
  readonly entry_price: string;
  readonly mark_price: string;
  readonly notional: string;
  readonly unrealized_pnl: string;
  readonly leverage: number;
  readonly margin_mode: "cross" | "isolated";
  readonly isolated_margin: string;
  readonly time: number;
}

export interface TierData {
  readonly tier: number;
  readonly volume_14d: string;
}

export interface TierChange extends TierData {
  readonly event: "vip_tier_changed";
  readonly kind: "upgrade_immediate" | "downgrade_scheduled" | "downgrade_applied" | "downgrade_canceled";
  readonly previous_tier: number;
  readonly time: number;
}

export interface BonusData {
  /** A line of the bonus ledger, a change of its state, or a warning before it expires. In a snapshot always STATE. */
  readonly kind:
    | "GRANT"
    | "LOCK"
    | "UNLOCK"
    | "CONSUME_FEE"
    | "CONSUME_FUNDING"
    | "CONSUME_LOSS"
    | "RECALL"
    | "EXPIRE"
    | "WARNING"
    | "STATE";
  readonly amount: string;
  readonly status: "none" | "active" | "frozen" | "expired_pending" | "recalled";
  readonly bonus: string;
  readonly bonus_free: string;
  readonly bonus_locked: string;
  readonly bonus_consumed: string;
  /** 0 without a bonus. */
  readonly expires_at: number;
  /** With WARNING. */
  readonly remaining_ms?: number;
  readonly time: number;
}

/** FUT-23: the account's position was reduced because somebody on the other side could not go on. */
export interface AdlData {
  readonly symbol: string;
  /** The account's side of the trade: BUY closes a short. */
  readonly side: Side;
  readonly quantity: string;
  readonly price: string;
  readonly mark_price: string;
  readonly index_price: string;
  readonly reason: "fund_full" | "fund_capped" | "fund_old" | "bankrupt";
  readonly time: number;
}

/** By private channel: the `data` of the snapshot and of an update. */
export interface PrivateChannels {
  readonly balances: { readonly snapshot: BalanceData; readonly update: BalanceData };
  /** Snapshot: all that are open or wait for their trigger. */
  readonly orders: {
    readonly snapshot: readonly (OrderEvent | ConditionalEvent)[];
    readonly update: OrderEvent | ConditionalEvent;
  };
  /** Snapshot: all that are not flat. Update: one of them. Between updates, `markprice` has the mark prices. */
  readonly positions: { readonly snapshot: readonly PositionData[]; readonly update: PositionData };
  readonly vip_tier: { readonly snapshot: TierData; readonly update: TierChange };
  readonly bonus: { readonly snapshot: BonusData; readonly update: BonusData };
  /** Has no state: the snapshot is empty. The trade itself is on `orders`. */
  readonly adl: { readonly snapshot: readonly AdlData[]; readonly update: AdlData };
}
export type PrivateChannel = keyof PrivateChannels;

export type StreamChannel = PublicChannel | PrivateChannel;

// Messages of clients.

interface AddressFields {
  readonly private: object;
  readonly kline: { readonly symbol: string; readonly interval: FapiInterval };
  readonly market: { readonly symbol: string };
}
type AddressOf<Channel extends StreamChannel> = Channel extends StreamChannel
  ? { readonly channel: Channel } & AddressFields[Channel extends PrivateChannel
      ? "private"
      : Channel extends "kline"
        ? "kline"
        : "market"]
  : never;

/**
 * The address of a subscription: in requests, and in every message that the server pushes. Pushed symbols are upper
 * case.
 */
export type ChannelAddress = AddressOf<StreamChannel>;

export type StreamRequest =
  | { readonly type: "auth"; readonly token: string }
  | { readonly type: "auth"; readonly listenKey: string }
  | ({ readonly type: "subscribe" | "unsubscribe" } & ChannelAddress)
  | { readonly type: "ping" };

// Messages of the server.

type Channels = PublicChannels & PrivateChannels;

type PushOf<Channel extends StreamChannel, Kind extends "snapshot" | "update"> = Channel extends StreamChannel
  ? AddressOf<Channel> & { readonly type: Kind; readonly seq: number; readonly data: Channels[Channel][Kind] }
  : never;

export type StreamSnapshot<Channel extends StreamChannel = StreamChannel> = PushOf<Channel, "snapshot">;
export type StreamUpdate<Channel extends StreamChannel = StreamChannel> = PushOf<Channel, "update">;

export type StreamErrorCode =
  | "INVALID_MESSAGE"
  | "UNAUTHORIZED"
  | "UNKNOWN_CHANNEL"
  | "UNKNOWN_SYMBOL"
  | "UNKNOWN_INTERVAL"
  | "TOO_MANY_SUBSCRIPTIONS";

/** Does not name the request it answers; the connection stays open. */
export interface StreamError {
  readonly type: "error";
  readonly code: StreamErrorCode;
  /** For people. */
  readonly error: string;
}

export type StreamMessage =
  | { readonly type: "auth"; readonly status: "ok"; readonly address: string }
  | ({ readonly type: "subscribed" | "unsubscribed" } & ChannelAddress)
  | StreamSnapshot
  | StreamUpdate
  | { readonly type: "pong" }
  | StreamError;

// Missed messages.

/** An update of a private channel as `GET /api/v1/account/events` repeats it. */
export type AccountEvent = {
  [Channel in PrivateChannel]: {
    readonly seq: number;
    readonly channel: Channel;
    readonly time: number;
    readonly data: PrivateChannels[Channel]["update"];
  };
}[PrivateChannel];

export type AccountEventPage = Omit<AccountEvents, "items"> & { readonly items: readonly AccountEvent[] };
