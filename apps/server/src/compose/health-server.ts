import type { App } from "../kernel/http/app.ts";
import { createLimits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Random } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { registerHealthRoutes } from "./operations-routes.ts";

export interface HealthServerOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly random: Random;
  readonly checks: readonly Check[];
}

/** For a process that answers only health checks and metrics. */
export function createHealthServer({ settings, log, metrics, random, checks }: HealthServerOptions): App {
  const refuse = () => Promise.reject(new Error("nothing here is signed in to"));
  const app = createHttpServer({
    settings,
    random,
    log,
    metrics,
    limits: createLimits(settings),
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
