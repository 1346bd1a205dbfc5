import type { Access } from "./kernel/http/access.ts";

const open: Access = { area: "open", allow: "anyone" };
const development: Access = { area: "dev", allow: "anyone" };
const anyone: Access = { area: "json", allow: "anyone" };
const wallet: Access = { area: "json", allow: ["wallet"] };
const signedIn: Access = { area: "json", allow: ["wallet", "bd", "admin"] };
const admin: Access = { area: "json", allow: ["admin"] };
const market: Access = { area: "fapi", allow: "anyone" };
const reading: Access = { area: "fapi", allow: ["wallet"], apiKey: "READ" };
const trading: Access = { area: "fapi", allow: ["wallet"], apiKey: "TRADE" };

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

  "GET /api/v1/admin/audit-log": admin,
  "GET /api/v1/admin/jobs": admin,

  "POST /api/v1/dev/clock": development,
  "POST /api/v1/dev/jobs/:name/run": development,

  "GET /fapi/v1/ping": market,
  "GET /fapi/v1/time": market,
  "GET /fapi/v1/positionSide/dual": { ...reading, weight: 30 },
  "POST /fapi/v1/positionSide/dual": trading,
  "GET /fapi/v1/multiAssetsMargin": { ...reading, weight: 30 },
  "POST /fapi/v1/multiAssetsMargin": trading,
};
