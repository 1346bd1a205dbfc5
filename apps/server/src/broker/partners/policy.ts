import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"] };
const bd: Access = { area: "json", allow: ["bd"] };
const wallet: Access = { area: "json", allow: ["wallet"] };

export const partnersPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/broker/admin/bd": admin,
  "GET /api/v1/broker/admin/bds": admin,
  "PUT /api/v1/broker/admin/bd/:id": admin,
  "POST /api/v1/broker/admin/bd/:id/bulk-reassign": admin,
  "GET /api/v1/broker/admin/dashboard": admin,
  "GET /api/v1/broker/admin/kols": admin,
  "POST /api/v1/broker/admin/kol": admin,
  "PUT /api/v1/broker/admin/kol/:id": admin,
  "PUT /api/v1/broker/admin/kol/:id/tier": admin,
  "PUT /api/v1/broker/admin/kol/:id/reassign": admin,
  "GET /api/v1/broker/admin/config/tier-thresholds": admin,
  "PUT /api/v1/broker/admin/config/tier-thresholds": admin,
  "DELETE /api/v1/broker/admin/config/tier-thresholds": admin,

  "POST /api/v1/broker/bd/invite-code": bd,
  "GET /api/v1/broker/bd/invite-codes": bd,
  "GET /api/v1/broker/bd/kols": bd,
  "GET /api/v1/broker/bd/dashboard": bd,

  "POST /api/v1/broker/bind": wallet,
  "POST /api/v1/broker/invite-code": wallet,
  "GET /api/v1/broker/invite-codes": wallet,
  // BRK-2: by its owner, who may be a BD.
  "PUT /api/v1/broker/invite-code/:id": { area: "json", allow: ["wallet", "bd"] },
  "GET /api/v1/broker/referral-info": wallet,
};
