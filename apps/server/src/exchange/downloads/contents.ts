import type { Page } from "../../kernel/pages.ts";
import { incomeView, userTradeView } from "../fapi/history-views.ts";
import type { Markets } from "../fapi/markets.ts";
import type { MoneyHistory } from "../history/money-history.ts";
import type { OrderHistory } from "../history/order-history.ts";
import type { PageQuery } from "../history/records.ts";
import type { TradeHistory } from "../history/trade-history.ts";
import { orderView } from "../orders/fapi-views.ts";
import type { CsvRecord } from "./csv.ts";

export const DOWNLOAD_KINDS = ["income", "order", "trade"] as const;
export type DownloadKind = (typeof DOWNLOAD_KINDS)[number];

export interface DownloadHistory {
  readonly orders: Pick<OrderHistory, "page">;
  readonly trades: Pick<TradeHistory, "page">;
  readonly money: Pick<MoneyHistory, "incomePage">;
}

/** What a file holds: the records that the route of the same history answers, with the same names. */
export interface Content {
  readonly columns: readonly string[];
  /** A page of an account's history, oldest first. */
  read(account: number, query: PageQuery): Promise<Page<CsvRecord>>;
}

const INCOME_COLUMNS = ["time", "incomeType", "income", "asset", "symbol", "info", "tranId", "tradeId"];
const ORDER_COLUMNS = [
  ...["time", "updateTime", "symbol", "orderId", "clientOrderId", "status", "side", "type", "origType", "timeInForce"],
  ...["price", "stopPrice", "origQty", "executedQty", "avgPrice", "cumQuote", "reduceOnly", "closePosition"],
];
const TRADE_COLUMNS = [
  ...["time", "symbol", "id", "orderId", "side", "price", "qty", "quoteQty", "commission", "commissionAsset"],
  ...["realizedPnl", "buyer", "maker"],
];

const seen = <Row>({ rows, ...page }: Page<Row>, view: (row: Row) => object): Page<CsvRecord> => ({
  ...page,
  rows: rows.map((row) => view(row) as CsvRecord),
});

export function contentsOf(
  { orders, trades, money }: DownloadHistory,
  markets: Pick<Markets, "at">,
): Readonly<Record<DownloadKind, Content>> {
  return {
    income: {
      columns: INCOME_COLUMNS,
      read: async (account, query) => seen(await money.incomePage(account, query), (line) => incomeView(line, markets)),
    },
    order: {
      columns: ORDER_COLUMNS,
      read: async (account, query) =>
        seen(await orders.page(account, query), (order) => orderView(order, markets.at(order.market), true)),
    },
    trade: {
      columns: TRADE_COLUMNS,
      read: async (account, query) =>
        seen(await trades.page(account, query), (fill) => userTradeView(fill, markets.at(fill.market))),
    },
  };
}
