import { bonusPolicy } from "./bonus/policy.ts";
import { brokerPolicy } from "./broker/policy.ts";
import { rpcPolicy } from "./chain/rpc-routes.ts";
import { faucetPolicy } from "./dev/faucet-routes.ts";
import { personasPolicy } from "./dev/personas-routes.ts";
import { earnPolicy } from "./earn/routes.ts";
import { accountPolicy } from "./exchange/account/routes.ts";
import { exchangeAdminPolicy } from "./exchange/admin/routes.ts";
import { fapiPolicy } from "./exchange/fapi/policy.ts";
import { priceAdminPolicy } from "./exchange/prices/admin-routes.ts";
import { devPricePolicy } from "./exchange/prices/dev-routes.ts";
import type { Access } from "./kernel/http/access.ts";
import { pointsPolicy } from "./points/policy.ts";
import { referralPolicy } from "./referral/routes.ts";

const open: Access = { area: "open", allow: "anyone" };
const development: Access = { area: "dev", allow: "anyone" };
const anyone: Access = { area: "json", allow: "anyone" };
const wallet: Access = { area: "json", allow: ["wallet"] };
const signedIn: Access = { area: "json", allow: ["wallet", "bd", "admin"] };
const admin: Access = { area: "json", allow: ["admin"] };

/**
 * SEC-6: who may call what, for the whole product. A route without a row cannot be registered, so nothing is open by
 * oversight. A row that ends in `/*` stands for everything below it.
 */
export const policy: Readonly<Record<string, Access>> = {
  "OPTIONS *": open,
  "GET /": open,
  "GET /app": open,
  "GET /app/*": open,
  "HEAD /app/*": open,
  "GET /healthz": open,
  "GET /readyz": open,
  "GET /metrics": open,
  "GET /openapi.json": open,
  "GET /docs": open,
  "GET /docs/*": open,

  "GET /api/v1/config": anyone,
  "POST /api/v1/auth/nonce": anyone,
  "POST /api/v1/auth/login": anyone,
  "POST /api/v1/auth/refresh": anyone,
  "POST /api/v1/auth/logout": signedIn,
  "POST /api/v1/broker/auth/login": anyone,

  "POST /api/v1/account/api-keys": wallet,
  "GET /api/v1/account/api-keys": wallet,
  "DELETE /api/v1/account/api-keys/:api_key": wallet,
  "POST /account/api-keys": wallet,
  "GET /account/api-keys": wallet,
  "DELETE /account/api-keys/:api_key": wallet,

  "GET /api/v1/admin/audit-log": admin,
  "GET /api/v1/admin/jobs": admin,

  "POST /api/v1/dev/clock": development,
  "POST /api/v1/dev/jobs/:name/run": development,

  ...fapiPolicy,
  ...accountPolicy,
  ...exchangeAdminPolicy,
  ...priceAdminPolicy,
  ...faucetPolicy,
  ...devPricePolicy,
  ...personasPolicy,
  ...rpcPolicy,
  ...referralPolicy,
  ...earnPolicy,
  ...brokerPolicy,
  ...pointsPolicy,
  ...bonusPolicy,
};
