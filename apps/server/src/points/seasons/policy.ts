import type { Access } from "../../kernel/http/access.ts";

const anyone: Access = { area: "json", allow: "anyone" };
const admin: Access = { area: "json", allow: ["admin"] };

export const seasonsPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/points/seasons": anyone,
  "GET /api/v1/points/seasons/:id/allocation/:address": anyone,
  "GET /api/v1/points/admin/seasons": admin,
  "POST /api/v1/points/admin/seasons": admin,
  "PUT /api/v1/points/admin/seasons/:id": admin,
  "POST /api/v1/points/admin/seasons/:id/complete": admin,
};
