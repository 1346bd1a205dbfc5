import {
  AccountOpenOrders,
  AccountOrderPage,
  AccountOrderRequest,
  CanceledOrder,
  fapiErrors,
  OpenOrdersQuery,
  OrderListQuery,
  OrderPreview,
  PlacedOrder,
} from "@bourse/api";
import { SCOPE_BOTH } from "@bourse/engine";
import { Type } from "typebox";
import { badRequest } from "../../kernel/errors.ts";
import { wallet } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { pageReply, wholeReply } from "../../kernel/pages.ts";
import { OpenOrderReader } from "../orders/from-engine.ts";
import { type ConditionalOrder, ORDER_STATUSES, type Order } from "../orders/order.ts";
import { accountOrder, placedAccountOrder } from "../orders/own-views.ts";
import { refusalWithoutAccount } from "../orders/without-account.ts";
import { findMarket } from "./markets.ts";
import { readOrder } from "./order-request.ts";
import { createPageReader } from "./pages.ts";
import type { AccountAreaOptions } from "./ports.ts";
import { orderPreview } from "./preview.ts";
import { AccountRefusal, assertDone, engineRefusal, refusal, sendAccountError } from "./refusals.ts";
import { walletOf } from "./requests.ts";

const tags = ["Orders"];

/** FUT-18: orders of a wallet that sends its token. `prefix` is one of `PREFIXES` (T12). */
export function registerOrderRoutes(app: App, prefix: string, options: AccountAreaOptions): void {
  registerPlacing(app, prefix, options);
  registerCancelling(app, prefix, options);
  registerPreview(app, prefix, options);
  registerLists(app, prefix, options);
}

/** SEC-10: counts new orders per account; orders that reduce a position may use the reserved part of the limit. */
async function countOrder(limits: AccountAreaOptions["orderLimits"], address: string, reduces: boolean): Promise<void> {
  const tenSeconds = await limits.orders10s.take(address, 1, reduces);
  const minute = await limits.orders1m.take(address, 1, reduces);
  const over = tenSeconds.isWithin ? minute : tenSeconds;
  if (over.isWithin) return;
  const { status, code, msg } = fapiErrors.TOO_MANY_ORDERS;
  const retryAfter_s = Math.max(1, Math.ceil(over.windowLeft_ms / 1_000));
  throw new AccountRefusal(status, "TOO_MANY_ORDERS", msg, { exchange_code: code }, { retryAfter_s });
}

function registerPlacing(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, directory, orderLimits } = options;
  const hide = prefix === "";

  app.post(
    `${prefix}/orders`,
    {
      config: { access: wallet, client: "orders.place" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Place an order",
        description:
          "LIMIT and MARKET orders may carry a take-profit and a stop-loss; STOP and TAKE_PROFIT types wait for their " +
          "`stop_price`. The reply says what became of it at once.",
        body: AccountOrderRequest,
        response: { 200: PlacedOrder },
      },
    },
    async (request) => {
      const address = walletOf(request);
      const { market, command, isExempt } = readOrder(
        request.body,
        (symbol) => findMarket(exchange, symbol),
        exchange.engine.state,
      );
      await countOrder(orderLimits, address, isExempt);
      const account = directory.numberOf(address);
      if (account === undefined)
        throw engineRefusal(refusalWithoutAccount(exchange.engine, command), market.definition);
      const applied = await exchange.submit({ ...command, account }, isExempt);
      assertDone(applied, market.definition);
      return placedAccountOrder(market.definition, applied);
    },
  );
}

function registerCancelling(app: App, prefix: string, { exchange, directory }: AccountAreaOptions): void {
  const hide = prefix === "";

  app.delete(
    `${prefix}/orders/:id`,
    {
      config: { access: wallet, client: "orders.cancel" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Cancel an open order",
        description: "Its attached take-profit and stop-loss are cancelled too.",
        params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
        response: { 200: CanceledOrder },
      },
    },
    async (request) => {
      const account = directory.numberOf(walletOf(request));
      const { id } = request.params;
      if (account === undefined) throw engineRefusal({ reason: "unknown_order", limit: 0, actual: 0 });
      const command = { kind: "cancel_order", account, order: id, clientId: "", scope: SCOPE_BOTH } as const;
      const applied = await exchange.submit(command, true);
      assertDone(applied);
      const closed = applied.events.find(
        (event) =>
          (event.kind === "order_closed" && event.order === id) ||
          (event.kind === "conditional_closed" && event.conditional === id),
      );
      const market = closed?.kind === "order_closed" || closed?.kind === "conditional_closed" ? closed.market : -1;
      return { id, symbol: exchange.engine.state.markets[market]!.definition.symbol, status: "CANCELED" as const };
    },
  );
}

function registerPreview(app: App, prefix: string, { exchange, directory }: AccountAreaOptions): void {
  const hide = prefix === "";

  app.post(
    `${prefix}/orders/preview`,
    {
      config: { access: wallet, client: "orders.preview" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Preview an order",
        description:
          "Nothing changes. What the exchange would refuse is refused here in the same words, a market order beyond " +
          "`max_slippage` with SLIPPAGE_EXCEEDED.",
        body: AccountOrderRequest,
        response: { 200: OrderPreview },
      },
    },
    (request) => {
      const { command } = readOrder(request.body, (symbol) => findMarket(exchange, symbol), exchange.engine.state);
      if (command.kind !== "place_order") {
        throw refusal(
          "UNSUPPORTED",
          -1020,
          "LIMIT and MARKET orders can be previewed; what a trigger meets is unknown",
        );
      }
      return orderPreview(exchange.engine, directory.numberOf(walletOf(request)), command);
    },
  );
}

/** FUT-3: an order status, in upper or lower case. */
function readStatus(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const status = ORDER_STATUSES.find((name) => name === given.toUpperCase());
  if (status === undefined) throw badRequest(`status is one of ${ORDER_STATUSES.join(", ")}`, { parameter: "status" });
  return status;
}

function registerLists(app: App, prefix: string, options: AccountAreaOptions): void {
  const { exchange, directory, history } = options;
  const hide = prefix === "";
  const readPage = createPageReader(options);
  const memory = new OpenOrderReader(exchange.engine);
  const shown = (order: Order | ConditionalOrder) =>
    accountOrder(exchange.engine.state.markets[order.market]!.definition, order);
  const openOrders = (account: number, market: number | undefined) =>
    [...memory.resting(account, market), ...memory.conditionals(account, market)].sort(
      (a, b) => a.created_ms - b.created_ms || a.id - b.id,
    );

  app.get(
    `${prefix}/orders/open`,
    {
      config: { access: wallet, client: "account.openOrders" },
      errorHandler: sendAccountError,
      schema: {
        hide,
        tags,
        summary: "Open orders, conditional ones included, by time",
        querystring: OpenOrdersQuery,
        response: { 200: AccountOpenOrders },
      },
    },
    (request) => {
      const { symbol } = request.query;
      const market = symbol === undefined ? undefined : findMarket(exchange, symbol).number;
      const account = directory.numberOf(walletOf(request));
      return wholeReply(account === undefined ? [] : openOrders(account, market).map(shown), "orders");
    },
  );

  for (const path of ["/orders", "/account/orders"]) {
    app.get(
      `${prefix}${path}`,
      {
        config: { access: wallet, client: path === "/account/orders" ? "account.orders" : [] },
        errorHandler: sendAccountError,
        schema: {
          hide,
          tags,
          summary: "Orders, open and closed, by time",
          querystring: OrderListQuery,
          response: { 200: AccountOrderPage },
        },
      },
      async (request) => {
        const status = readStatus(request.query.status);
        const { account, query } = readPage(request, request.query);
        if (account === undefined) return wholeReply([], "orders");
        return pageReply(await history.orders.page(account, { ...query, status }), shown, "orders");
      },
    );
  }
}
