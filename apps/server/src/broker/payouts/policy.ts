import type { Access } from "../../kernel/http/access.ts";

const admin: Access = { area: "json", allow: ["admin"] };
const wallet: Access = { area: "json", allow: ["wallet"] };

export const payoutsPolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/broker/admin/rebate/payout-batches": admin,
  "GET /api/v1/broker/admin/rebate/payout-batches": admin,
  "GET /api/v1/broker/admin/rebate/payout-batches/:id": admin,
  "GET /api/v1/broker/admin/rebate/payout-batches/:id/csv": admin,
  "POST /api/v1/broker/admin/rebate/payout-batches/:id/pay": admin,
  "POST /api/v1/broker/admin/rebate/payout-batches/:id/confirm": admin,
  "POST /api/v1/broker/admin/rebate/payout-batches/:id/cancel": admin,
  "GET /api/v1/broker/admin/rebate/payout-list": admin,
  "GET /api/v1/broker/my-payouts": wallet,
};
