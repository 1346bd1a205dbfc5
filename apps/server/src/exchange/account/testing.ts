/** The account area, the wallet routes and the admin routes on their own exchange, for tests. */
import { definitionOf, Engine, FIRST_MARKETS, NEWEST_RULES, State } from "@bourse/engine";
import { pino } from "pino";
import { createAuthenticator } from "../../identity/authenticator.ts";
import { BonusKey } from "../../identity/bonus-key.ts";
import { AccessTokens } from "../../identity/tokens.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { registerOpenApi } from "../../kernel/http/docs.ts";
import { createLimits } from "../../kernel/http/limits.ts";
import { createHttpServer } from "../../kernel/http/server.ts";
import { MemoryLog } from "../../kernel/journal/command-log.ts";
import { createMetrics } from "../../kernel/metrics.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { randomUuid, seededRandom } from "../../kernel/random.ts";
import { developmentSecretsFrom } from "../../settings/development-secrets.ts";
import { readSettings } from "../../settings/settings.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { Deposits } from "../../wallet/deposits.ts";
import { heldMoneyOf } from "../../wallet/held-money.ts";
import { WithdrawalHolds } from "../../wallet/holds.ts";
import { walletMigrations } from "../../wallet/migrations.ts";
import { projectWallet } from "../../wallet/projection.ts";
import { registerReviewRoutes } from "../../wallet/review-routes.ts";
import { WithdrawalReviews } from "../../wallet/reviews.ts";
import { registerWalletRoutes } from "../../wallet/routes.ts";
import { registerSwitchRoutes } from "../../wallet/switch-routes.ts";
import { Switches } from "../../wallet/switches.ts";
import { directDeposits } from "../../wallet/testing.ts";
import { WithdrawAddresses } from "../../wallet/withdraw-addresses.ts";
import { Withdrawals } from "../../wallet/withdrawals.ts";
import { AccountSettings } from "../accounts/account-settings.ts";
import { KeptSettings } from "../accounts/kept-settings.ts";
import { exchangeAccountMigrations } from "../accounts/migrations.ts";
import { InvariantChecks } from "../admin/invariants.ts";
import { MarketAdmin } from "../admin/market-admin.ts";
import { RiskWatch } from "../admin/risk-watch.ts";
import { registerExchangeAdminRoutes } from "../admin/routes.ts";
import { RulesAdmin } from "../admin/rules-admin.ts";
import { History } from "../history/history.ts";
import type { Unstamped } from "../host/exchange.ts";
import { MarketData } from "../market-data/market-data.ts";
import { registerPriceAdminRoutes } from "../prices/admin-routes.ts";
import { registerDevPriceRoute } from "../prices/dev-routes.ts";
import { Prices } from "../prices/prices.ts";
import { MemoryPriceStore } from "../prices/store.ts";
import { systemTimers } from "../prices/timers.ts";
import { projectorMigrations } from "../projector/migrations.ts";
import { connectTables, createMemoryExchange, rethrow } from "../testing/memory-exchange.ts";
import { type AccountPrivateEvents, cursorKey } from "./ports.ts";
import { registerAccountRoutes } from "./routes.ts";

export const START_MS = Date.UTC(2026, 5, 1, 12, 30);
const HOST = "127.0.0.1:8080";

const GENEROUS_LIMITS = {
  RATE_LIMIT_JSON_PER_S: "1000000",
  RATE_LIMIT_ORDERS_10S: "1000000",
  RATE_LIMIT_ORDERS_1M: "1000000",
  LOG_LEVEL: "silent",
};

/** The same address in every run. */
export const testAddress = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;

/** VLT-5: in place of the platform's contracts and wallets. */
export const OWN_ADDRESS = `0x${"ee".repeat(20)}`;
const ownAddresses = new Set([OWN_ADDRESS]);

export interface BenchOptions {
  readonly rulesVersion?: number;
  readonly isPausedBySetting?: boolean;
  /** WIRE-11: 0 refuses every command that is not exempt. */
  readonly maxCommandsWaiting?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The server with these routes, the exchange with its first markets, and a BTCUSDT price of 60,000. */
export async function createBench(options: BenchOptions = {}) {
  const clock = new ManualClock(START_MS);
  const random = seededRandom("account");
  const folder = makeTestFolder();
  const settings = readSettings(
    { DATA_DIR: folder.path, ...GENEROUS_LIMITS, ...options.environment },
    developmentSecretsFrom(random),
  );
  const migrations = { ...exchangeAccountMigrations, ...projectorMigrations, ...walletMigrations };
  const database = await openTestDatabase(migrations);
  const log = new MemoryLog();
  const { maxCommandsWaiting = 1_000 } = options;
  const engine = new Engine(new State(options.rulesVersion));
  const exchange = createMemoryExchange({ engine, log, clock, maxCommandsWaiting });
  const connected = await connectTables({ database, clock, exchange }, [projectWallet]);
  const { projector, outbox, dispatcher, engineRequests, directory } = connected;
  const marketData = new MarketData({ exchange, clock });
  const audit = createAuditLog({ clock });
  const switches = new Switches({ database, clock, audit, pausedBySetting: options.isPausedBySetting ?? false });
  const walletOptions = { database, clock, engineRequests, directory };
  const deposits = directDeposits(walletOptions);
  const moneyOf = (account: number) => heldMoneyOf(exchange.engine, account);
  const holds = new WithdrawalHolds({ database, clock, moneyOf });
  const onHeld = () => undefined;
  const withdrawals = new Withdrawals({ ...walletOptions, random, switches, moneyOf, holds, onHeld });
  const reviews = new WithdrawalReviews({ ...walletOptions, audit, onHeld });
  const tokens = new AccessTokens({ jwtSecret: settings.jwtSecret, clock, random, isRevoked: () => false });
  const cursors = new PageCursors(cursorKey(settings.jwtSecret));
  const history = new History({ database, projector, clock, cursorKey: cursorKey(settings.jwtSecret) });
  const startPrices = new Map<string, number>();
  const markets = new MarketAdmin({
    database,
    audit,
    exchange,
    engineRequests,
    random,
    prices: {
      setStartPrice: async (symbol, price_e8) => void startPrices.set(symbol, price_e8),
      tick: () => Promise.resolve(),
    },
  });
  const limits = createLimits(settings);
  const app = createHttpServer({
    settings,
    random,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    limits,
    authenticator: createAuthenticator({
      identity: { tokens, bonusKey: new BonusKey(settings.bonusAdminApiKey), verifySignedRequest: rethrow },
      clock,
    }),
  });
  await registerOpenApi(app, settings.publicUrl);
  /** Answers one event after the requested number and says that one more exists. */
  const privateEvents: AccountPrivateEvents = {
    after: async (account, seq, limit) => ({
      events: [{ seq: seq + 1, channel: "orders", time_ms: START_MS, data: { account, limit } }],
      last_seq: seq + 2,
      isComplete: true,
      hasMore: true,
    }),
  };
  const accountSettings = new AccountSettings({
    exchange,
    directory,
    kept: new KeptSettings({ database, clock }),
  });
  registerAccountRoutes(app, {
    exchange,
    directory,
    accountSettings,
    clock,
    history,
    cursors,
    marketData,
    prices: { estimate_e8: () => 1_250 },
    privateEvents,
    orderLimits: limits,
    tokens,
  });
  const addresses = new WithdrawAddresses({ database, clock });
  registerWalletRoutes(app, { deposits: new Deposits(walletOptions), withdrawals, addresses, cursors, ownAddresses });
  registerReviewRoutes(app, { reviews, cursors });
  registerSwitchRoutes(app, switches);
  const durableNumber = () => log.records.length;
  const invariants = new InvariantChecks({ exchange, clock, durableNumber, freshFor_ms: 0 });
  const rules = new RulesAdmin({
    ...{ database, clock, audit, exchange, engineRequests, directory },
    folder: "",
    rehearse: () => Promise.reject(new Error("this exchange has no log on disk")),
    knownRules: async () => NEWEST_RULES,
    takeUpSettings: async () => undefined,
  });
  const risk = new RiskWatch({
    ...{ database, clock, engine: exchange.engine, log: pino({ level: "silent" }) },
    history: history.risk,
    addressOf: (account) => directory.addressOf(account),
  });
  registerExchangeAdminRoutes(app, { markets, invariants, rules, risk });
  const sourceOptions = { sources: [], isPushed: true, onAlarm: () => undefined, onError: rethrow };
  const prices = new Prices({ exchange, clock, timers: systemTimers, store: new MemoryPriceStore(), ...sourceOptions });
  registerPriceAdminRoutes(app, { prices, exchange });
  registerDevPriceRoute(app, { prices, exchange });
  await app.ready();

  const submit = (command: Unstamped) => exchange.submit(command, true);
  for (const market of FIRST_MARKETS) await submit({ kind: "add_market", definition: definitionOf(market) });
  await submit({ kind: "set_price", market: 0, indexTicks: 600_000, markTicks: 600_000 });

  const call = async (method: "GET" | "POST" | "PUT" | "DELETE", url: string, token?: string, payload?: object) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const body = payload === undefined ? {} : { payload };
    const reply = await app.inject({ method, url, headers: { host: HOST, ...authorization }, ...body });
    return { status: reply.statusCode, body: reply.json() };
  };

  return {
    app,
    clock,
    database,
    exchange,
    directory,
    projector,
    dispatcher,
    outbox,
    engineRequests,
    deposits,
    switches,
    holds,
    moneyOf,
    startPrices,
    history,
    risk,
    submit,
    call,
    async tokenOf(subject: string, role: "wallet" | "admin" = "wallet") {
      const { access_token } = await tokens.issue({ subject, role, sessionId: randomUuid(random) });
      return access_token;
    },
    adminToken() {
      return this.tokenOf(randomUuid(random), "admin");
    },
    async close() {
      await app.close();
      await dispatcher.stop();
      await exchange.close();
      await projector.stop();
      await database.close();
      folder.remove();
    },
  };
}

export type Bench = Awaited<ReturnType<typeof createBench>>;
