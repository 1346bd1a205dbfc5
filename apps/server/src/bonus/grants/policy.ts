import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"], bonusKey: true };
const wallet: Access = { area: "json", allow: ["wallet"] };

export const grantsPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/bonus/admin/grant-batch": admin,
  "POST /api/v1/bonus/admin/generate-codes": admin,
  "POST /api/v1/bonus/admin/expire-codes": admin,
  "POST /api/v1/bonus/admin/void-codes": admin,
  "GET /api/v1/bonus/admin/batches": admin,
  "GET /api/v1/bonus/admin/batches/:id": admin,
  "GET /api/v1/bonus/admin/pool-ledger": admin,
  "GET /api/v1/bonus/admin/campaign": admin,
  "PUT /api/v1/bonus/admin/campaign": admin,
  "POST /api/v1/bonus/redeem": wallet,
};
