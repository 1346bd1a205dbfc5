import { type PriceSourcesChoice, priceSources } from "../exchange/prices/sources/choice.ts";
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
import { key32, privateKey, secret } from "./secrets.ts";

/** One setting: its name in the environment, what it may hold, what holds when it is not set, and what it is for. */
export interface Definition<T> {
  readonly env: string;
  readonly kind: Kind<T>;
  readonly about: string;
  /** The value when unset; a function sees the settings read before it. */
  readonly fallback?: T | ((earlier: EarlierSettings) => T);
  /** How the documentation words the fallback. */
  readonly fallbackShown?: string;
  /** Production has no fallback for it: unset is an error there. */
  readonly requiredInProduction?: boolean;
  /** Never printed. Development makes a random one per data folder and keeps it there. */
  readonly isSecret?: boolean;
  /** Gateways do without it, and should: what they do not have cannot be taken from them. */
  readonly isNotForGateways?: boolean;
  /** May be absent: the value is then undefined. */
  readonly isOptional?: boolean;
  /** The part of the product that will act on it; until that part is there the value is only checked. */
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
    about: "Production demands real secrets and an external chain, and has no development endpoints.",
  }),
  host: define({
    env: "HOST",
    kind: text,
    fallback: "127.0.0.1",
    about: "Address to listen on. Development refuses any but a loopback address unless DEV_EXPOSED is true.",
  }),
  port: define({ env: "PORT", kind: integer(1, 65535), fallback: 8080, about: "Port of HTTP, WebSocket and web app." }),
  devExposed: define({
    env: "DEV_EXPOSED",
    kind: flag,
    fallback: false,
    about: "Lets a development server listen on other than loopback addresses and answer to any Host header.",
  }),
  publicUrl: define({
    env: "PUBLIC_URL",
    kind: origin,
    fallback: ({ host, port }: EarlierSettings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    fallbackShown: "http://HOST:PORT",
    about: "The origin users see. Sign-in messages must name its host as domain and itself as URI.",
  }),
  dataDir: define({
    env: "DATA_DIR",
    kind: text,
    fallback: "./data",
    about: "Everything the embedded parts keep lives in this folder.",
  }),
  demo: define({
    env: "DEMO",
    kind: flag,
    fallback: ({ environment }: EarlierSettings) => environment === "development",
    fallbackShown: "true in development",
    about: "Demo data and demo bots. Contracts, markets and configuration are there all the same without it.",
  }),
  demoHistoryDays: define({
    env: "DEMO_HISTORY_DAYS",
    kind: integer(0, 60),
    fallback: 40,
    about: "How many days of trading, rebates and payouts the demo begins with; made at the first start, 0 for none.",
  }),
  databaseUrl: optional({
    env: "DATABASE_URL",
    kind: url("postgres", "postgresql"),
    isSecret: false,
    about: "A PostgreSQL server to use instead of the embedded database.",
  }),
  role: define({
    env: "ROLE",
    kind: oneOf("all", "gateway", "engine", "worker"),
    fallback: "all" as const,
    about:
      "What this process does: everything; answer clients (any number); put commands in order (one leads, others stand by); write the database and run the jobs (likewise). All but the first need NATS_URL.",
  }),
  natsUrl: optional({
    env: "NATS_URL",
    kind: natsServers,
    about:
      "NATS servers with JetStream, with commas between them: the command log and the bus live there instead of in this process.",
  }),
  natsPrefix: define({
    env: "NATS_PREFIX",
    kind: word,
    fallback: "bourse",
    about: "What the names of streams and subjects begin with; one word for each exchange on the same servers.",
  }),
  natsReplicas: define({
    env: "NATS_REPLICAS",
    kind: integer(1, 5),
    fallback: 1,
    about: "On how many NATS servers the command log is kept: 3 survives the loss of any one.",
  }),
  natsAdoptJournal: define({
    env: "NATS_ADOPT_JOURNAL",
    kind: flag,
    fallback: false,
    about:
      "For one start of an engine whose DATA_DIR is that of an exchange that ran without NATS: the new stream begins with its journal.",
  }),
  redisUrl: optional({
    env: "REDIS_URL",
    kind: url("redis", "rediss"),
    about: "A Redis server in which gateways count orders together. Without it each allows its part (GATEWAYS).",
  }),
  gateways: define({
    env: "GATEWAYS",
    kind: integer(1, 1000),
    fallback: 1,
    about: "How many gateways there are, for limits that each of them keeps on its own.",
  }),
  internalUrl: define({
    env: "INTERNAL_URL",
    kind: origin,
    fallback: ({ host, port }: EarlierSettings) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    fallbackShown: "http://HOST:PORT",
    about: "Where gateways reach the worker. Its clients are those of the gateways: name them in its TRUST_PROXY.",
  }),
  chainRpcUrl: optional({
    env: "CHAIN_RPC_URL",
    kind: url("http", "https"),
    requiredInProduction: true,
    about: "JSON-RPC of an EVM chain to use instead of the embedded one; told to clients by /api/v1/config.",
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
    about: "The block in which the first of the contracts was deployed: events are read from there on.",
  }),
  chainReindexFrom: optional({
    env: "CHAIN_REINDEX_FROM",
    kind: integer(0, Number.MAX_SAFE_INTEGER),
    about:
      "For one start after a reorganisation that was too deep: takes back all events from this block on and reads them again.",
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
    about: "Seconds between two looks at the chain's events, told to clients by /api/v1/config.",
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
    about: "Password of the first admin; without effect once an admin exists.",
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
    about: "The operator's wallet on chain: withdrawals, payouts, product registration.",
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
    about: "Wallet that backs what bonus accounts have consumed.",
  }),
  bonusPoolCap: define({
    env: "BONUS_POOL_CAP_USDT",
    kind: usdt,
    fallback: "50000",
    about: "Upper bound of all bonus granted and not returned.",
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
    about: "Stops all withdrawals, whatever the switch in the console says.",
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
    about: "Origins whose pages may call the interface, besides PUBLIC_URL.",
  }),
  trustProxy: define({
    env: "TRUST_PROXY",
    kind: addresses,
    fallback: addressSet([]),
    fallbackShown: "none",
    about: "Proxies whose X-Forwarded-For counts as the client's address.",
  }),
  denyCidrs: define({
    env: "DENY_CIDRS",
    kind: addresses,
    fallback: addressSet([]),
    fallbackShown: "none",
    about: "Addresses that are refused with 403.",
  }),
  rateLimitWeight1m: define({
    env: "RATE_LIMIT_WEIGHT_1M",
    kind: integer(1, 1e9),
    fallback: 2400,
    about: "Request weight a minute and address on /fapi.",
  }),
  rateLimitOrders10s: define({
    env: "RATE_LIMIT_ORDERS_10S",
    kind: integer(1, 1e9),
    fallback: 300,
    about: "Orders in ten seconds and account.",
  }),
  rateLimitOrders1m: define({
    env: "RATE_LIMIT_ORDERS_1M",
    kind: integer(1, 1e9),
    fallback: 1200,
    about: "Orders a minute and account.",
  }),
  rateLimitJsonPerS: define({
    env: "RATE_LIMIT_JSON_PER_S",
    kind: integer(1, 1e9),
    fallback: 50,
    about: "Requests a second and address in the JSON areas; a wallet has two fifths of it.",
  }),
  rateLimitLogin1m: define({
    env: "RATE_LIMIT_LOGIN_1M",
    kind: integer(1, 1e9),
    fallback: 10,
    about: "Failed sign-ins a minute and address.",
  }),
  maxCommandsWaiting: define({
    env: "MAX_COMMANDS_WAITING",
    kind: integer(0, 1e6),
    fallback: 10_000,
    about:
      "Commands that may wait for the exchange; beyond it only cancels and what reduces passes, the rest gets -1008.",
  }),
  priceSources: define<PriceSourcesChoice>({
    env: "PRICE_SOURCES",
    kind: priceSources,
    fallback: { isSimulated: true, ccxt: [], isPushed: false },
    fallbackShown: "simulated",
    about:
      "What index prices are made of. ccxt asks other exchanges over the network; push waits for an operator's feeds.",
  }),
  logLevel: define({
    env: "LOG_LEVEL",
    kind: oneOf("fatal", "error", "warn", "info", "debug", "silent"),
    fallback: "info" as const,
    about: "Least severity that is logged. Logs are JSON lines on standard error.",
  }),
};

export type Settings = {
  readonly [K in keyof typeof definitions]: (typeof definitions)[K] extends Definition<infer T> ? T : never;
};
