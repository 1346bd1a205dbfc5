import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"] };

export const scoringPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/points/earn-level-config": { area: "json", allow: "anyone" },
  "GET /api/v1/points/admin/levels": admin,
  "PUT /api/v1/points/admin/levels": admin,
  "GET /api/v1/points/admin/rules": admin,
  "PUT /api/v1/points/admin/rules": admin,
  "GET /api/v1/points/admin/makers": admin,
  "PUT /api/v1/points/admin/makers": admin,
};
