import type { App } from "../../kernel/http/app.ts";
import { registerAccountHistoryRoutes, registerAccountReadRoutes, registerMarginModeRoutes } from "./account-routes.ts";
import {
  registerFeeInfoRoute,
  registerMarketRoutes,
  registerMarketsRoute,
  registerRiskEventsRoute,
} from "./market-routes.ts";
import { registerOrderRoutes } from "./order-routes.ts";
import type { AccountAreaOptions } from "./ports.ts";

/** T12: every route of the account area is registered under /api/v1 and, as an alias, at the root. */
export const PREFIXES = ["/api/v1", ""] as const;

/** The account area: what a wallet can do with its token (FUT-18). */
export function registerAccountRoutes(app: App, options: AccountAreaOptions): void {
  registerMarketsRoute(app, options);
  registerRiskEventsRoute(app, options);
  for (const prefix of PREFIXES) {
    registerOrderRoutes(app, prefix, options);
    registerAccountReadRoutes(app, prefix, options);
    registerAccountHistoryRoutes(app, prefix, options);
    registerMarginModeRoutes(app, prefix, options);
    registerMarketRoutes(app, prefix, options);
    registerFeeInfoRoute(app, prefix, options);
  }
}
