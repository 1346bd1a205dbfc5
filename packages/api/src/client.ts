import { accountClient } from "./client/account.ts";
import { authClient } from "./client/auth.ts";
import { bdClient } from "./client/bd.ts";
import { bonusAdminClient, bonusClient } from "./client/bonus.ts";
import { brokerClient } from "./client/broker.ts";
import { brokerAdminClient } from "./client/broker-admin.ts";
import { type ClientOptions, createCall } from "./client/call.ts";
import { devClient } from "./client/dev.ts";
import { earnAdminClient, earnClient } from "./client/earn.ts";
import { exchangeAdminClient } from "./client/exchange-admin.ts";
import { marketClient } from "./client/market.ts";
import { operationsClient } from "./client/operations.ts";
import { ordersClient } from "./client/orders.ts";
import { pointsAdminClient, pointsClient } from "./client/points.ts";
import { referralAdminClient, referralClient } from "./client/referral.ts";

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
export type * from "./operations.ts";
export type * from "./personas.ts";
export type * from "./points.ts";
export type * from "./points-rules.ts";
export type * from "./prices.ts";
export type * from "./referral.ts";
export type * from "./shapes.ts";
export type * from "./streams.ts";

/**
 * The typed client of every area, shared by the web app and the tests. Methods reject with `RequestRefused` where the
 * server says no, with `ServerUnreachable` where it says nothing, and with the signal's reason where they were aborted.
 */
export function createClient(options: ClientOptions) {
  const call = createCall(options);
  return {
    auth: authClient(call),
    market: marketClient(call),
    account: accountClient(call),
    orders: ordersClient(call),
    earn: earnClient(call),
    earnAdmin: earnAdminClient(call),
    referral: referralClient(call),
    referralAdmin: referralAdminClient(call),
    points: pointsClient(call),
    pointsAdmin: pointsAdminClient(call),
    broker: brokerClient(call),
    bd: bdClient(call),
    brokerAdmin: brokerAdminClient(call),
    bonus: bonusClient(call),
    bonusAdmin: bonusAdminClient(call),
    exchangeAdmin: exchangeAdminClient(call),
    operations: operationsClient(call),
    dev: devClient(call),
  };
}

export type Client = ReturnType<typeof createClient>;
