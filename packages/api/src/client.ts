import { batches, events, grants, readiness } from "./client/by-hand.ts";
import { type ClientOptions, createCall } from "./client/call.ts";
import { createAreas } from "./client/generated.ts";

export type * from "./account-orders.ts";
export type * from "./account-queries.ts";
export type * from "./account-shapes.ts";
export type * from "./account-views.ts";
export type * from "./account-wallet.ts";
export type * from "./auth.ts";
export type * from "./bonus-accounts.ts";
export type * from "./bonus-grants.ts";
export type * from "./bonus-risk.ts";
export type * from "./broker-partners.ts";
export type * from "./broker-payouts.ts";
export type * from "./broker-reports.ts";
export type * from "./broker-settlement.ts";
export type { ClientOptions, Given, ReadOptions } from "./client/call.ts";
export { RequestRefused, ServerUnreachable } from "./client/refusals.ts";
export type * from "./earn.ts";
export type * from "./exchange-admin.ts";
export type * from "./fapi.ts";
export type * from "./market-risk.ts";
export type * from "./operations.ts";
export type * from "./personas.ts";
export type * from "./points.ts";
export type * from "./points-rules.ts";
export type * from "./prices.ts";
export type * from "./referral.ts";
export type * from "./shapes.ts";
export type * from "./streams.ts";

/**
 * The typed client of every area, shared by the web app and the tests. Methods reject with `RequestRefused` if the
 * server refuses, with `ServerUnreachable` if there is no response from the server, and with the signal's reason if
 * they are aborted.
 */
export function createClient(options: ClientOptions) {
  const areas = createAreas(createCall(options));
  return {
    ...areas,
    account: { ...areas.account, ...events(areas.account) },
    orders: { ...areas.orders, ...batches(areas.orders) },
    bonusAdmin: { ...areas.bonusAdmin, ...grants(areas.bonusAdmin) },
    operations: { ...areas.operations, ...readiness(areas.operations) },
  };
}

export type Client = ReturnType<typeof createClient>;
