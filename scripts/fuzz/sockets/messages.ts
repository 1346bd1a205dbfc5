import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import { badText, badValue } from "../http/bad-values.ts";
import { jsonText } from "../http/json-text.ts";

/** Valid keys and tokens that a client can have. */
export interface Secrets {
  readonly listenKey: string;
  readonly token: string;
}

const STREAMS = [
  ...["btcusdt@trade", "btcusdt@aggTrade", "btcusdt@depth", "btcusdt@depth@100ms", "btcusdt@depth5@250ms"],
  ...["ethusdt@kline_1m", "btcusdt@bookTicker", "!ticker@arr", "!miniTicker@arr", "!markPrice@arr@1s", "!bookTicker"],
  ...["btcusdt_perpetual@continuousKline_1m", "!contractInfo", "!assetIndex@arr", "btcusdt@rpiDepth@500ms"],
  ...["btcusdt@markPrice", "btcusdt@forceOrder", "!forceOrder@arr", "ethusdt@ticker", "ethusdt@miniTicker"],
];
const CHANNELS = [
  ...["orderbook", "trades", "ticker", "markprice", "kline"],
  ...["balances", "orders", "positions", "vip_tier", "bonus"],
];

type Message = Record<string, unknown>;

/** A valid message of every kind of both protocols. */
const KINDS: Readonly<Record<string, (prng: Prng, secrets: Secrets) => Message>> = {
  SUBSCRIBE: (prng) => ({
    method: "SUBSCRIBE",
    params: [prng.pick(STREAMS), prng.pick(STREAMS)],
    id: prng.below(1_000),
  }),
  UNSUBSCRIBE: (prng) => ({ method: "UNSUBSCRIBE", params: [prng.pick(STREAMS)], id: `id-${prng.below(100)}` }),
  LIST_SUBSCRIPTIONS: (prng) => ({ method: "LIST_SUBSCRIPTIONS", id: prng.below(1_000) }),
  SET_PROPERTY: (prng) => ({ method: "SET_PROPERTY", params: ["combined", true], id: prng.below(1_000) }),
  "SUBSCRIBE listenKey": (_prng, { listenKey }) => ({ method: "SUBSCRIBE", params: [listenKey], id: 1 }),
  "auth by listenKey": (_prng, { listenKey }) => ({ type: "auth", listenKey }),
  "auth by token": (_prng, { token }) => ({ type: "auth", token }),
  subscribe: (prng) => ({
    type: "subscribe",
    channel: prng.pick(CHANNELS),
    symbol: prng.pick(["BTCUSDT", "ethusdt"]),
    ...(prng.isIn(30) ? { interval: "1m" } : {}),
  }),
  unsubscribe: (prng) => ({ type: "unsubscribe", channel: prng.pick(CHANNELS), symbol: "BTCUSDT" }),
  ping: () => ({ type: "ping" }),
};

export const MESSAGE_KINDS = Object.keys(KINDS);

/** Many names, some of them valid. */
function manyNames(prng: Prng): string[] {
  const count = prng.pick([10, 60, 100]);
  return Array.from({ length: count }, (_, at) => (prng.isIn(50) ? prng.pick(STREAMS) : `x${at}@trade`));
}

function spoiltMembers(message: Message, prng: Prng): Message {
  const names = [...Object.keys(message), "id", "type", "method", "extra", "__proto__"];
  const copy: Message = { ...message };
  for (let times = prng.between(1, 2); times > 0; times -= 1) {
    const name = prng.pick(names);
    if (prng.isIn(15)) delete copy[name];
    else if (name === "params" && prng.isIn(50))
      copy[name] = prng.isIn(30) ? manyNames(prng) : [badValue(prng, "btcusdt@trade")];
    else
      Object.defineProperty(copy, name, {
        value: badValue(prng, copy[name]),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return copy;
}

const MAX_CHARACTERS = 1_300;
const DEEP = 600;

function spoiltText(text: string, prng: Prng): string {
  return prng.pick([
    () => text.slice(0, prng.below(text.length)),
    () => `${text}${prng.pick(["}", "x", "{}", "\u0000"])}`,
    () => prng.pick(["", " ", "null", "[]", "1", '"x"', "true", "{", "ping", "\u0000", "[[[", '{"a"}']),
    () => `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`,
    () => `${'{"a":'.repeat(DEEP / 4)}1${"}".repeat(DEEP / 4)}`,
    () => `[${text},${text}]`,
    () => badText(prng).slice(0, MAX_CHARACTERS),
    () => `{"method":"SUBSCRIBE",${text.slice(1)}`,
  ])();
}

export interface SocketMessage {
  readonly kind: string;
  readonly text: string;
}

/** Small enough for the server to parse; `raw-frames.ts` sends those that are too large. */
export function makeMessage(prng: Prng, secrets: Secrets): SocketMessage {
  const [kind, make] = prng.pick(Object.entries(KINDS));
  const message = make(prng, secrets);
  const dice = prng.below(100);
  if (dice < 20) return { kind, text: jsonText(message) };
  if (dice < 40) return { kind, text: spoiltText(jsonText(message), prng) };
  const text = jsonText(spoiltMembers(message, prng));
  return { kind, text: text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text };
}
