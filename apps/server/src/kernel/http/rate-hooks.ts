import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { fapiRefusal } from "./error-replies.ts";
import type { Budget, Limits } from "./limits.ts";

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function tooManyRequests(budget: Budget): ApiError {
  return new ApiError(429, "RATE_LIMITED", "too many requests; slow down", {
    retryAfter_s: seconds(budget.windowLeft_ms),
  });
}

/** SEC-10 on every request: bans, the weight of /fapi, the requests of the JSON areas. */
export function createRateHooks(limits: Limits, metrics: Metrics) {
  const { bans } = limits;

  function refuseBanned(address: string, remaining_ms: number): never {
    metrics.refusals.inc({ reason: "banned" });
    const until = new Date(Date.now() + remaining_ms).toISOString();
    throw fapiRefusal("BANNED", {
      msg: `Way too many requests; ${address} is banned until ${until}.`,
      retryAfter_s: seconds(remaining_ms),
    });
  }

  async function takeWeight(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { address } = request;
    const banned_ms = bans.remaining_ms(address);
    if (banned_ms > 0) refuseBanned(address, banned_ms);
    const budget = await limits.weight.take(address, request.routeOptions.config.access?.weight ?? 1);
    reply.header("x-mbx-used-weight-1m", budget.used);
    if (budget.isWithin) return;
    if (bans.noteRefusal(address, budget.windowLeft_ms)) refuseBanned(address, bans.remaining_ms(address));
    metrics.refusals.inc({ reason: "weight" });
    throw fapiRefusal("TOO_MANY_REQUESTS", { retryAfter_s: seconds(budget.windowLeft_ms) });
  }

  return {
    async beforeRoute(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (request.area === "fapi") return takeWeight(request, reply);
      if (request.area !== "json") return;
      const budget = await limits.jsonByAddress.take(request.address, 1);
      if (budget.isWithin) return;
      metrics.refusals.inc({ reason: "json" });
      throw tooManyRequests(budget);
    },

    async afterBearer(request: FastifyRequest): Promise<void> {
      if (request.area !== "json" || request.principal?.kind !== "wallet") return;
      const budget = await limits.jsonByWallet.take(request.principal.address, 1);
      if (budget.isWithin) return;
      metrics.refusals.inc({ reason: "wallet" });
      throw tooManyRequests(budget);
    },
  };
}
