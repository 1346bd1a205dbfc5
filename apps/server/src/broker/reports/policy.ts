import type { Access } from "../../kernel/http/access.ts";

const wallet: Access = { area: "json", allow: ["wallet"] };
const bd: Access = { area: "json", allow: ["bd"] };

export const reportsPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/broker/overview": wallet,
  "GET /api/v1/broker/downlines": wallet,
  "GET /api/v1/broker/rebate-records": wallet,
  "GET /api/v1/broker/rebate-records/export": wallet,
  "GET /api/v1/broker/share-income": wallet,
  "GET /api/v1/broker/leaderboard": wallet,
  "GET /api/v1/broker/rebate-trend": wallet,
  "GET /api/v1/broker/performance": wallet,
  "GET /api/v1/broker/what-if": wallet,
  "GET /api/v1/broker/my-rebate": wallet,
  "GET /api/v1/broker/affiliate-records": wallet,
  "GET /api/v1/broker/bd/downlines": bd,
};
