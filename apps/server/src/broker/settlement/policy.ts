import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"] };
const wallet: Access = { area: "json", allow: ["wallet"] };
const anyRole: Access = { area: "json", allow: ["wallet", "bd", "admin"] };
const walletOrAdmin: Access = { area: "json", allow: ["wallet", "admin"] };

export const settlementPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/broker/admin/rebate/calculate": admin,
  "GET /api/v1/broker/settlements/:period/root": anyRole,
  "GET /api/v1/broker/rebate-records/:id/proof": walletOrAdmin,
  "GET /api/v1/broker/rebate-records/:id/explain": walletOrAdmin,
  "GET /api/v1/broker/skipped-fills": wallet,
};
