import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { fapiRefusal } from "./error-replies.ts";
import type { Budget, Limits } from "./limits.ts";

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

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

  function judgeWeight(address: string, budget: Budget, reply: FastifyReply): void {
    reply.header("x-mbx-used-weight-1m", budget.used);
    if (budget.isWithin) return;
    if (bans.noteRefusal(address, budget.windowLeft_ms)) refuseBanned(address, bans.remaining_ms(address));
    metrics.refusals.inc({ reason: "weight" });
    throw fapiRefusal("TOO_MANY_REQUESTS", { retryAfter_s: seconds(budget.windowLeft_ms) });
  }

  function judgeRequests(budget: Budget, reason: string): void {
    if (budget.isWithin) return;
    metrics.refusals.inc({ reason });
    throw new ApiError(429, "RATE_LIMITED", "too many requests; slow down", {
      retryAfter_s: seconds(budget.windowLeft_ms),
    });
  }

  return {
    /** Counts the request against its address. Undefined where nothing is counted. */
    beforeRoute(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
      const { address, area } = request;
      if (area === "fapi") {
        const banned_ms = bans.remaining_ms(address);
        if (banned_ms > 0) refuseBanned(address, banned_ms);
        const taken = limits.weight.take(address, request.access?.weight ?? 1);
        return taken.then((budget) => judgeWeight(address, budget, reply));
      }
      if (area !== "json") return undefined;
      return limits.jsonByAddress.take(address, 1).then((budget) => judgeRequests(budget, "address"));
    },

    /** Counts the request against its wallet, once it is known. */
    async afterBearer({ area, principal }: FastifyRequest): Promise<void> {
      if (area !== "json" || principal?.kind !== "wallet") return;
      judgeRequests(await limits.jsonByWallet.take(principal.address, 1), "wallet");
    },
  };
}
