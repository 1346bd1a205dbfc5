import type { Access } from "../../kernel/http/access.ts";

export const reconcilePolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/bonus/admin/reconcile-report": { area: "json", allow: ["admin"], bonusKey: true },
};
