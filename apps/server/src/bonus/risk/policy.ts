import type { Access } from "../../kernel/http/access.ts";

const bonusAdmin: Access = { area: "json", allow: ["admin"], bonusKey: true };

export const riskPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/bonus/admin/risk": bonusAdmin,
  "POST /api/v1/bonus/admin/freeze-linked": bonusAdmin,
};
