import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"], bonusKey: true };
const wallet: Access = { area: "json", allow: ["wallet"] };

export const accountsPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/bonus/admin/freeze": admin,
  "POST /api/v1/bonus/admin/unfreeze": admin,
  "POST /api/v1/bonus/admin/recall": admin,
  "GET /api/v1/bonus/admin/accounts": admin,
  "GET /api/v1/bonus/admin/accounts/:address": admin,
  "GET /api/v1/bonus/me": wallet,
  "GET /api/v1/bonus/me/ledger": wallet,
};
