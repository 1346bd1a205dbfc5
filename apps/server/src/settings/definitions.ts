import {
  addresses,
  addressSet,
  evmAddress,
  flag,
  integer,
  type Kind,
  mondayUtc,
  natsServers,
  oneOf,
  origin,
  origins,
  text,
  url,
  usdt,
  word,
} from "./kinds.ts";
import { type PriceSourcesChoice, priceSources } from "./price-sources.ts";
import { key32, privateKey, secret } from "./secrets.ts";

/** One setting: its name in the environment, its kind, its default and its purpose. */
export interface Definition<T> {
  readonly env: string;
  readonly kind: Kind<T>;
  readonly about: string;
  /** The value when unset; a function gets the settings read before it. */
  readonly fallback?: T | ((earlier: EarlierSettings) => T);
  /** The default as the documentation shows it. */
  readonly fallbackShown?: string;
  /** Production has no default for it: unset is an error there. */
  readonly requiredInProduction?: boolean;
  /** Never printed. Development makes a random one per data folder and stores it there. */
  readonly isSecret?: boolean;
  /** Gateways run without it, so that a compromised gateway does not reveal it. */
  readonly isNotForGateways?: boolean;
  /** May be absent: the value is then undefined. */
  readonly isOptional?: boolean;
  /** The part of the product that will use it; until then the value is only checked. */
  readonly awaits?: string;
}

export interface EarlierSettings {
  readonly environment: "development" | "production";
  readonly host: string;
  readonly port: number;
}

const define = <T>(definition: Definition<T>) => definition;
const optional = <T>(definition: Definition<T>): Definition<T | undefined> => ({ ...definition, isOptional: true });

/** Every setting, in the order of the documentation. */
export const definitions = {
  environment: define({
    env: "BOURSE_ENV",
    kind: oneOf("development", "production"),
    fallback: "development" as const,
    about: "Production requires real secrets and an external chain, and has no development endpoints.",
  }),
  host: define({
    env: "HOST",
    kind: text,
    fallback: "127.0.0.1",
    about: "IP or host to listen on. Development refuses anything but loopback unless DEV_EXPOSED is true.",
  }),
  port: define({ env: "PORT", kind: integer(1, 65535), fallback: 8080, about: "Port of HTTP, WebSocket and web app." }),
  devExposed: define({
    env: "DEV_EXPOSED",
    kind: flag,
    fallback: false,
    about: "Allows a development server to listen on other than loopback addresses and to answer any Host header.",
  }),
  publicUrl: define({
    env: "PUBLIC_URL",
    kind: origin,
    fallback: ({ host, port }: EarlierSettings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    fallbackShown: "http://HOST:PORT",
    about: "The origin that users see. Sign-in messages must name its host as domain and the origin as URI.",
  }),
  dataDir: define({
    env: "DATA_DIR",
    kind: text,
    fallback: "./data",
    about: "The folder of the journal, snapshots, embedded database and embedded chain.",
  }),
  backupDir: optional({
    env: "BACKUP_DIR",
    kind: text,
    about:
      "A folder, on another disk, that gets every closed segment of the journal and every snapshot as it is closed.",
  }),
  historyDays: define({
    env: "HISTORY_DAYS",
    kind: integer(0, 36_500),
    fallback: 0,
    about:
      "Days for which traders can read their orders, fills and income; older rows are archived in BACKUP_DIR, if it is set, and removed. At least 7, or 0, which keeps them for ever.",
  }),
  logDays: define({
    env: "LOG_DAYS",
    kind: integer(0, 36_500),
    fallback: 0,
    about:
      "Days for which closed segments of the journal stay in DATA_DIR after a snapshot has made them unnecessary for a start. They are removed only when BACKUP_DIR has them. 0 keeps them for ever.",
  }),
  privateEventHours: define({
    env: "PRIVATE_EVENT_HOURS",
    kind: integer(24, 8_760),
    fallback: 24,
    about: "Hours for which private events can be read again by a client that was disconnected.",
  }),
  demo: define({
    env: "DEMO",
    kind: flag,
    fallback: ({ environment }: EarlierSettings) => environment === "development",
    fallbackShown: "true in development",
    about: "Demo data and demo bots. Contracts, markets and configuration exist without it too.",
  }),
  demoHistoryDays: define({
    env: "DEMO_HISTORY_DAYS",
    kind: integer(0, 60),
    fallback: 40,
    about: "Days of trading, rebates and payouts that the demo starts with, made at the first start; 0 for none.",
  }),
  databaseUrl: optional({
    env: "DATABASE_URL",
    kind: url("postgres", "postgresql"),
    isSecret: false,
    about: "A PostgreSQL server that replaces the embedded database.",
  }),
  role: define({
    env: "ROLE",
    kind: oneOf("all", "gateway", "engine", "worker"),
    fallback: "all" as const,
    about:
      "What this process does: everything; answer clients (gateway, any number); order commands (engine, one leads, others follow); write the database and run the jobs (worker, one is active, others stand by). All but the first need NATS_URL.",
  }),
  natsUrl: optional({
    env: "NATS_URL",
    kind: natsServers,
    about:
      "NATS servers with JetStream, separated by commas. The command log and the bus are there instead of in this process.",
  }),
  natsPrefix: define({
    env: "NATS_PREFIX",
    kind: word,
    fallback: "bourse",
    about: "Prefix of the names of streams and subjects; each exchange on the same servers needs its own.",
  }),
  natsReplicas: define({
    env: "NATS_REPLICAS",
    kind: integer(1, 5),
    fallback: 1,
    about: "Number of NATS servers that keep the command log; 3 survive the loss of any one.",
  }),
  natsAdoptJournal: define({
    env: "NATS_ADOPT_JOURNAL",
    kind: flag,
    fallback: false,
    about:
      "For one start of an engine with the DATA_DIR of an exchange that ran without NATS: the new stream begins with that journal.",
  }),
  redisUrl: optional({
    env: "REDIS_URL",
    kind: url("redis", "rediss"),
    about:
      "A Redis server in which gateways count orders together. Without it each gateway allows its share (GATEWAYS).",
  }),
  gateways: define({
    env: "GATEWAYS",
    kind: integer(1, 1000),
    fallback: 1,
    about: "Number of gateways, for limits that each gateway counts alone.",
  }),
  internalUrl: define({
    env: "INTERNAL_URL",
    kind: origin,
    fallback: ({ host, port }: EarlierSettings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    fallbackShown: "http://HOST:PORT",
    about: "The origin at which gateways reach the worker. List the gateways in the worker's TRUST_PROXY.",
  }),
  chainRpcUrl: optional({
    env: "CHAIN_RPC_URL",
    kind: url("http", "https"),
    requiredInProduction: true,
    about: "JSON-RPC of an EVM chain that replaces the embedded one; shown to clients by /api/v1/config.",
  }),
  chainId: define({
    env: "CHAIN_ID",
    kind: integer(1, Number.MAX_SAFE_INTEGER),
    fallback: ({ environment }: EarlierSettings) => (environment === "production" ? 43114 : 43113),
    fallbackShown: "43113, in production 43114",
    about: "The chain's id; sign-in messages must name it.",
  }),
  chainConfirmations: define({
    env: "CHAIN_CONFIRMATIONS",
    kind: integer(0, 1000),
    fallback: ({ environment }: EarlierSettings) => (environment === "production" ? 1 : 0),
    fallbackShown: "0, in production 1",
    about: "Blocks that must pass before a deposit, a receipt or a withdrawal counts.",
  }),
  chainStartBlock: define({
    env: "CHAIN_START_BLOCK",
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    fallback: 0,
    about: "The block in which the first contract was deployed; events are read from there.",
  }),
  chainReindexFrom: optional({
    env: "CHAIN_REINDEX_FROM",
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    about:
      "For one start after a reorganisation that was too deep: undoes all events from this block on and reads them again.",
  }),
  usdtAddress: optional({
    env: "USDT_ADDRESS",
    kind: evmAddress,
    requiredInProduction: true,
    about: "The stable token on an external chain.",
  }),
  earnAddress: optional({
    env: "EARN_ADDRESS",
    kind: evmAddress,
    requiredInProduction: true,
    about: "The earn contract on an external chain.",
  }),
  referralAddress: optional({
    env: "REFERRAL_ADDRESS",
    kind: evmAddress,
    requiredInProduction: true,
    about: "The referral-rebate contract on an external chain.",
  }),
  vaultAddress: optional({
    env: "VAULT_ADDRESS",
    kind: evmAddress,
    requiredInProduction: true,
    about: "The vault contract on an external chain.",
  }),
  earnPoll_s: define({
    env: "EARN_POLL_SECONDS",
    kind: integer(1, 600),
    fallback: 12,
    about: "Seconds between two reads of the chain's events, shown to clients by /api/v1/config.",
  }),
  adminUsername: define({
    env: "ADMIN_USERNAME",
    kind: text,
    fallback: "admin",
    about: "Name of the first admin, created when there is none.",
  }),
  adminPassword: define({
    env: "ADMIN_PASSWORD",
    kind: secret(12),
    isSecret: true,
    isNotForGateways: true,
    requiredInProduction: true,
    about: "Password of the first admin; no effect once an admin exists.",
  }),
  jwtSecret: define({
    env: "JWT_SECRET",
    kind: secret(32),
    isSecret: true,
    requiredInProduction: true,
    about: "Signs access tokens and cursors.",
  }),
  secretsKey: define({
    env: "SECRETS_KEY",
    kind: key32,
    isSecret: true,
    requiredInProduction: true,
    about: "Encrypts API secrets at rest. Losing it makes every API key unusable.",
  }),
  earnSignerKey: define({
    env: "EARN_SIGNER_KEY",
    kind: privateKey,
    isSecret: true,
    isNotForGateways: true,
    requiredInProduction: true,
    about: "Signs earn subscription vouchers.",
  }),
  operatorKey: define({
    env: "OPERATOR_KEY",
    kind: privateKey,
    isSecret: true,
    isNotForGateways: true,
    requiredInProduction: true,
    about: "Key of the operator's wallet on chain: withdrawals, payouts, product registration.",
  }),
  bonusAdminApiKey: define({
    env: "BONUS_ADMIN_API_KEY",
    kind: secret(32),
    isSecret: true,
    isNotForGateways: true,
    requiredInProduction: true,
    about: "Key of the bonus administration, sent as X-Bonus-Admin-Key.",
  }),
  bonusPoolAddress: optional({
    env: "BONUS_POOL_ADDRESS",
    kind: evmAddress,
    about: "Wallet that pays for the bonus that accounts have consumed.",
  }),
  bonusPoolCap: define({
    env: "BONUS_POOL_CAP_USDT",
    kind: usdt,
    fallback: "50000",
    about: "Upper bound of all bonus that is granted and not returned.",
  }),
  pointsGenesis_ms: define({
    env: "POINTS_GENESIS",
    kind: mondayUtc,
    fallback: Date.UTC(2026, 0, 5),
    fallbackShown: "2026-01-05",
    about: "The day on which the first epoch of points begins, a Monday. Never change it once points were scored.",
  }),
  withdrawalsPaused: define({
    env: "WITHDRAWALS_PAUSED",
    kind: flag,
    fallback: false,
    about: "Stops all withdrawals, regardless of the switch in the console.",
  }),
  earnPreparePaused: define({
    env: "EARN_PREPARE_PAUSED",
    kind: flag,
    fallback: false,
    about: "Stops new earn subscriptions.",
  }),
  corsOrigins: define({
    env: "CORS_ORIGINS",
    kind: origins,
    fallback: [] as readonly string[],
    fallbackShown: "none",
    about: "Origins, besides PUBLIC_URL, whose pages may call the interface.",
  }),
  trustProxy: define({
    env: "TRUST_PROXY",
    kind: addresses,
    fallback: addressSet([]),
    fallbackShown: "none",
    about: "Proxies whose X-Forwarded-For counts as the client's IP.",
  }),
  denyCidrs: define({
    env: "DENY_CIDRS",
    kind: addresses,
    fallback: addressSet([]),
    fallbackShown: "none",
    about: "IPs that are refused with 403.",
  }),
  rateLimitWeight1m: define({
    env: "RATE_LIMIT_WEIGHT_1M",
    kind: integer(1, 1e9),
    fallback: 2400,
    about: "Request weight per minute and IP on /fapi.",
  }),
  rateLimitOrders10s: define({
    env: "RATE_LIMIT_ORDERS_10S",
    kind: integer(1, 1e9),
    fallback: 300,
    about: "Orders per ten seconds and account.",
  }),
  rateLimitOrders1m: define({
    env: "RATE_LIMIT_ORDERS_1M",
    kind: integer(1, 1e9),
    fallback: 1200,
    about: "Orders per minute and account.",
  }),
  rateLimitJsonPerS: define({
    env: "RATE_LIMIT_JSON_PER_S",
    kind: integer(1, 1e9),
    fallback: 50,
    about: "Requests per second and IP in the JSON areas; a wallet has two fifths of it.",
  }),
  rateLimitLogin1m: define({
    env: "RATE_LIMIT_LOGIN_1M",
    kind: integer(1, 1e9),
    fallback: 10,
    about: "Failed sign-ins per minute and IP.",
  }),
  maxCommandsWaiting: define({
    env: "MAX_COMMANDS_WAITING",
    kind: integer(0, 1e6),
    fallback: 10_000,
    about:
      "Commands that may wait for the exchange; above it only cancels and reducing orders pass, the rest get -1008.",
  }),
  priceSources: define<PriceSourcesChoice>({
    env: "PRICE_SOURCES",
    kind: priceSources,
    fallback: { isSimulated: true, ccxt: [], isPushed: false, feeds: [] },
    fallbackShown: "simulated",
    about:
      "Sources of index prices, three at least in production. ccxt asks other exchanges over the network; push waits for an operator's feeds.",
  }),
  logLevel: define({
    env: "LOG_LEVEL",
    kind: oneOf("fatal", "error", "warn", "info", "debug", "silent"),
    fallback: "info" as const,
    about: "Lowest severity that is logged. Logs are JSON lines on standard error.",
  }),
};

export type Settings = {
  readonly [K in keyof typeof definitions]: (typeof definitions)[K] extends Definition<infer T> ? T : never;
};
