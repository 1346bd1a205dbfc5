import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { after, mock } from "node:test";
import type { NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Owner } from "../support/cleanup.ts";
import { startCluster } from "../support/cluster.ts";
import { quickDatabase } from "../support/databases.ts";
import { startServer } from "../support/server.ts";

export interface Trader {
  readonly address: string;
  readonly apiKey: string;
  /** Of an Ed25519 key: the private key in PEM, which clients take in the secret's place. */
  readonly apiSecret: string;
}

export interface ConformanceExchange {
  readonly baseUrl: string;
  readonly maker: Trader;
  readonly taker: Trader;
  /** Opens another trader with an API key and a balance in USDT. */
  openTrader(balance?: number): Promise<Trader>;
  /** The same with an Ed25519 key. */
  openEd25519Trader(): Promise<Trader>;
  pinPrice(symbol: string, price: string): Promise<void>;
  /** Moves the exchange's clock, and the one that clients in this process read, by the same amount. */
  advanceClock(advance_ms: number): Promise<void>;
}

export interface ExchangeOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** Servers stop at the end of the file that started them: every file has its own process. */
const ends: (() => Promise<void>)[] = [];
const file: Owner = { after: (fn) => ends.push(fn) };
after(async () => {
  for (const end of ends) await end();
});

/** The starting balance of each trader, in USDT. */
export const STARTING_BALANCE = 10_000;
/** The mark price of BTCUSDT in every file, in USDT. */
export const BTC_PRICE = 60_000;
/** The fee rates of the lowest tier (FUT-15). */
export const MAKER_RATE = 0.0002;
export const TAKER_RATE = 0.0005;

async function post<T>(url: string, body: unknown, accessToken?: string): Promise<T> {
  const authorization = accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` };
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

interface Ed25519Pair {
  readonly publicKey: string;
  readonly privateKey: string;
}

const newEd25519Pair = (): Ed25519Pair =>
  generateKeyPairSync("ed25519", {
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });

/** With a key pair the API key is made for its public key. */
async function openTrader(baseUrl: string, balance: number, ed25519?: Ed25519Pair): Promise<Trader> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { message_template: message } = await post<NonceReply>(`${baseUrl}/api/v1/auth/nonce`, {
    address: wallet.address,
  });
  const signature = await wallet.signMessage({ message });
  const tokens = await post<TokenReply>(`${baseUrl}/api/v1/auth/login`, { message, signature });
  await post(`${baseUrl}/api/v1/dev/faucet`, { address: wallet.address, amount: String(balance) });
  const key = await post<NewApiKey>(
    `${baseUrl}/api/v1/account/api-keys`,
    {
      label: "conformance",
      permissions: ["READ", "TRADE"],
      ...(ed25519 === undefined ? {} : { public_key: ed25519.publicKey }),
    },
    tokens.access_token,
  );
  return { address: wallet.address, apiKey: key.api_key, apiSecret: ed25519?.privateKey ?? key.api_secret };
}

/**
 * With CONFORMANCE_ON=cluster the clients use a distributed exchange, through a front that distributes their
 * connections.
 */
async function startSomewhere(env: Readonly<Record<string, string>>): Promise<string> {
  if (process.env["CONFORMANCE_ON"] === "cluster") {
    return (await startCluster({ owner: file, env, hasOneNats: true, engines: 1 })).baseUrl;
  }
  const settings = { DEMO: "false", ...(await quickDatabase(file)), ...env };
  return (await startServer({ owner: file, env: settings })).baseUrl;
}

/** A new server without simulated markets, two funded traders with API keys, and a constant mark price. */
export async function startExchange({ env }: ExchangeOptions = {}): Promise<ConformanceExchange> {
  const baseUrl = await startSomewhere({ ...env });
  const pinPrice = async (symbol: string, price: string) => {
    await post(`${baseUrl}/api/v1/dev/price`, { symbol, price });
  };
  await pinPrice("BTCUSDT", String(BTC_PRICE));
  const open = (balance = STARTING_BALANCE) => openTrader(baseUrl, balance);
  const realNow = Date.now.bind(Date);
  let ahead_ms = 0;
  const advanceClock = async (advance_ms: number) => {
    const { now_ms } = await post<{ now_ms: number }>(`${baseUrl}/api/v1/dev/clock`, { advance_ms });
    ahead_ms = now_ms - realNow();
    mock.method(Date, "now", () => realNow() + ahead_ms);
  };
  const [maker, taker] = await Promise.all([open(), open()]);
  const openEd25519Trader = () => openTrader(baseUrl, STARTING_BALANCE, newEd25519Pair());
  return { baseUrl, maker, taker, openTrader: open, openEd25519Trader, pinPrice, advanceClock };
}

let shared: Promise<ConformanceExchange> | undefined;

/** The server of a file whose cases run with each client. */
export function sharedExchange(options?: ExchangeOptions): Promise<ConformanceExchange> {
  shared ??= startExchange(options);
  return shared;
}

/** Narrows an optional value of a client's types; a missing value fails the case. */
export function present<T>(value: T | undefined): T {
  assert.notEqual(value, undefined);
  return value as T;
}

/** A sum of amounts that came as numbers, without binary rounding errors. */
export const sum = (amounts: readonly number[]): number =>
  Number(amounts.reduce((total, amount) => total + amount, 0).toFixed(6));
