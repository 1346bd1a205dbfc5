import type { SocketPlan } from "./socket-protocol.ts";

/** Below what the server allows an address. */
const SOCKETS_PER_ADDRESS = 200;
const USER_SOCKETS = 100;
/** Of so many sockets one does not read. */
const SLOW_EVERY = 500;
const MIN_SLOW = 2;

/** Addresses of a network that is nobody's (RFC 2544), as a proxy in front would tell them. */
const addressOf = (number: number): string => {
  const place = Math.floor(number / SOCKETS_PER_ADDRESS);
  return `198.18.${place >> 8}.${place & 255}`;
};

/** What a market's followers ask for, of ten sockets in turn. */
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

/** Everything at once, so that much piles up for somebody who does not read. */
function slowPath(symbols: readonly string[]): string {
  const names = ["bookTicker", "aggTrade", "trade", "depth@100ms", "depth@250ms", "depth@500ms"];
  const partial = [5, 10, 20].flatMap((levels) =>
    ["100ms", "250ms", "500ms"].map((period) => `depth${levels}@${period}`),
  );
  const streams = symbols.flatMap((symbol) => [...names, ...partial].map((name) => `${symbol}@${name}`));
  return `/stream?streams=${streams.join("/")}`;
}

/** As many sockets as asked for: some of them user streams, some that do not read, the others on the market's streams. */
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
