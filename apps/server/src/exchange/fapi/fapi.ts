import { type FapiRateLimit, fapiErrors } from "@bourse/api";
import { FapiError } from "../../kernel/errors.ts";
import type { App } from "../../kernel/http/app.ts";
import type { CountName, IncomingCall } from "../../kernel/http/fapi-call.ts";
import { OpenOrderReader } from "../orders/from-engine.ts";
import { registerAccountRoutes } from "./account-routes.ts";
import { AccountViews } from "./account-views.ts";
import { AdlRanks } from "./adl-ranks.ts";
import { registerAlgoRoutes } from "./algo-routes.ts";
import { registerBatchRoutes } from "./batch-routes.ts";
import type { FapiContext, FapiDeps } from "./context.ts";
import { Countdowns } from "./countdowns.ts";
import { registerDownloadRoutes } from "./download-routes.ts";
import { registerInfoRoutes } from "./info-routes.ts";
import { registerKlineRoutes } from "./kline-routes.ts";
import { rateLimitsOf, registerMarketRoutes } from "./market-routes.ts";
import { Markets } from "./markets.ts";
import { registerModeRoutes } from "./mode-routes.ts";
import { OrderCounts } from "./order-counts.ts";
import { registerOrderRoutes } from "./order-routes.ts";
import { Orders } from "./orders.ts";
import { AccountReader } from "./positions.ts";
import { asFapiError } from "./refusals.ts";
import { registerSettingRoutes } from "./setting-routes.ts";
import { socketMethods } from "./sockets/methods.ts";
import type { SocketOperations } from "./sockets/request-door.ts";
import { registerStatisticsRoutes } from "./statistics-routes.ts";
import { UpdateTimes } from "./update-times.ts";

export type { FapiDeps } from "./context.ts";

/** The exchange-style interface. */
export interface Fapi {
  /** Called before the server is ready. */
  register(app: App): void;
  /** Started with the server, stopped before the exchange closes. */
  readonly countdowns: Countdowns;
  /** The same operations for sockets. */
  readonly sockets: SocketOperations;
}

/** Builds the interface. Called before the first command, because it listens to the exchange. */
export function createFapi(deps: FapiDeps): Fapi {
  const { exchange, directory, clock, history, limits, isUnlimited, onError } = deps;
  const { engine } = exchange;
  const markets = new Markets(engine);
  const memory = new OpenOrderReader(engine);
  const reader = new AccountReader(engine, markets);
  const ranks = new AdlRanks(engine, clock);
  const orders = new Orders({ exchange, history, markets, memory });
  const context: FapiContext = {
    ...deps,
    markets,
    memory,
    reader,
    ranks,
    views: new AccountViews({ reader, ranks, times: new UpdateTimes(exchange, clock) }),
    orders,
    counts: new OrderCounts({ limits, isUnlimited }),
    countdowns: new Countdowns({
      clock,
      async cancelAll(address, market) {
        const account = directory.numberOf(address);
        if (account !== undefined) await orders.cancelAll(account, market);
      },
      onError,
    }),
  };
  return {
    register: (app) => void app.register(async (scope) => registerAll(scope, context)),
    countdowns: context.countdowns,
    sockets: {
      methods: socketMethods(context),
      translate: (error, call) => translate(context, error, call),
      rateLimits: (counts) => countedLimits(context, counts),
    },
  };
}

/** Translates errors of the exchange and the history, and takes back the counts of a call that found no exchange. */
async function translate({ counts }: FapiContext, thrown: unknown, call: IncomingCall): Promise<unknown> {
  const error = asFapiError(thrown);
  const isUnavailable = error instanceof FapiError && error.code === fapiErrors.SERVICE_UNAVAILABLE.code;
  if (isUnavailable) await counts.forgive(call);
  return error;
}

/** The limits that a call has counted to, with the counts. */
function countedLimits(context: FapiContext, counts: ReadonlyMap<CountName, number>): FapiRateLimit[] {
  const { weight, orders } = rateLimitsOf(context);
  const counted = [
    { limit: weight, count: counts.get("x-mbx-used-weight-1m") },
    { limit: orders[0], count: counts.get("x-mbx-order-count-10s") },
    { limit: orders[1], count: counts.get("x-mbx-order-count-1m") },
  ];
  return counted.flatMap(({ limit, count }) => (count === undefined ? [] : [{ ...limit, count }]));
}

function registerAll(app: App, context: FapiContext): void {
  // The server's handler sends them.
  app.setErrorHandler(async (thrown, request) => {
    throw await translate(context, thrown, request);
  });
  registerModeRoutes(app, context);
  registerMarketRoutes(app, context);
  registerInfoRoutes(app, context);
  registerKlineRoutes(app, context);
  registerStatisticsRoutes(app, context);
  registerAccountRoutes(app, context);
  registerSettingRoutes(app, context);
  registerOrderRoutes(app, context);
  registerBatchRoutes(app, context);
  registerAlgoRoutes(app, context);
  registerDownloadRoutes(app, context);
}
