import type { Access } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import {
  registerDepositRoutes,
  registerWithdrawAddressRoutes,
  registerWithdrawRoutes,
  type WithdrawRoutesOptions,
} from "../../wallet/routes.ts";
import { registerAccountHistoryRoutes, registerAccountReadRoutes, registerMarginModeRoutes } from "./account-routes.ts";
import { registerFeeInfoRoute, registerMarketRoutes, registerMarketsRoute } from "./market-routes.ts";
import { registerOrderRoutes } from "./order-routes.ts";
import type { AccountAreaOptions } from "./ports.ts";

const wallet: Access = { area: "json", allow: ["wallet"] };
const anyone: Access = { area: "json", allow: "anyone" };

/** T12: each of these under /api/v1 and, as an alias, at the root. */
const ROWS: Readonly<Record<string, Access>> = {
  "POST /orders": wallet,
  "GET /orders": wallet,
  "POST /orders/preview": wallet,
  "GET /orders/open": wallet,
  "DELETE /orders/:id": wallet,
  "GET /positions/active": wallet,
  "GET /unified/account": wallet,
  "GET /account/orders": wallet,
  "GET /account/trades": wallet,
  "GET /account/income": wallet,
  "GET /account/equity-history": wallet,
  "GET /account/events": wallet,
  "GET /account/margin-mode": wallet,
  "POST /account/margin-mode": wallet,
  "GET /account/fee-info": anyone,
  "GET /funding-rates/:symbol": anyone,
  "GET /external/markets/:symbol/ticker": anyone,
  "POST /withdraw/request": { ...wallet, apiKey: "WITHDRAW" },
  "GET /deposit/list": wallet,
  "GET /withdraw/list": wallet,
  "GET /withdraw/addresses": wallet,
  "POST /withdraw/addresses": wallet,
  "DELETE /withdraw/addresses/:address": wallet,
};

const PREFIXES = ["/api/v1", ""] as const;

const below = (prefix: string) =>
  Object.entries(ROWS).map(([row, access]): [string, Access] => [row.replace(" ", ` ${prefix}`), access]);

export const accountPolicy: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(PREFIXES.flatMap(below)),
  "GET /api/v1/markets": anyone,
};

/** The account area: everything that a wallet does with its token (FUT-18). */
export function registerAccountRoutes(
  app: App,
  { deposits, withdrawals, addresses, ...options }: AccountAreaOptions & WithdrawRoutesOptions,
): void {
  const money = { deposits, withdrawals, addresses };
  registerMarketsRoute(app, options);
  for (const prefix of PREFIXES) {
    registerOrderRoutes(app, prefix, options);
    registerAccountReadRoutes(app, prefix, options);
    registerAccountHistoryRoutes(app, prefix, options);
    registerMarginModeRoutes(app, prefix, options);
    registerMarketRoutes(app, prefix, options);
    registerFeeInfoRoute(app, prefix, options);
    registerDepositRoutes(app, prefix, money);
    registerWithdrawRoutes(app, prefix, money);
    registerWithdrawAddressRoutes(app, prefix, money);
  }
}
