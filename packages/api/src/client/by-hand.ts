import type { AccountEventsQuery } from "../account-queries.ts";
import type { GrantBatchReply, GrantBatchRequest, GrantForecast } from "../bonus-grants.ts";
import type { FapiNewOrder, FapiOrderChange } from "../fapi-orders.ts";
import type { Readiness } from "../operations.ts";
import type { AccountEventPage } from "../streams.ts";
import type { Given, ReadOptions } from "./call.ts";
import type { createAreas } from "./generated.ts";
import { RequestRefused } from "./refusals.ts";

/** Methods that wrap generated ones, where callers need other arguments or another reply than the route has. */
type Areas = ReturnType<typeof createAreas>;

export const events = (account: Areas["account"]) => ({
  /** Resumes private channels without a gap: see `AccountEvent` of the streams. */
  events: (query: Given<AccountEventsQuery> = {}, options?: ReadOptions) =>
    account.events(query, options) as Promise<AccountEventPage>,
});

/** The reply of a batch has one item per order, at the same index: the order, or `{code, msg}` of its refusal. */
export const batches = (orders: Areas["orders"]) => ({
  /** At most five. */
  placeBatch: (batch: readonly Given<FapiNewOrder>[]) => orders.placeBatch(JSON.stringify(batch)),
  /** At most five. */
  modifyBatch: (batch: readonly Given<FapiOrderChange>[]) => orders.modifyBatch(JSON.stringify(batch)),
  /** At most ten. */
  cancelBatch: (symbol: string, ids: readonly number[]) =>
    orders.cancelBatch({ symbol, orderIdList: JSON.stringify(ids) }),
});

export const grants = (bonusAdmin: Areas["bonusAdmin"]) => ({
  /** Needs a `request_id`. */
  grant: (request: Given<GrantBatchRequest>) => bonusAdmin.grant(request) as Promise<GrantBatchReply>,
  /** Returns what `grant` would do. Nothing changes, and no `request_id` is needed. */
  forecastGrant: (request: Given<GrantBatchRequest>, options?: ReadOptions) =>
    bonusAdmin.grant(request, { dry_run: true }, options) as Promise<GrantForecast>,
});

const isReadiness = (body: unknown): body is Readiness =>
  typeof body === "object" && body !== null && "checks" in body && "status" in body;

export const readiness = (operations: Areas["operations"]) => ({
  /** Also resolves if the platform is `unavailable`, which the server answers with 503. */
  readiness: async (options?: ReadOptions): Promise<Readiness> => {
    try {
      return await operations.readiness(options);
    } catch (error) {
      if (error instanceof RequestRefused && isReadiness(error.body)) return error.body;
      throw error;
    }
  },
});
