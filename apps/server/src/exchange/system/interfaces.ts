import { registerFaucetRoute } from "../../dev/faucet-routes.ts";
import type { App } from "../../kernel/http/app.ts";
import { createGuard } from "../../kernel/http/guards.ts";
import { computeBacking, judgeBacking } from "../../wallet/backing.ts";
import { WithdrawAddresses } from "../../wallet/withdraw-addresses.ts";
import { registerAccountRoutes } from "../account/routes.ts";
import { InvariantChecks } from "../admin/invariants.ts";
import { MarketAdmin } from "../admin/market-admin.ts";
import { registerExchangeAdminRoutes } from "../admin/routes.ts";
import { createFapi, type Fapi } from "../fapi/fapi.ts";
import { replayAgrees } from "../journal/rereading.ts";
import { watchStreams } from "../metrics/stream-metrics.ts";
import { registerPriceAdminRoutes } from "../prices/admin-routes.ts";
import { registerDevPriceRoute } from "../prices/dev-routes.ts";
import { createEventStore } from "../streams/event-store.ts";
import { rebuildFrom } from "../streams/rebuilt-events.ts";
import { StreamServer } from "../streams/stream-server.ts";
import { Streams } from "../streams/streams.ts";
import { createTokenAccess } from "../streams/token-access.ts";
import type { Host } from "./host.ts";
import type { Money } from "./money.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";
import type { Readers } from "./readers.ts";

/** What clients talk to. */
export interface Interfaces {
  readonly fapi: Fapi;
  readonly streams: Streams;
  readonly streamServer: StreamServer;
}

/** All steps so far, for those that need most of them. */
export interface Parts {
  readonly host: Host;
  readonly money: Money;
  readonly readers: Readers;
  readonly interfaces: Interfaces;
}

/** Step 4: the bots' interface and the streams. `isUnlimited` names wallets that no limit on orders holds for. */
export function openInterfaces(
  options: ExchangeSystemOptions,
  { exchange }: Host,
  { directory }: Money,
  { history, marketData, listenKeys }: Readers,
  isUnlimited: (address: string) => boolean,
): Interfaces {
  const { settings, database, clock, log, limits, metrics } = options;
  const report = reporter(log);
  const fapi = createFapi({
    clock,
    exchange,
    directory,
    history,
    marketData,
    listenKeys,
    limits,
    settings,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    isUnlimited,
    onError: report("a countdown could not cancel"),
  });
  const { tokens, sessions } = options.identity;
  const streams = new Streams({
    exchange,
    clock,
    marketData,
    listenKeys,
    directory,
    eventStore: createEventStore(database),
    rebuildEvents: rebuildFrom(settings.dataDir, (line) => log.warn(line)),
    verifyToken: createTokenAccess({ tokens, isRevoked: (sessionId) => sessions.isRevoked(sessionId), clock }),
    onError: report("a stream failed"),
  });
  const streamServer = new StreamServer(streams, {
    guard: createGuard(settings),
    isBanned: (address) => limits.bans.remaining_ms(address) > 0,
    origins: [settings.publicUrl, ...settings.corsOrigins],
    trustProxy: settings.trustProxy,
  });
  watchStreams(metrics, { server: streamServer, hub: streams.hub, listenKeys });
  return { fapi, streams, streamServer };
}

/** Step 5: puts every route of the exchange on the server. */
export function registerRoutes(app: App, options: ExchangeSystemOptions, parts: Parts): void {
  const { settings, database, clock, random, identity } = options;
  const { exchange } = parts.host;
  const { directory, deposits, withdrawals, onChain } = parts.money;
  const { prices, history, marketData } = parts.readers;
  const { fapi, streams } = parts.interfaces;
  fapi.register(app);
  registerAccountRoutes(app, {
    exchange,
    directory,
    clock,
    history,
    marketData,
    prices: { estimate_e8: (market) => prices.estimatedRate_e8(market) },
    privateEvents: streams.privateEvents,
    orderLimits: options.limits,
    tokens: identity.tokens,
    deposits,
    withdrawals,
    addresses: new WithdrawAddresses({ database, clock }),
  });
  registerAdmin(app, options, parts);
  if (settings.environment === "development") {
    registerFaucetRoute(app, { faucet: onChain.faucet, exchange, random });
    registerDevPriceRoute(app, { prices, exchange });
  }
}

function registerAdmin(app: App, options: ExchangeSystemOptions, { host, money, readers }: Parts): void {
  const { settings, database, clock, random, audit, chain, programInvariants } = options;
  const { exchange, recovered } = host;
  const { outbox, dispatcher, outcomes, switches } = money;
  const { prices } = readers;
  registerPriceAdminRoutes(app, { prices, exchange });
  registerExchangeAdminRoutes(app, {
    markets: new MarketAdmin({ database, audit, exchange, outbox, dispatcher, outcomes, random, prices }),
    invariants: new InvariantChecks({
      exchange,
      clock,
      replay: () => replayAgrees(settings.dataDir, exchange.engine),
      durableNumber: () => recovered.log.nextNumber - 1,
      programs: {
        ...programInvariants,
        "INV-8": async (engine) => judgeBacking(await computeBacking({ ...chain, database }, engine)),
      },
    }),
    switches,
  });
}
