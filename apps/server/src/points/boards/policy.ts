import type { Access } from "../../kernel/http/access.ts";

const anyone: Access = { area: "json", allow: "anyone" };
const wallet: Access = { area: "json", allow: ["wallet"] };

export const boardsPolicy: Readonly<Record<string, Access>> = {
  "GET /api/v1/points/leaderboard/daily": anyone,
  "GET /api/v1/points/leaderboard/epoch": anyone,
  "GET /api/v1/points/me": wallet,
  "GET /api/v1/points/me/ledger": wallet,
};
