import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { NewApiKey } from "@bourse/api";
import {
  createTestPlatform,
  hmac,
  type TestPlatform,
  testWallet,
  type Wallet,
} from "../../../apps/server/src/testing/test-platform.ts";
import type { Pools } from "./pools.ts";

export const HOST = "127.0.0.1:8080";
const BONUS_OPERATOR = "0x52908400098527886e0f7030069857d2e4169ee7";

/** Other tests cover the limits: here every request has to reach its handler. */
const NO_LIMITS = { RATE_LIMIT_ORDERS_10S: "1000000", RATE_LIMIT_ORDERS_1M: "1000000" };

const WALLETS = { trader: 1, kol: 2, customer: 3, maker: 4, redeemer: 5, passerby: 6 } as const;
type WalletName = keyof typeof WALLETS;

export const ACTORS = ["nobody", "wallet", "key", "bd", "admin", "bonus"] as const;
export type Actor = (typeof ACTORS)[number];

class Refused extends Error {
  readonly status: number;

  constructor(status: number, what: string) {
    super(`${status} for ${what}`);
    this.status = status;
  }
}

const PRODUCT = {
  ...{ name: "Thirty days", annual_rate_bps: 1200, duration_seconds: 2_592_000, total_quota: "1000000000000" },
  ...{ min_amount: "10000000", max_amount_per_user: "100000000000" },
};

/** A reply that the setup of the world depends on. */
type Reply = Readonly<Record<string, unknown>>;

/**
 * The whole platform with actors of every kind: traders with positions and open orders, a KOL with a customer and a
 * settled day, a payout batch, an earn product, a bonus batch with codes, a season.
 */
export class World {
  readonly platform: TestPlatform;
  readonly pools: Pools;
  readonly wallets: Readonly<Record<WalletName, Wallet>>;
  readonly #tokens = new Map<string, string>();
  #key: NewApiKey | undefined;
  #tiers: unknown;
  #turn = 0;

  private constructor(platform: TestPlatform) {
    this.platform = platform;
    this.wallets = Object.fromEntries(
      Object.entries(WALLETS).map(([name, number]) => [name, testWallet(number)]),
    ) as Record<WalletName, Wallet>;
    const nothing = {
      orders: [1],
      algos: [1],
      codes: ["none"],
      cursors: ["none"],
      uuids: [randomUUID()],
      refreshTokens: ["none"],
    };
    const none = randomUUID();
    this.pools = {
      ...nothing,
      now_ms: platform.clock.now(),
      addresses: Object.values(this.wallets).map(({ address }) => address.toLowerCase()),
      apiKeys: ["k".repeat(64)],
      products: [none],
      bonusBatches: [none],
      bds: [none],
      kols: [none],
      inviteCodes: [1],
      payouts: [none],
      records: [none],
      seasons: [none],
      jobs: ["chain-sync"],
      signIns: [{ message: "none", signature: "0x" }],
    };
  }

  static async open(): Promise<World> {
    const world = new World(await createTestPlatform(NO_LIMITS));
    try {
      await world.#settle();
      return world;
    } catch (error) {
      await world.platform.close();
      throw error;
    }
  }

  /** The credentials of an actor; of one of several wallets if it is a wallet. */
  token(name: WalletName | "admin" | "bd" | "spare wallet" | "spare admin" | "spare bd"): string {
    return this.#tokens.get(name) ?? "";
  }

  get key(): NewApiKey {
    return this.#key!;
  }

  sign(text: string): string {
    return hmac(this.key.api_secret, text);
  }

  /** Successful requests end sessions, revoke keys and change switches: this restores them before the next round. */
  async refresh(): Promise<void> {
    const { platform, pools } = this;
    for (const [name, wallet] of Object.entries(this.wallets)) {
      if (!(await this.#isSignedIn(name))) this.#tokens.set(name, (await platform.signIn(wallet)).access_token);
    }
    for (const name of ["admin", "spare admin"]) {
      if (!(await this.#isSignedIn(name))) this.#tokens.set(name, (await platform.adminSignIn()).access_token);
    }
    for (const name of ["bd", "spare bd"]) {
      if (!(await this.#isSignedIn(name))) this.#tokens.set(name, await platform.bdToken());
    }
    this.#tokens.set("spare wallet", (await platform.signIn(this.wallets.passerby)).access_token);
    if (this.#key === undefined || !(await this.#isKeyGood())) {
      this.#key = await platform.makeApiKey(this.wallets.trader, ["READ", "TRADE", "WITHDRAW"]);
    }
    await this.#ask("PUT", "/api/v1/admin/switches", { withdrawals_paused: false }, "admin");
    for (const symbol of ["BTCUSDT", "ETHUSDT"]) {
      await this.#ask("PUT", `/api/v1/admin/markets/${symbol}`, { status: "trading" }, "admin");
    }
    const open = (await this.#ask("GET", "/api/v1/orders/open", undefined, "trader"))["orders"];
    const found = open as readonly { readonly id: number; readonly stop_price: string | null }[];
    const ids = (isAlgo: boolean) => found.filter((one) => (one.stop_price !== null) === isAlgo).map(({ id }) => id);
    pools.orders = [1, ...ids(false).slice(-15)];
    pools.algos = [1, ...ids(true).slice(-15)];
    pools.now_ms = platform.clock.now();
    await this.#stock();
    pools.signIns = [await this.#newSignIn()];
    pools.refreshTokens = [(await platform.signIn(this.wallets.passerby)).refresh_token];
  }

  /** Starts to listen for sockets; resolves with the port. */
  async listen(): Promise<number> {
    const { app } = this.platform;
    if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
    return (app.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    await this.platform.close();
  }

  /** Replaces what was used up: a product that opens in a moment, codes, a season, the tiers. */
  async #stock(): Promise<void> {
    const { pools } = this;
    this.#turn += 1;
    const name = `stock-${this.#turn}`;
    const iso = (after_ms: number) => new Date(pools.now_ms + after_ms).toISOString();
    if (this.#turn % 10 === 1) {
      const window = { subscribe_start_time: iso(1_000), subscribe_end_time: iso(86_400_000) };
      const product = await this.#offer("/api/v1/earn/admin/products", { ...PRODUCT, ...window, name }, "admin");
      if (product !== undefined) pools.products = [String(product["id"]), ...pools.products].slice(0, 4);
    }
    const [grant_batch_id] = pools.bonusBatches;
    const codes = {
      grant_batch_id,
      amount: "1",
      count: 3,
      ttl_days: 30,
      operator_addr: BONUS_OPERATOR,
      request_id: name,
    };
    const made = await this.#offer("/api/v1/bonus/admin/generate-codes", codes);
    if (made !== undefined) pools.codes = [...pools.codes.slice(0, 2), ...(made["codes"] as readonly string[])];
    const epochs = { start_epoch: 2_000 + this.#turn * 10, end_epoch: 2_005 + this.#turn * 10 };
    const season = { label: name, ...epochs, user_pool_tokens: 1_000, mm_pool_tokens: 100 };
    const opened = await this.#offer("/api/v1/points/admin/seasons", season, "admin");
    if (opened !== undefined) pools.seasons = [String(opened["season_id"]), ...pools.seasons].slice(0, 4);
    const tiers = "/api/v1/broker/admin/config/tier-thresholds";
    this.#tiers ??= (await this.#ask("GET", tiers, undefined, "admin"))["tiers"];
    await this.#ask("PUT", tiers, { tiers: this.#tiers }, "admin");
  }

  /** A request that may be refused, for example because a pool is empty. */
  async #offer(url: string, payload: object, name?: string): Promise<Reply | undefined> {
    try {
      return await this.#ask("POST", url, payload, name);
    } catch (error) {
      if (error instanceof Refused && error.status < 500) return undefined;
      throw error;
    }
  }

  async #isSignedIn(name: string): Promise<boolean> {
    const [, staff = ""] = /(admin|bd)$/.exec(name) ?? [];
    const path = { admin: "/api/v1/admin/jobs", bd: "/api/v1/broker/bd/kols" }[staff] ?? "/api/v1/account/api-keys";
    return (await this.platform.get(path, this.#tokens.get(name) ?? "none")).statusCode === 200;
  }

  async #isKeyGood(): Promise<boolean> {
    return (await this.platform.signedCall("GET", "/fapi/v2/balance", this.key)).statusCode === 200;
  }

  async #newSignIn(): Promise<{ message: string; signature: string }> {
    const wallet = this.wallets.passerby;
    const nonce = await this.#ask("POST", "/api/v1/auth/nonce", { address: wallet.address });
    const message = String(nonce["message_template"]);
    return { message, signature: await wallet.signMessage({ message }) };
  }

  async #ask(method: "GET" | "POST" | "PUT", url: string, payload?: object, name?: string): Promise<Reply> {
    const token = name === undefined ? undefined : this.#tokens.get(name);
    const isBonus = url.startsWith("/api/v1/bonus/admin");
    const reply = await this.platform.call({
      method,
      url,
      headers: {
        host: HOST,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(isBonus ? { "x-bonus-admin-key": this.platform.settings.bonusAdminApiKey } : {}),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    if (reply.statusCode !== 200) throw new Refused(reply.statusCode, `${method} ${url}: ${reply.body}`);
    return reply.json();
  }

  async #settle(): Promise<void> {
    const { platform } = this;
    for (const { address } of Object.values(this.wallets)) {
      await this.#ask("POST", "/api/v1/dev/faucet", { address, amount: "1000000" });
    }
    for (const [name, wallet] of Object.entries(this.wallets)) {
      this.#tokens.set(name, (await platform.signIn(wallet)).access_token);
    }
    this.#tokens.set("admin", (await platform.adminSignIn()).access_token);
    this.#tokens.set("bd", await platform.bdToken());
    await this.#invitePartners();
    await this.#trade();
    await this.#settleDay();
    await this.#openPrograms();
    const { jobs } = await this.#ask("GET", "/api/v1/admin/jobs", undefined, "admin");
    this.pools.jobs = (jobs as readonly { readonly name: string }[]).map(({ name }) => name);
    await this.refresh();
    const other = await platform.makeApiKey(this.wallets.maker);
    this.pools.apiKeys = [other.api_key, "k".repeat(64)];
  }

  async #invitePartners(): Promise<void> {
    const { pools } = this;
    const bd = { username: "second", display_name: "Second", initial_password: "fuzz-password-1" };
    const { id } = await this.#ask("POST", "/api/v1/broker/admin/bd", bd, "admin");
    pools.bds = [String(id), randomUUID()];
    const wallet_address = this.wallets.kol.address;
    const kol = await this.#ask("POST", "/api/v1/broker/admin/kol", { wallet_address, level: 3 }, "admin");
    pools.kols = [String(kol["broker_id"]), randomUUID()];
    const direct = { code_type: "direct", share_ratio: 0.1, customer_rebate_ratio: 0.1 };
    const code = await this.#ask("POST", "/api/v1/broker/invite-code", direct, "kol");
    pools.inviteCodes = [code["id"], 1, 2, 999_999];
    await this.#ask("POST", "/api/v1/broker/bind", { code: code["code"] }, "customer");
    pools.codes = [String(code["code"]), "NOSUCHCODE"];
  }

  async #trade(): Promise<void> {
    const order = (name: string, side: string, price: string, quantity: string, more: object = {}) =>
      this.#ask("POST", "/api/v1/orders", { symbol: "BTCUSDT", type: "LIMIT", side, price, quantity, ...more }, name);
    for (const name of ["trader", "kol", "customer"]) {
      await order("maker", "SELL", "60000", "0.3");
      await order(name, "BUY", "60000", "0.2");
    }
    await order("trader", "BUY", "59000", "0.1", { client_order_id: "first" });
    await order("trader", "SELL", "61000", "0.1");
    await order("maker", "BUY", "59500", "5");
    await order("maker", "SELL", "60500", "5");
    const { next_cursor } = await this.#ask("GET", "/api/v1/account/trades?limit=1", undefined, "maker");
    this.pools.cursors = [String(next_cursor), "none"];
  }

  async #settleDay(): Promise<void> {
    const { pools, platform } = this;
    const day_ms = 86_400_000;
    const midnight_ms = Math.ceil(platform.clock.now() / day_ms) * day_ms;
    await this.#ask("POST", "/api/v1/dev/clock", { now: midnight_ms + 700_000 });
    for (const [name, wallet] of Object.entries(this.wallets)) {
      this.#tokens.set(name, (await platform.signIn(wallet)).access_token);
    }
    this.#tokens.set("admin", (await platform.adminSignIn()).access_token);
    this.#tokens.set("bd", await platform.bdToken());
    const period = new Date(midnight_ms - day_ms).toISOString().slice(0, 10);
    await this.#ask("POST", "/api/v1/broker/admin/rebate/calculate", { period }, "admin");
    const records = await this.#ask("GET", "/api/v1/broker/rebate-records", undefined, "kol");
    pools.records = [...(records as unknown as readonly { id: string }[]).map(({ id }) => id), randomUUID()];
    const { id } = await this.#ask("POST", "/api/v1/broker/admin/rebate/payout-batches", {}, "admin");
    pools.payouts = [String(id), randomUUID()];
  }

  async #openPrograms(): Promise<void> {
    const { pools, platform } = this;
    const now_ms = platform.clock.now();
    const iso = (after_ms: number) => new Date(now_ms + after_ms).toISOString();
    const window = { subscribe_start_time: iso(1_000), subscribe_end_time: iso(86_400_000) };
    const product = { ...PRODUCT, ...window };
    const { id } = await this.#ask("POST", "/api/v1/earn/admin/products", product, "admin");
    pools.products = [String(id), randomUUID()];
    const grant = {
      ...{ batch_name: "Round", grant_tier: "COMMUNITY", per_address_amount: "10", max_leverage: 10 },
      ...{ recipients: ["nobody"], operator_addr: BONUS_OPERATOR, request_id: "world-grant" },
    };
    const batch = await this.#ask("POST", "/api/v1/bonus/admin/grant-batch", grant);
    const grant_batch_id = String(batch["grant_batch_id"]);
    pools.bonusBatches = [grant_batch_id, randomUUID()];
    const codes = { grant_batch_id, amount: "10", count: 3, ttl_days: 30, operator_addr: BONUS_OPERATOR };
    const made = await this.#ask("POST", "/api/v1/bonus/admin/generate-codes", { ...codes, request_id: "world-codes" });
    const [first, ...others] = made["codes"] as readonly string[];
    pools.codes = [...pools.codes, ...others];
    await this.#ask("POST", "/api/v1/bonus/redeem", { code: first }, "redeemer");
    const seasons = await this.#ask("GET", "/api/v1/points/seasons");
    const known = (seasons as unknown as readonly { season_id: string }[]).map(({ season_id }) => season_id);
    pools.seasons = [...known, randomUUID()];
  }
}
