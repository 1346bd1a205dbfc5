import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { makeTempDir } from "../../tests/support/files.ts";
import { type RunningServer, startServer } from "../../tests/support/server.ts";
import { postJson, signIn } from "../../tests/support/traders.ts";
import { waitFor } from "../../tests/support/waiting.ts";
import { Inspector, type Memory } from "../soak/inspector.ts";
import type { BotPlan } from "./bot.ts";
import { type LoadMarket, marketsOf } from "./markets.ts";

const NO_LIMIT = String(1_000_000_000);
const ADMIN_PASSWORD = "a password for this load";
const DEPOSIT_usdt = "1000000";
/** One of this many bots is audited. */
const AUDITED_EVERY = 4;
const PRICES = new Map([
  ["BTCUSDT", "60000"],
  ["ETHUSDT", "3000"],
  ["SOLUSDT", "150"],
  ["AVAXUSDT", "30"],
]);

export interface TargetOptions {
  readonly url: string | undefined;
  readonly database: string | undefined;
  readonly maxCommandsWaiting: number | undefined;
}

/** The server under load: a new one, or one that runs already. */
export class Target {
  readonly baseUrl: string;
  readonly #server: RunningServer | undefined;
  readonly #inspector: Inspector | undefined;

  private constructor(baseUrl: string, server?: RunningServer, inspector?: Inspector) {
    this.baseUrl = baseUrl;
    this.#server = server;
    this.#inspector = inspector;
  }

  /** A process as `npm start` makes it, without demo and limits, in a folder that is removed afterwards. */
  static async open({ url, database, maxCommandsWaiting }: TargetOptions): Promise<Target> {
    if (url !== undefined) return new Target(url);
    const server = await startServer({
      dataDir: await makeTempDir(),
      env: {
        NODE_OPTIONS: "--inspect=127.0.0.1:0",
        UV_THREADPOOL_SIZE: process.env["UV_THREADPOOL_SIZE"] ?? "16",
        DEMO: "false",
        LOG_LEVEL: "warn",
        ADMIN_PASSWORD,
        // The sockets come as if from many IPs, each of which may have a number of sockets.
        TRUST_PROXY: "127.0.0.1",
        RATE_LIMIT_WEIGHT_1M: NO_LIMIT,
        RATE_LIMIT_ORDERS_10S: NO_LIMIT,
        RATE_LIMIT_ORDERS_1M: NO_LIMIT,
        RATE_LIMIT_JSON_PER_S: NO_LIMIT,
        ...(database === undefined ? {} : { DATABASE_URL: database }),
        ...(maxCommandsWaiting === undefined ? {} : { MAX_COMMANDS_WAITING: String(maxCommandsWaiting) }),
      },
    });
    const address = await waitFor(() => /Debugger listening on (ws:\S+)/.exec(server.output())?.[1], {
      what: "the server's debugger",
    });
    return new Target(server.baseUrl, server, await Inspector.connect(address));
  }

  get isOwn(): boolean {
    return this.#server !== undefined;
  }

  /** The memory after a garbage collection; undefined if it is not available. */
  async memory(): Promise<Memory | undefined> {
    return this.#inspector?.memory();
  }

  async close(): Promise<void> {
    this.#inspector?.close();
    await this.#server?.kill("SIGTERM");
  }

  /** Pins every price, so that no order is refused because the mark price has moved away. */
  async holdPrices(): Promise<LoadMarket[]> {
    for (const [symbol, price] of PRICES) await postJson(`${this.baseUrl}/api/v1/dev/price`, { symbol, price });
    const response = await fetch(`${this.baseUrl}/fapi/v1/exchangeInfo`);
    return marketsOf((await response.json()) as Parameters<typeof marketsOf>[0], PRICES);
  }

  /** Wallets that have signed in, with a deposit and a key, all through the interface. */
  async openAccounts(count: number, onOpened: (opened: number) => void): Promise<BotPlan[]> {
    const bots: BotPlan[] = [];
    for (let number = 0; number < count; number += 1) {
      const wallet = privateKeyToAccount(generatePrivateKey());
      const token = await signIn(this.baseUrl, wallet);
      await postJson(`${this.baseUrl}/api/v1/dev/faucet`, { address: wallet.address, amount: DEPOSIT_usdt });
      const asked = { label: "load", permissions: ["READ", "TRADE"] };
      const url = `${this.baseUrl}/api/v1/account/api-keys`;
      const key = await postJson<{ readonly api_key: string; readonly api_secret: string }>(url, asked, token);
      const { api_key, api_secret } = key;
      bots.push({ number, api_key, api_secret, isAudited: number % AUDITED_EVERY === 0 });
      onOpened(bots.length);
    }
    return bots;
  }

  /** WIRE-10: the exchange's invariants; undefined if no admin can sign in. */
  async invariants(): Promise<readonly Invariant[] | undefined> {
    const password = this.isOwn ? ADMIN_PASSWORD : process.env["ADMIN_PASSWORD"];
    if (password === undefined) return undefined;
    const credentials = { username: "admin", password };
    const login = `${this.baseUrl}/api/v1/broker/auth/login`;
    const { access_token } = await postJson<{ readonly access_token: string }>(login, credentials);
    const headers = { authorization: `Bearer ${access_token}` };
    const response = await fetch(`${this.baseUrl}/api/v1/admin/invariants`, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`the invariants are not available: ${response.status} ${text}`);
    return (JSON.parse(text) as { readonly invariants: readonly Invariant[] }).invariants;
  }
}

export interface Invariant {
  readonly code: string;
  /** Null if it was not checked. */
  readonly ok: boolean | null;
  readonly detail: string;
}
