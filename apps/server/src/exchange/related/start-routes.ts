import { MarginPair, RelatedExchangeInfo, ServerTime, SystemStatus } from "@bourse/api";
import { Type } from "typebox";
import type { Clock } from "../../kernel/clock.ts";
import type { App } from "../../kernel/http/app.ts";
import { anyone } from "../fapi/access.ts";
import { type FapiDeps, publicRoute } from "../fapi/context.ts";
import { rateLimitsOf } from "../fapi/market-routes.ts";

export interface StartRoutesOptions {
  readonly clock: Clock;
  readonly settings: FapiDeps["settings"];
}

/** The interfaces of spot and of coin-margined futures, which have no markets here. */
const EMPTY_INTERFACES = [
  { base: "/api/v3", what: "spot" },
  { base: "/dapi/v1", what: "coin-margined futures" },
];

/** Calls that clients make on interfaces beside /fapi before they trade. */
export function registerStartRoutes(app: App, options: StartRoutesOptions): void {
  for (const { base, what } of EMPTY_INTERFACES) registerEmptyInterface(app, options, base, what);

  app.get(
    "/sapi/v1/system/status",
    publicRoute({ access: anyone(1), client: "related.systemStatus", summary: "Whether it runs", reply: SystemStatus }),
    () => ({ status: 0 as const, msg: "normal" as const }),
  );

  for (const pairs of ["allPairs", "isolated/allPairs"]) {
    app.get(
      `/sapi/v1/margin/${pairs}`,
      publicRoute({
        access: anyone(1),
        summary: "Pairs that can be traded with borrowed money: none",
        reply: Type.Array(MarginPair),
      }),
      () => [],
    );
  }
}

function registerEmptyInterface(app: App, options: StartRoutesOptions, base: string, what: string): void {
  const { clock } = options;
  app.get(
    `${base}/ping`,
    publicRoute({ access: anyone(1), summary: `Test connectivity (${what})`, reply: Type.Object({}) }),
    () => ({}),
  );
  app.get(
    `${base}/time`,
    publicRoute({ access: anyone(1), summary: `Server time (${what})`, reply: ServerTime }),
    () => ({ serverTime: clock.now() }),
  );
  app.get(
    `${base}/exchangeInfo`,
    publicRoute({ access: anyone(1), summary: `Markets of ${what}: none`, reply: RelatedExchangeInfo }),
    () => ({
      timezone: "UTC" as const,
      serverTime: clock.now(),
      rateLimits: [rateLimitsOf(options).weight],
      exchangeFilters: [],
      symbols: [],
    }),
  );
}
