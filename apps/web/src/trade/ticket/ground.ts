import { useMemo } from "react";
import { Decimal } from "../../lib/decimal.ts";
import { useSession } from "../../session/session.ts";
import { magnitude, type Position } from "../account/margin.ts";
import { type OpenOrder, openValue, remainingOf } from "../account/orders-model.ts";
import { useFeeInfo, useMyBonus, useOwnOrders, useSymbolSettings, useUnifiedAccount } from "../account/queries.ts";
import { useAccountFeed, useLiveFigures } from "../account/state.ts";
import { type Market, useBestPrices, useMarket, useMarkPrice, useTicker } from "../market/market-data.ts";
import type { Side } from "./draft.ts";
import type { Prices } from "./market-rules.ts";
import { notionalCapAt, type Room } from "./sizing.ts";

/** What a reduce-only order of a side could close: the position less what other reduce-only orders will. */
export function closableBy(side: Side, position: Position | undefined, open: readonly OpenOrder[]): Decimal {
  if (position === undefined || (position.side === "LONG") === (side === "BUY")) return Decimal.ZERO;
  const taken = open
    .filter((order) => order.symbol === position.symbol && order.reduce_only && order.side === side)
    .reduce((sum, order) => sum.add(remainingOf(order)), Decimal.ZERO);
  return Decimal.max(magnitude(Decimal.parse(position.quantity)).sub(taken), Decimal.ZERO);
}

export interface TicketGround {
  readonly market: Market | undefined;
  readonly prices: Prices;
  readonly isSignedIn: boolean;
  /** Undefined until the account is known. */
  readonly available: Decimal | undefined;
  readonly position: Position | undefined;
  readonly room: Room | undefined;
  readonly closable: (side: Side) => Decimal;
  readonly leverage: number;
  readonly marginMode: "cross" | "isolated";
  /** The highest leverage: the market's, or what the bonus allows. */
  readonly maxLeverage: number;
  readonly hasBonus: boolean;
  readonly takerRate: Decimal;
  readonly makerRate: Decimal;
  /** What the fee is lowered by, such as a referral, as a fraction. */
  readonly discount: Decimal;
  readonly hasOpenOrders: boolean;
  /** Nothing has ever been paid in. */
  readonly isEmpty: boolean;
}

function usePrices(symbol: string): Prices {
  const last = useTicker(symbol)?.last_price;
  const mark = useMarkPrice(symbol);
  const { bid, ask } = useBestPrices(symbol);
  return useMemo(() => ({ mark, last, bid, ask }), [mark, last, bid, ask]);
}

function useRates() {
  const { data } = useFeeInfo();
  return useMemo(() => {
    const { maker_rate = "0", taker_rate = "0" } = data?.effective ?? data?.baseline ?? {};
    const discounts = (data?.discounts ?? []).map(({ discount }) => Decimal.parse(discount));
    const discount = discounts.reduce((sum, part) => sum.add(part), Decimal.ZERO);
    return { makerRate: Decimal.parse(maker_rate), takerRate: Decimal.parse(taker_rate), discount };
  }, [data]);
}

/** Everything around the form that decides over an order. */
export function useTicketGround(symbol: string): TicketGround {
  useAccountFeed();
  const market = useMarket(symbol);
  const prices = usePrices(symbol);
  const isSignedIn = useSession("wallet") !== undefined;
  const { data: account } = useUnifiedAccount();
  const { data: orders } = useOwnOrders();
  const { data: settings } = useSymbolSettings();
  const live = useLiveFigures(account);
  const rates = useRates();
  const hasBonus = account !== undefined && !Decimal.parse(account.bonus).isZero();
  const { data: bonus } = useMyBonus(hasBonus);
  const setting = settings?.find((one) => one.symbol === symbol);
  const position = account?.positions.find((held) => held.symbol === symbol);
  const leverage = setting?.leverage ?? market?.default_leverage ?? 1;
  const marginMode = setting?.margin_mode ?? "cross";
  const open = orders?.open ?? [];
  const marketMax = market?.max_leverage ?? 1;

  const free =
    account === undefined || live === undefined
      ? undefined
      : // Neither bonus nor open profits can be moved into an isolated position.
        marginMode === "isolated"
        ? Decimal.min(live.available, Decimal.parse(account.principal))
        : live.available;
  const room: Room | undefined =
    market === undefined || free === undefined || prices.mark === undefined
      ? undefined
      : {
          available: free,
          positionValue: Decimal.parse(position?.quantity ?? "0").mul(Decimal.parse(prices.mark)),
          openBuys: openValue(open, symbol, "BUY"),
          openSells: openValue(open, symbol, "SELL"),
          leverage,
          notionalCap: notionalCapAt(market.brackets, leverage),
          orderCap: Decimal.parse(market.max_order_size_usd),
          feeRate: rates.takerRate,
          mark: Decimal.parse(prices.mark),
        };
  return {
    market,
    prices,
    isSignedIn,
    available: free,
    position,
    room,
    closable: (side) => closableBy(side, position, open),
    leverage,
    marginMode,
    maxLeverage: hasBonus && bonus?.max_leverage ? Math.min(marketMax, bonus.max_leverage) : marketMax,
    hasBonus,
    ...rates,
    hasOpenOrders:
      open.some((order) => order.symbol === symbol) || (orders?.waiting ?? []).some((order) => order.symbol === symbol),
    isEmpty: account !== undefined && account.positions.length === 0 && Decimal.parse(account.margin_balance).isZero(),
  };
}
