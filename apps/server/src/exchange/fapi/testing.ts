import assert from "node:assert/strict";
import { afterEach, beforeEach } from "node:test";
import { definitionOf, Engine, FIRST_MARKETS, State, stateHash } from "@bourse/engine";
import type { RouteOptions } from "fastify";
import { pino } from "pino";
import { ManualClock } from "../../kernel/clock.ts";
import type { AccountSetting } from "../../kernel/engine-requests/engine-requests.ts";
import { unauthorized } from "../../kernel/errors.ts";
import { createLimits } from "../../kernel/http/limits.ts";
import { createHttpServer } from "../../kernel/http/server.ts";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { createMetrics } from "../../kernel/metrics.ts";
import { seededRandom } from "../../kernel/random.ts";
import { developmentSecretsFrom } from "../../settings/development-secrets.ts";
import { readSettings } from "../../settings/settings.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { AccountSettings } from "../accounts/account-settings.ts";
import type { KeptSettings, SettingChange } from "../accounts/kept-settings.ts";
import type { Downloads } from "../downloads/downloads.ts";
import type { Exchange, Unstamped } from "../host/exchange.ts";
import { MarketData } from "../market-data/market-data.ts";
import { createMemoryExchange } from "../testing/memory-exchange.ts";
import { createFapi } from "./fapi.ts";
import type { FapiHistory, FapiListenKeys, FapiPrices } from "./ports.ts";

export const EPOCH_MS = Date.UTC(2026, 5, 1, 12);

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;
export type Body = Record<string, unknown>;

/** An empty history, for tests that only use the engine's memory. */
export const emptyHistory: FapiHistory = {
  orders: {
    byId: async () => undefined,
    byClientId: async () => undefined,
    list: async () => [],
    forced: async () => [],
    amendments: async () => [],
  },
  algos: { find: async () => undefined, list: async () => [] },
  trades: { list: async () => [], forced: async () => [] },
  money: { income: async () => [], marginMoves: async () => [] },
  markets: { upToDate: async () => {}, trades: async () => [], klines: async () => [], fundingRates: async () => [] },
  risk: { forcedCloses: async () => [] },
  statistics: { samples: async () => [], takerVolumes: async () => [] },
};

export class FakeListenKeys implements FapiListenKeys {
  readonly keys = new Map<string, string>();
  #last = 0;

  async issue(address: string): Promise<string> {
    const known = this.keys.get(address);
    if (known !== undefined) return known;
    this.#last += 1;
    const key = String(this.#last).padStart(64, "0");
    this.keys.set(address, key);
    return key;
  }
  async extend(address: string): Promise<string | undefined> {
    return this.keys.get(address);
  }
  async revoke(address: string): Promise<boolean> {
    return this.keys.delete(address);
  }
}

/** Settings of wallets without an account, in place of the table. */
class MemorySettings implements Pick<KeptSettings, "keep" | "of"> {
  readonly #kept = new Map<string, Map<number, AccountSetting>>();

  async keep(address: string, market: number, change: SettingChange): Promise<undefined> {
    const own = this.#kept.get(address) ?? new Map<number, AccountSetting>();
    own.set(market, { ...(own.get(market) ?? { market, leverage: null, mode: null }), ...change });
    this.#kept.set(address, own);
  }

  async of(address: string): Promise<ReadonlyMap<number, AccountSetting>> {
    return this.#kept.get(address) ?? new Map();
  }
}

export interface BenchOptions {
  readonly environment?: Record<string, string>;
  readonly log?: CommandLog;
  readonly rulesVersion?: number;
  readonly maxCommandsWaiting?: number;
  readonly hasRaisedLimits?: (apiKey: string) => boolean;
  /** Called before the first command. */
  readonly history?: (exchange: Exchange, clock: ManualClock) => FapiHistory | Promise<FapiHistory>;
  readonly downloads?: (exchange: Exchange, clock: ManualClock) => Downloads;
}

/** Three sources of the present index price. */
const sourcesOf = (engine: Engine): FapiPrices => ({
  report(symbol) {
    const { indexTicks, markTicks, definition } = engine.state.markets.find(
      (each) => each.definition.symbol === symbol,
    )!;
    const price_e8 = indexTicks * definition.tickSize_e8;
    const sources = ["one", "two", "three"].map((name) => ({ name, price_e8, age_ms: 0, use: "counted" as const }));
    return { symbol, indexTicks, markTicks, isPinned: false, guard: undefined, noIndex: undefined, sources };
  },
});

export type Bench = Awaited<ReturnType<typeof createBench>>;

/**
 * The interface on an exchange in memory. Wallets are named `0x…`. The wallet named in a call is trusted, because
 * signatures have their own tests; an API key is the name of its wallet.
 */
export async function createBench(options: BenchOptions = {}) {
  const clock = new ManualClock(EPOCH_MS);
  const engine = new Engine(new State(options.rulesVersion));
  const maxCommandsWaiting = options.maxCommandsWaiting ?? 10_000;
  const { log = new MemoryLog() } = options;
  const exchange = createMemoryExchange({ engine, clock, log, maxCommandsWaiting, onFailure: () => {} });
  const marketData = new MarketData({ exchange, clock });
  const random = seededRandom("fapi");
  const folder = makeTestFolder();
  const settings = readSettings(
    {
      DATA_DIR: folder.path,
      RATE_LIMIT_WEIGHT_1M: "1000000",
      RATE_LIMIT_ORDERS_10S: "1000000",
      RATE_LIMIT_ORDERS_1M: "1000000",
      LOG_LEVEL: "silent",
      ...options.environment,
    },
    developmentSecretsFrom(random),
  );
  const limits = createLimits(settings);
  const accounts = new Map<string, number>();
  const listenKeys = new FakeListenKeys();
  let external = 0;

  async function open(address: string): Promise<number> {
    const account = accounts.size + 1;
    accounts.set(address, account);
    await exchange.submit({ kind: "open_account", account }, true);
    return account;
  }
  const errors: unknown[] = [];
  const directory = {
    numberOf: (address: string) => accounts.get(address),
    reached: async (account: number) => account,
  };
  const history = (await options.history?.(exchange, clock)) ?? emptyHistory;
  const fapi = createFapi({
    clock,
    exchange,
    directory,
    accountSettings: new AccountSettings({ exchange, directory, kept: new MemorySettings() }),
    history,
    marketData,
    listenKeys,
    prices: sourcesOf(engine),
    downloads: options.downloads?.(exchange, clock),
    limits,
    settings,
    maxCommandsWaiting,
    onError: (error) => errors.push(error),
  });
  const app = createHttpServer({
    settings,
    random,
    limits,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    authenticator: {
      isSigned: ({ headers }) => headers["x-mbx-apikey"] !== undefined,
      async bearer({ headers }) {
        const address = headers["x-wallet"];
        if (typeof address !== "string") throw unauthorized();
        return { kind: "wallet", address, sessionId: "test" };
      },
      signed: ({ headers }) => {
        const apiKey = String(headers["x-mbx-apikey"]);
        return { kind: "wallet", address: apiKey, apiKey };
      },
    },
    ...(options.hasRaisedLimits === undefined ? {} : { hasRaisedLimits: options.hasRaisedLimits }),
  });
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  fapi.register(app);
  await app.ready();

  async function submit(command: Unstamped) {
    const applied = await exchange.submit(command, true);
    const refused = applied.events.find((event) => event.kind === "refused");
    assert.equal(refused, undefined, JSON.stringify(refused));
    return applied;
  }
  for (const market of FIRST_MARKETS) await submit({ kind: "add_market", definition: definitionOf(market) });

  const marketOf = (symbol: string) => engine.state.markets.find(({ definition }) => definition.symbol === symbol)!;

  return {
    app,
    routes,
    clock,
    engine,
    exchange,
    fapi,
    limits,
    listenKeys,
    errors,
    accounts,
    submit,
    hash: () => stateHash(engine.state),

    /** Opens an account for a wallet and deposits money. */
    async trader(name: string, money = 0): Promise<string> {
      const address = `0x${name}`;
      const account = await open(address);
      external += 1;
      if (money > 0) await submit({ kind: "deposit", number: external, account, amount_micros: money * 1e6 });
      return address;
    },

    /** FUT-10: open interest is limited by what the fund is worth. */
    async seedFund(usdt = 100_000): Promise<void> {
      external += 1;
      await submit({ kind: "seed_fund", number: external, amount_micros: usdt * 1e6 });
    },

    /** Sets index and mark. */
    async price(symbol: string, price: number): Promise<void> {
      const { number, definition } = marketOf(symbol);
      const ticks = Math.round((price * 1e8) / definition.tickSize_e8);
      await submit({ kind: "set_price", market: number, indexTicks: ticks, markTicks: ticks });
    },

    /** Sends all parameters in the query. */
    async call(method: "GET" | "POST" | "PUT" | "DELETE", path: string, parameters: Parameters = {}, who?: string) {
      const query = Object.entries(parameters)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
        .join("&");
      const url = query === "" ? path : `${path}?${query}`;
      const headers = { host: "127.0.0.1:8080", ...(who === undefined ? {} : { "x-wallet": who }) };
      return app.inject({ method, url, headers });
    },

    /** Sends an unchanged form body. */
    async callForm(method: "POST" | "PUT" | "DELETE", path: string, form: string, who: string) {
      const headers = {
        host: "127.0.0.1:8080",
        "x-wallet": who,
        "content-type": "application/x-www-form-urlencoded",
      };
      return app.inject({ method, url: path, headers, payload: form });
    },

    async close() {
      fapi.countdowns.stop();
      await app.close();
      await exchange.close();
      folder.remove();
    },
  };
}

/** A valid LIMIT order with changes. */
export const limitOrder = (changes: Parameters = {}): Parameters => ({
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.1",
  price: "60000",
  ...changes,
});

export const marketOrder = (changes: Parameters = {}): Parameters => ({
  symbol: "BTCUSDT",
  side: "BUY",
  type: "MARKET",
  quantity: "0.1",
  ...changes,
});

/** A bench with a price of 60,000 and two traders with 100,000 each, created for every test of the calling group. */
export function useDesk() {
  let current: Bench | undefined;
  const bench = () => {
    assert.ok(current !== undefined, "only while a test runs");
    return current;
  };
  beforeEach(async () => {
    current = await createBench();
    await current.price("BTCUSDT", 60_000);
    await current.trader("a11ce", 100_000);
    await current.trader("b0b", 100_000);
  });
  afterEach(() => bench().close());
  return {
    alice: "0xa11ce",
    bob: "0xb0b",
    get bench() {
      return bench();
    },
    place: (who: string, parameters: Parameters) => bench().call("POST", "/fapi/v1/order", parameters, who),
    openOrders: async (who: string) => ok<Body[]>(await bench().call("GET", "/fapi/v1/openOrders", {}, who)),
  };
}

export interface Reply {
  readonly statusCode: number;
  json(): unknown;
}

/** The body of a reply that must be successful. */
export function ok<T = Body>(reply: Reply): T {
  assert.equal(reply.statusCode, 200, JSON.stringify(reply.json()));
  return reply.json() as T;
}

/** Asserts that a reply is this refusal and has only code, text and details. */
export function refused(reply: Reply, code: number, msg?: string | RegExp, status = 400): Body {
  const body = reply.json() as Body;
  assert.equal(body["code"], code, JSON.stringify(body));
  assert.equal(reply.statusCode, status, JSON.stringify(body));
  if (typeof msg === "string") assert.equal(body["msg"], msg);
  else if (msg !== undefined) assert.match(String(body["msg"]), msg);
  assert.ok(
    Object.keys(body).every((key) => ["code", "msg", "details"].includes(key)),
    JSON.stringify(body),
  );
  return (body["details"] ?? {}) as Body;
}
