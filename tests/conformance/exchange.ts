import assert from "node:assert/strict";
import type { NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import type { Owner } from "../support/cleanup.ts";
import { startServer } from "../support/server.ts";

export interface Trader {
  readonly address: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface ConformanceExchange {
  readonly baseUrl: string;
  readonly maker: Trader;
  readonly taker: Trader;
  pinPrice(symbol: string, price: string): Promise<void>;
}

/** What each trader starts with, in USDT. */
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

async function openTrader(baseUrl: string): Promise<Trader> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { message_template: message } = await post<NonceReply>(`${baseUrl}/api/v1/auth/nonce`, {
    address: wallet.address,
  });
  const signature = await wallet.signMessage({ message });
  const tokens = await post<TokenReply>(`${baseUrl}/api/v1/auth/login`, { message, signature });
  await post(`${baseUrl}/api/v1/dev/faucet`, { address: wallet.address, amount: String(STARTING_BALANCE) });
  const key = await post<NewApiKey>(
    `${baseUrl}/api/v1/account/api-keys`,
    { label: "conformance", permissions: ["READ", "TRADE"] },
    tokens.access_token,
  );
  return { address: wallet.address, apiKey: key.api_key, apiSecret: key.api_secret };
}

/** A fresh server without simulated markets, two funded traders with API keys, and a mark price that stands still. */
export async function startExchange(owner?: Owner): Promise<ConformanceExchange> {
  const { baseUrl } = await startServer({ ...(owner === undefined ? {} : { owner }), env: { DEMO: "false" } });
  const pinPrice = async (symbol: string, price: string) => {
    await post(`${baseUrl}/api/v1/dev/price`, { symbol, price });
  };
  await pinPrice("BTCUSDT", String(BTC_PRICE));
  const [maker, taker] = await Promise.all([openTrader(baseUrl), openTrader(baseUrl)]);
  return { baseUrl, maker, taker, pinPrice };
}

/** Narrows what a client's types call optional; a missing value fails the case. */
export function present<T>(value: T | undefined): T {
  assert.notEqual(value, undefined);
  return value as T;
}
