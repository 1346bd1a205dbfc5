import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { type MakeCounter, UNBOUNDED } from "../http/limits.ts";

export interface RedisCounters {
  readonly makeCounter: MakeCounter;
  close(): void;
}

const CONNECT_TIMEOUT_ms = 2_000;

/**
 * Counters that several processes share. Redis is not authoritative: while it does not answer, each process counts for itself, and
 * no order waits for it.
 */
export function openRedisCounters(url: string, prefix: string, onError: (error: unknown) => void): RedisCounters {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_ms,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    lazyConnect: false,
  });
  redis.on("error", onError);
  return {
    makeCounter: (window_s, what) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `${prefix}:orders:${what}:${window_s}`,
        points: UNBOUNDED,
        duration: window_s,
        insuranceLimiter: new RateLimiterMemory({ points: UNBOUNDED, duration: window_s }),
      }),
    close: () => redis.disconnect(),
  };
}
