import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import { fapiRefusal } from "./error-replies.ts";
import type { Budget, Limits } from "./limits.ts";

type Done = (error?: Error) => void;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** SEC-10 on every request: bans, the weight of /fapi, the requests of the JSON areas. */
export function createRateHooks(limits: Limits, metrics: Metrics) {
  const { bans } = limits;

  function banned(address: string, remaining_ms: number): Error {
    metrics.refusals.inc({ reason: "banned" });
    const until = new Date(Date.now() + remaining_ms).toISOString();
    return fapiRefusal("BANNED", {
      msg: `Way too many requests; ${address} is banned until ${until}.`,
      retryAfter_s: seconds(remaining_ms),
    });
  }

  function overWeight(address: string, { windowLeft_ms }: Budget): Error {
    if (bans.noteRefusal(address, windowLeft_ms)) return banned(address, bans.remaining_ms(address));
    metrics.refusals.inc({ reason: "weight" });
    return fapiRefusal("TOO_MANY_REQUESTS", { retryAfter_s: seconds(windowLeft_ms) });
  }

  function overRequests({ windowLeft_ms }: Budget, reason: string): Error {
    metrics.refusals.inc({ reason });
    return new ApiError(429, "RATE_LIMITED", "too many requests; slow down", { retryAfter_s: seconds(windowLeft_ms) });
  }

  function takeWeight(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { address } = request;
    const banned_ms = bans.remaining_ms(address);
    if (banned_ms > 0) {
      done(banned(address, banned_ms));
      return;
    }
    const judge = (budget: Budget) => {
      reply.header("x-mbx-used-weight-1m", budget.used);
      done(budget.isWithin ? undefined : overWeight(address, budget));
    };
    limits.weight.takeThen(address, request.access?.weight ?? 1, judge, done);
  }

  return {
    /** Counts the request against its address. */
    beforeRoute(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      if (request.area === "fapi") takeWeight(request, reply, done);
      else if (request.area !== "json") done();
      else {
        const judge = (budget: Budget) => done(budget.isWithin ? undefined : overRequests(budget, "address"));
        limits.jsonByAddress.takeThen(request.address, 1, judge, done);
      }
    },

    /** Counts the request against its wallet, once it is known. */
    async afterBearer({ area, principal }: FastifyRequest): Promise<void> {
      if (area !== "json" || principal?.kind !== "wallet") return;
      const budget = await limits.jsonByWallet.take(principal.address, 1);
      if (!budget.isWithin) throw overRequests(budget, "wallet");
    },
  };
}
