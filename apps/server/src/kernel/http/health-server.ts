import type { Settings } from "../../settings/settings.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { registerHealthRoutes } from "../operations-routes.ts";
import type { Random } from "../random.ts";
import type { Check } from "../readiness.ts";
import type { Access } from "./access.ts";
import type { App } from "./app.ts";
import { createLimits } from "./limits.ts";
import { createHttpServer } from "./server.ts";

export interface HealthServerOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly checks: readonly Check[];
}

const OPEN: Access = { area: "open", allow: "anyone" };
const POLICY = { "GET /healthz": OPEN, "GET /readyz": OPEN, "GET /metrics": OPEN, "OPTIONS *": OPEN };

/** For a process that answers nobody but those who look after it. */
export function createHealthServer({ settings, log, metrics, random, checks }: HealthServerOptions): App {
  const refuse = () => Promise.reject(new Error("nothing here is signed in to"));
  const app = createHttpServer({
    settings,
    random,
    log,
    metrics,
    limits: createLimits(settings),
    policy: POLICY,
    authenticator: {
      isSigned: () => false,
      bearer: refuse,
      signed: () => {
        throw new Error("nothing here is signed");
      },
    },
  });
  registerHealthRoutes(app, { checks, metrics });
  return app;
}
