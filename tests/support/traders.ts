import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Invariants, NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import type { Static } from "typebox";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

/** For servers on which tests trade: no market maker, a known admin, and limits that no test reaches. */
export const TRADING_ENV = {
  DEMO: "false",
  ADMIN_PASSWORD: "a password for these tests",
  RATE_LIMIT_WEIGHT_1M: "100000000",
  RATE_LIMIT_ORDERS_10S: "1000000",
  RATE_LIMIT_ORDERS_1M: "1000000",
  RATE_LIMIT_JSON_PER_S: "100000",
} as const;

const SYMBOLS = { BTCUSDT: "60000", ETHUSDT: "3000", SOLUSDT: "150", AVAXUSDT: "30" };

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

/** The body of every refusal on /fapi. */
export interface Refusal {
  readonly code: number;
  readonly msg: string;
}

export interface Order {
  readonly orderId: number;
  readonly clientOrderId: string;
  readonly status: string;
  readonly origQty: string;
  readonly executedQty: string;
}

export interface Fill {
  readonly id: number;
  readonly orderId: number;
  readonly qty: string;
  readonly price: string;
  readonly commission: string;
  readonly realizedPnl: string;
}

export type Parameters = Readonly<Record<string, string>>;

export async function postJson<Reply>(url: string, body: unknown, token?: string): Promise<Reply> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { "content-type": "application/json", ...authorization };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  assert.ok(response.ok, `POST ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Reply;
}

/** Pins every index price, so that no order is refused for its price and only the test's commands come. */
export async function pinPrices(baseUrl: string): Promise<void> {
  for (const [symbol, price] of Object.entries(SYMBOLS)) {
    await postJson(`${baseUrl}/api/v1/dev/price`, { symbol, price });
  }
}

/** By default a limit order of 0.002 BTC at 60,000. */
export const limitOrder = (parameters: Parameters): Parameters => ({
  symbol: "BTCUSDT",
  type: "LIMIT",
  timeInForce: "GTC",
  quantity: "0.002",
  price: "60000",
  ...parameters,
});

/** SEC-1: returns a wallet's access token. */
export async function signIn(baseUrl: string, wallet: PrivateKeyAccount): Promise<string> {
  const { address } = wallet;
  const { message_template: message } = await postJson<NonceReply>(`${baseUrl}/api/v1/auth/nonce`, { address });
  const signature = await wallet.signMessage({ message });
  const { access_token } = await postJson<TokenReply>(`${baseUrl}/api/v1/auth/login`, { message, signature });
  return access_token;
}

/** A trader with money and an API key, which can be used after a restart of the server. */
export class Trader {
  readonly #key: NewApiKey;
  readonly #wallet: PrivateKeyAccount;

  private constructor(key: NewApiKey, wallet: PrivateKeyAccount) {
    this.#key = key;
    this.#wallet = wallet;
  }

  get address(): string {
    return this.#wallet.address;
  }

  /** Without money if the amount is "0". */
  static async open(baseUrl: string, amount = "1000000"): Promise<Trader> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    if (amount !== "0") await postJson(`${baseUrl}/api/v1/dev/faucet`, { address: wallet.address, amount });
    return await Trader.#withKey(baseUrl, wallet);
  }

  static async #withKey(baseUrl: string, wallet: PrivateKeyAccount): Promise<Trader> {
    const access_token = await signIn(baseUrl, wallet);
    const request = { label: "tests", permissions: ["READ", "TRADE"] };
    return new Trader(await postJson<NewApiKey>(`${baseUrl}/api/v1/account/api-keys`, request, access_token), wallet);
  }

  /** The same wallet with another API key, for an exchange that has lost the first one. */
  withNewKey(baseUrl: string): Promise<Trader> {
    return Trader.#withKey(baseUrl, this.#wallet);
  }

  /** The signed parameters of a request over a socket. */
  signed(parameters: Parameters): Parameters {
    const { api_key: apiKey, api_secret } = this.#key;
    const all: Parameters = { recvWindow: "60000", ...parameters, apiKey, timestamp: String(Date.now()) };
    const text = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`)
      .join("&");
    return { ...all, signature: createHmac("sha256", api_secret).update(text).digest("hex") };
  }

  /** A signed request with any reply. */
  async request<Body>(
    baseUrl: string,
    method: string,
    path: string,
    parameters: Parameters = {},
  ): Promise<Answer<Body>> {
    // A server that is far behind its clients is slow, not wrong: the test checks the answer.
    const stamped = { recvWindow: "60000", ...parameters, timestamp: String(Date.now()) };
    const text = new URLSearchParams(stamped).toString();
    const signature = createHmac("sha256", this.#key.api_secret).update(text).digest("hex");
    const headers = { "x-mbx-apikey": this.#key.api_key };
    const response = await fetch(`${baseUrl}${path}?${text}&signature=${signature}`, { method, headers });
    return { status: response.status, body: (await response.json()) as Body, headers: response.headers };
  }

  /** Like `request`, but anything except success is an error. */
  async call<Body>(baseUrl: string, method: string, path: string, parameters: Parameters = {}): Promise<Body> {
    const { status, body } = await this.request<Body>(baseUrl, method, path, parameters);
    assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Places a limit order, which must be acknowledged. */
  place(baseUrl: string, parameters: Parameters): Promise<Order> {
    return this.call(baseUrl, "POST", "/fapi/v1/order", limitOrder(parameters));
  }

  /** All fills, oldest first; tests make fewer than fit on a page. */
  async fills(baseUrl: string): Promise<Fill[]> {
    const fills = await this.call<Fill[]>(baseUrl, "GET", "/fapi/v1/userTrades", { symbol: "BTCUSDT", limit: "1000" });
    assert.ok(fills.length < 1_000, "the page holds all fills");
    return fills;
  }

  /** All orders, oldest first; tests make fewer than fit on a page. */
  async orders(baseUrl: string): Promise<Order[]> {
    const limit = "1000";
    const orders = await this.call<Order[]>(baseUrl, "GET", "/fapi/v1/allOrders", { symbol: "BTCUSDT", limit });
    assert.ok(orders.length < 1_000, "the page holds all orders");
    return orders;
  }
}

type Invariant = Static<typeof Invariants>["invariants"][number];

/**
 * WIRE-10: no invariant may be broken, and those of the exchange and the further ones must have been checked. Returns
 * INV-6.
 */
export async function assertInvariants(baseUrl: string, further: readonly string[] = []): Promise<Invariant> {
  const credentials = { username: "admin", password: TRADING_ENV.ADMIN_PASSWORD };
  const { access_token } = await postJson<TokenReply>(`${baseUrl}/api/v1/broker/auth/login`, credentials);
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await fetch(`${baseUrl}/api/v1/admin/invariants`, { headers });
  const { invariants } = (await response.json()) as Static<typeof Invariants>;
  for (const { code, ok, detail } of invariants) assert.notEqual(ok, false, `${code}: ${detail}`);
  const checked = new Map(invariants.filter(({ ok }) => ok === true).map((invariant) => [invariant.code, invariant]));
  for (const code of ["INV-1", "INV-2", "INV-6", "INV-7", "INV-8", ...further]) {
    assert.ok(checked.has(code), `${code} was checked`);
  }
  return checked.get("INV-6")!;
}

interface Check {
  readonly ok: boolean;
  readonly detail: string;
}

/** RUN-7: the status of the reply and the report of each part. */
export async function readiness(baseUrl: string) {
  const response = await fetch(`${baseUrl}/readyz`);
  const { status, checks } = (await response.json()) as { status: string; checks: Readonly<Record<string, Check>> };
  const part = (name: string): Check => {
    const check = checks[name];
    assert.ok(check !== undefined, `/readyz says nothing of ${name}`);
    return check;
  };
  return { status: response.status, word: status, part };
}

export async function healthStatus(baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/healthz`);
  await response.arrayBuffer();
  return response.status;
}
