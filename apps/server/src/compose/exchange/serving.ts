import {
  type AccountDirectory,
  AccountSettings,
  createFapi,
  createTokenAccess,
  type Downloads,
  type Exchange,
  type Fapi,
  type History,
  KeptSettings,
  type ListenKeys,
  type MarketData,
  type Prices,
  RequestDoor,
  StreamServer,
  Streams,
  type StreamsOptions,
  watchStreams,
} from "../../exchange/index.ts";
import type { Identity } from "../../identity/index.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import { createGuard } from "../../kernel/http/guards.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import { createRateHooks } from "../../kernel/http/rate-hooks.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Settings } from "../../settings/settings.ts";
import { reporter } from "./options.ts";

export interface ServingOptions extends Pick<StreamsOptions, "eventStore" | "rebuildEvents"> {
  readonly settings: Settings;
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly identity: Identity;
  readonly limits: Limits;
  readonly exchange: Exchange;
  readonly directory: AccountDirectory;
  readonly history: History;
  readonly marketData: MarketData;
  readonly listenKeys: ListenKeys;
  /** Of the platform; gateways leave requests for them to it. */
  readonly prices?: Prices;
  readonly downloads?: Downloads;
  /** Selects wallets without order limits. */
  readonly isUnlimited?: (address: string) => boolean;
  /** See `HttpServerOptions`. */
  readonly beforeHandling?: (() => Promise<void> | undefined) | undefined;
}

/** The interfaces of traders' clients, in the platform and in every gateway. */
export interface Serving {
  readonly accountSettings: AccountSettings;
  readonly fapi: Fapi;
  readonly streams: Streams;
  readonly streamServer: StreamServer;
}

/** Opens the /fapi interface and the streams. */
export function openServing(options: ServingOptions): Serving {
  const { settings, clock, log, metrics, identity, limits, listenKeys } = options;
  const { tokens, sessions } = identity;
  const report = reporter(log);
  const accountSettings = new AccountSettings({ ...options, kept: new KeptSettings(options) });
  const fapi = createFapi({
    ...options,
    accountSettings,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    onError: report("a countdown could not cancel"),
  });
  const streams = new Streams({
    ...options,
    eventsKept_ms: settings.privateEventHours * HOUR_ms,
    verifyToken: createTokenAccess({ tokens, isRevoked: (sessionId) => sessions.isRevoked(sessionId), clock }),
    onError: report("a stream failed"),
  });
  const isUnlimitedKey = (apiKey: string) => {
    const wallet = identity.apiKeys.find(apiKey)?.wallet;
    return wallet !== undefined && (options.isUnlimited?.(wallet) ?? false);
  };
  const door = new RequestDoor({
    operations: fapi.sockets,
    keys: { ...identity, find: (apiKey) => identity.apiKeys.find(apiKey) },
    rate: createRateHooks({ limits, metrics, hasRaisedLimits: isUnlimitedKey }),
    clock,
    metrics,
    beforeHandling: options.beforeHandling,
    onError: report("a request over a socket failed"),
  });
  const streamServer = new StreamServer(streams, {
    guard: createGuard(settings),
    isBanned: (address) => limits.bans.remaining_ms(address) > 0,
    origins: [settings.publicUrl, ...settings.corsOrigins],
    trustProxy: settings.trustProxy,
    door,
  });
  watchStreams(metrics, { server: streamServer, hub: streams.hub, listenKeys });
  return { accountSettings, fapi, streams, streamServer };
}
