import {
  FapiLeverage,
  FapiListenKey,
  FapiMarginMove,
  FapiMarginType,
  FapiPositionMargin,
  accountParameters as parameters,
  Success,
} from "@bourse/api";
import { CROSS, maxNotionalAt, type Refusal } from "@bourse/engine";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import { moneyText } from "../../kernel/units.ts";
import { microsOf } from "../orders/numbers.ts";
import { refusePositionSide } from "../orders/order-checks.ts";
import { OrderFields } from "../orders/order-fields.ts";
import { refusedIn } from "../orders/refusals.ts";
import { keyOnly, reading, trading } from "./access.ts";
import {
  accountOf,
  addressOf,
  type FapiCall,
  type FapiContext,
  keptOf,
  operation,
  publicRoute,
  signedRoute,
  windowOf,
} from "./context.ts";
import type { MarketState } from "./markets.ts";
import { ORDER } from "./order-request.ts";
import { refusalOf, refuse } from "./refusals.ts";

/** Clients match this text literally and take it for success. */
const ISOLATED_ALREADY = "No need to change margin type.";
const success = { code: 200, msg: "success" } as const;

function registerLeverage(app: App, { markets, accountSettings }: FapiContext): void {
  app.post(
    "/fapi/v1/leverage",
    signedRoute({
      access: trading(1),
      client: "account.setLeverage(symbol, leverage)",
      summary: "Set the leverage of a symbol",
      parameters: parameters.leverage,
      reply: FapiLeverage,
    }),
    async (request) => {
      const symbol = request.fapi.requiredText("symbol");
      const leverage = request.fapi.requiredInteger("leverage");
      const market = markets.named(symbol);
      const refusal = await accountSettings.set(addressOf(request), market, { leverage });
      if (refusal !== undefined) throw refusalOf(refusal, market.definition);
      const maxNotionalValue = moneyText(maxNotionalAt(market.definition.brackets, leverage), 0);
      return { leverage, maxNotionalValue, symbol: market.definition.symbol };
    },
  );
}

/** Margin modes differ from other exchanges here: isolated margin is set on the account area alone (T1). */
function registerMarginType(app: App, context: FapiContext): void {
  const { markets, accountSettings } = context;

  async function isIsolated(request: FapiCall, market: MarketState): Promise<boolean> {
    const kept = await keptOf(context, request);
    return context.reader.positions(accountOf(context, request), market, kept).some((position) => position.isIsolated);
  }

  app.get(
    "/fapi/v1/marginType",
    signedRoute({
      access: reading(1),
      summary: "Margin type of this interface",
      parameters: parameters.maybeSymbol,
      reply: FapiMarginType,
    }),
    (request) => {
      const market = markets.optional(request.fapi);
      return { ...(market === undefined ? {} : { symbol: market.definition.symbol }), marginType: "CROSSED" as const };
    },
  );

  app.post(
    "/fapi/v1/marginType",
    signedRoute({
      access: trading(1),
      summary: "Set the margin type",
      description:
        "`CROSSED` leaves the symbol on cross margin: one that is isolated is changed, and with open orders or a position " +
        "refused with -4047 or -4048. `ISOLATED` is refused with -4046, it has a separate route.",
      parameters: parameters.marginType,
      reply: Success,
    }),
    async (request) => {
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const type = fapi.requiredText("marginType");
      if (type !== "CROSSED" && type !== "ISOLATED") {
        throw invalidParameter("marginType", { rule: "enum", limit: "CROSSED, ISOLATED" });
      }
      const market = markets.named(symbol);
      const isSet = await isIsolated(request, market);
      if (type === "ISOLATED") throw fapiRefusal("ISOLATED", isSet ? { msg: ISOLATED_ALREADY } : {});
      // Nothing is sent to the engine for a symbol that is on cross margin: the call is harmless at any time.
      const refusal = isSet ? await accountSettings.set(addressOf(request), market, { mode: CROSS }) : undefined;
      if (refusal !== undefined) throw refusalOf(refusal, market.definition);
      return success;
    },
  );
}

const ADD = 1;
const REDUCE = 2;

/** A wallet without an account has no isolated position. */
async function moveMargin(
  { exchange }: FapiContext,
  account: number,
  { number: market, definition }: MarketState,
  amount_micros: number,
): Promise<void> {
  const command = { kind: "move_isolated_margin", account, market, amount_micros } as const;
  const refusal: Refusal | undefined =
    account === 0 ? { reason: "not_isolated", limit: 0, actual: 0 } : refusedIn(await exchange.submit(command));
  if (refusal !== undefined) throw refusalOf(refusal, definition);
}

function registerPositionMargin(app: App, context: FapiContext): void {
  const { markets, history } = context;
  app.post(
    "/fapi/v1/positionMargin",
    signedRoute({
      access: trading(1),
      client: "account.moveMargin",
      summary: "Move margin into or out of an isolated position",
      parameters: parameters.positionMargin,
      reply: FapiPositionMargin,
    }),
    async (request) => {
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const amountText = fapi.requiredDecimal("amount");
      const type = fapi.requiredInteger("type");
      if (type !== ADD && type !== REDUCE) throw invalidParameter("type", { rule: "enum", limit: "1, 2" });
      refusePositionSide(new OrderFields(fapi, ORDER, markets.rules));
      const market = markets.named(symbol);
      const amount_micros = microsOf({ text: amountText, parameter: "amount" }, refuse);
      const account = accountOf(context, request);
      const signed_micros = type === ADD ? amount_micros : -amount_micros;
      await moveMargin(context, account, market, signed_micros);
      const msg = "Successfully modify position margin.";
      return { amount: Number(moneyText(amount_micros)), code: 200 as const, msg, type };
    },
  );

  app.get(
    "/fapi/v1/positionMargin/history",
    signedRoute({
      access: reading(1),
      client: "account.marginMoves",
      summary: "Margin moved into and out of isolated positions",
      parameters: parameters.positionMarginHistory,
      reply: Type.Array(FapiMarginMove),
    }),
    async (request) => {
      const { fapi } = request;
      const symbol = fapi.requiredText("symbol");
      const type = fapi.integer("type");
      if (type !== undefined && type !== ADD && type !== REDUCE) {
        throw invalidParameter("type", { rule: "enum", limit: "1, 2" });
      }
      const window = windowOf(fapi, 500, 1000);
      const { number, definition } = markets.named(symbol);
      const account = accountOf(context, request);
      const moves = account === 0 ? [] : await history.money.marginMoves(account, { ...window, market: number });
      const typeOf = (amount_micros: number) => (amount_micros > 0 ? ADD : REDUCE);
      return moves
        .filter(({ amount_micros }) => type === undefined || typeOf(amount_micros) === type)
        .map(({ amount_micros, time_ms }) => ({
          symbol: definition.symbol,
          type: typeOf(amount_micros),
          deltaType: "USER_ADJUST",
          amount: moneyText(Math.abs(amount_micros)),
          asset: "USDT" as const,
          time: time_ms,
          positionSide: "BOTH" as const,
        }));
    },
  );
}

/** The key of a wallet's user data stream. */
export function listenKeyOperations({ listenKeys }: FapiContext) {
  return {
    start: operation(
      publicRoute({
        access: keyOnly(1),
        summary: "Start the user data stream, or return the running one",
        reply: FapiListenKey,
      }),
      async (call) => ({ listenKey: await listenKeys.issue(addressOf(call)) }),
    ),

    extend: operation(
      publicRoute({ access: keyOnly(1), summary: "Extend the user data stream by an hour", reply: FapiListenKey }),
      async (call) => {
        const listenKey = await listenKeys.extend(addressOf(call));
        if (listenKey === undefined) throw fapiRefusal("LISTEN_KEY");
        return { listenKey };
      },
    ),

    stop: operation(
      publicRoute({ access: keyOnly(1), summary: "End the user data stream", reply: Type.Object({}) }),
      async (call) => {
        await listenKeys.revoke(addressOf(call));
        return {};
      },
    ),
  };
}

function registerListenKeys(app: App, context: FapiContext): void {
  const { start, extend, stop } = listenKeyOperations(context);
  app.post("/fapi/v1/listenKey", start.route, start.handle);
  app.put("/fapi/v1/listenKey", extend.route, extend.handle);
  app.delete("/fapi/v1/listenKey", stop.route, stop.handle);
}

/** The settings of an account and its listen keys. */
export function registerSettingRoutes(app: App, context: FapiContext): void {
  registerLeverage(app, context);
  registerMarginType(app, context);
  registerPositionMargin(app, context);
  registerListenKeys(app, context);
}
