import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, FapiError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";
import type { Access } from "./access.ts";
import { fapiRefusal } from "./error-replies.ts";
import type { CountedReply, IncomingCall } from "./fapi-call.ts";
import type { Budget, Limits } from "./limits.ts";
import { FapiParameters } from "./parameters.ts";

type Done = (error?: Error) => void;

const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
const weightOf = ({ access }: IncomingCall) => access?.weight ?? 1;

/** False for parameters that cannot be parsed; they are refused later. */
function mayUseReserve({ reserve }: Access, rawQuery: string, rawBody: string): boolean {
  if (typeof reserve !== "function") return reserve === "all";
  try {
    return reserve(new FapiParameters(rawQuery, rawBody));
  } catch (error) {
    if (error instanceof FapiError) return false;
    throw error;
  }
}

export interface RateHooksOptions {
  readonly limits: Limits;
  readonly metrics: Metrics;
  /** WIRE-1: whether the key belongs to the platform's own bots, whose weight is counted separately and has no limit. */
  readonly hasRaisedLimits?: ((apiKey: string) => boolean) | undefined;
}

/** SEC-10 on every request: bans, the weight of /fapi, the requests of the JSON areas. */
export function createRateHooks({ limits, metrics, hasRaisedLimits = () => false }: RateHooksOptions) {
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

  function weigh(request: IncomingCall, reply: CountedReply, key: string, judge: (budget: Budget) => void, fail: Done) {
    const note = (budget: Budget) => {
      reply.header("x-mbx-used-weight-1m", budget.used);
      judge(budget);
    };
    limits.weight.takeThen(key, weightOf(request), note, fail);
  }

  /** Counts a call of /fapi for its IP, and refuses it if that is banned or beyond its budget. */
  function takeWeight(request: IncomingCall, reply: CountedReply, done: Done): void {
    const { address } = request;
    const apiKey = request.headers["x-mbx-apikey"];
    if (typeof apiKey === "string" && hasRaisedLimits(apiKey)) {
      const judge = (budget: Budget) => {
        request.weighed = { key: apiKey, budget: { ...budget, isWithin: true } };
        done();
      };
      weigh(request, reply, apiKey, judge, done);
      return;
    }
    const banned_ms = bans.remaining_ms(address);
    if (banned_ms > 0) {
      refuseBanned(address, banned_ms, reply, done);
      return;
    }
    const judge = (budget: Budget) => {
      request.weighed = { key: address, budget };
      // Requests that may use the reserve are judged when their parameters are known.
      done(budget.isWithin || request.access?.reserve !== undefined ? undefined : overWeight(address, budget));
    };
    weigh(request, reply, address, judge, done);
  }

  function refuseBanned(address: string, banned_ms: number, reply: CountedReply, done: Done): void {
    const refuse = ({ used }: Budget) => {
      reply.header("x-mbx-used-weight-1m", used);
      done(banned(address, banned_ms));
    };
    limits.weight.peek(address).then(refuse, done);
  }

  return {
    takeWeight,

    /** Counts the request for its IP. */
    beforeRoute(request: FastifyRequest, reply: FastifyReply, done: Done): void {
      if (request.area === "fapi") takeWeight(request, reply, done);
      else if (request.area !== "json") done();
      else {
        const judge = (budget: Budget) => done(budget.isWithin ? undefined : overRequests(budget, "address"));
        limits.jsonByAddress.takeThen(request.address, 1, judge, done);
      }
    },

    /** Whether the request is beyond its weight and has not been judged for it yet. */
    isOverWeight: ({ weighed }: IncomingCall): boolean => weighed !== undefined && !weighed.budget.isWithin,

    /** Judges a request beyond its weight when its parameters are known. Throws if it is refused. */
    async judgeOverWeight(request: IncomingCall, rawQuery: string, rawBody: string): Promise<void> {
      const { access, weighed, address } = request;
      if (weighed === undefined) return;
      if (access === undefined || !mayUseReserve(access, rawQuery, rawBody)) throw overWeight(address, weighed.budget);
      const budget = await limits.weight.takeReserve(weighed.key, weightOf(request), weighed.budget);
      request.weighed = { key: weighed.key, budget };
      if (!budget.isWithin) throw overWeight(address, budget);
    },

    /** Counts the request for its wallet, when that is known. */
    async afterBearer({ area, principal }: FastifyRequest): Promise<void> {
      if (area !== "json" || principal?.kind !== "wallet") return;
      const budget = await limits.jsonByWallet.take(principal.address, 1);
      if (!budget.isWithin) throw overRequests(budget, "wallet");
    },
  };
}

export type RateHooks = ReturnType<typeof createRateHooks>;
