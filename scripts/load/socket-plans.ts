import type { SocketPlan } from "./socket-protocol.ts";

/** Below the server's limit per IP. */
const SOCKETS_PER_ADDRESS = 200;
const USER_SOCKETS = 100;
/** One of this many sockets does not read. */
const SLOW_EVERY = 500;
const MIN_SLOW = 2;

/** IPs of a benchmark network (RFC 2544), as a proxy in front of the server would send them. */
const addressOf = (number: number): string => {
  const place = Math.floor(number / SOCKETS_PER_ADDRESS);
  return `198.18.${place >> 8}.${place & 255}`;
};

/** The streams of a market's followers, for ten sockets in turn. */
function marketPath(number: number, symbols: readonly string[]): Pick<SocketPlan, "path" | "kind"> {
  const symbol = symbols[Math.floor(number / 10) % symbols.length]!;
  switch (number % 10) {
    case 0:
    case 1:
    case 2:
      return { kind: "market", path: `/ws/${symbol}@bookTicker` };
    case 3:
    case 4:
      return { kind: "market", path: `/ws/${symbol}@aggTrade` };
    case 5:
    case 6:
      return { kind: "depth", path: `/ws/${symbol}@depth@100ms` };
    case 7:
      return { kind: "market", path: `/ws/${symbol}@markPrice@1s` };
    case 8:
      return { kind: "market", path: `/ws/${symbol}@kline_1m` };
    default: {
      const streams = symbols.flatMap((each) => [`${each}@aggTrade`, `${each}@markPrice@1s`]);
      return { kind: "market", path: `/stream?streams=${streams.join("/")}` };
    }
  }
}

/** All streams, so that much accumulates for a socket that does not read. */
function slowPath(symbols: readonly string[]): string {
  const names = ["bookTicker", "aggTrade", "trade", "depth@100ms", "depth@250ms", "depth@500ms"];
  const partial = [5, 10, 20].flatMap((levels) =>
    ["100ms", "250ms", "500ms"].map((period) => `depth${levels}@${period}`),
  );
  const streams = symbols.flatMap((symbol) => [...names, ...partial].map((name) => `${symbol}@${name}`));
  return `/stream?streams=${streams.join("/")}`;
}

/** `count` sockets: some are user streams, some do not read, the others follow market streams. */
export function planSockets(count: number, symbols: readonly string[], listenKeys: readonly string[]): SocketPlan[] {
  const slow = Math.min(count, Math.max(MIN_SLOW, Math.floor(count / SLOW_EVERY)));
  const users = Math.min(USER_SOCKETS, Math.floor((count - slow) / 2));
  return Array.from({ length: count }, (_, number): SocketPlan => {
    const forwardedFor = addressOf(number);
    if (number < slow) return { kind: "slow", path: slowPath(symbols), forwardedFor };
    if (number < slow + users) {
      return { kind: "user", path: `/ws/${listenKeys[number % listenKeys.length]!}`, forwardedFor };
    }
    return { ...marketPath(number, symbols), forwardedFor };
  });
}
