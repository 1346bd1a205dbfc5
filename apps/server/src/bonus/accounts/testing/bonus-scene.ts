import assert from "node:assert/strict";
import type { BonusLedgerLine, MyBonus, UnifiedAccount } from "@bourse/api";
import { sql } from "kysely";
import { createTestPlatform, type TestPlatform, testWallet, type Wallet } from "../../../testing/test-platform.ts";
import { type BonusDb, bonusDb } from "../../tables.ts";
import type { ControlAction } from "../refs.ts";

export const OPERATOR = "0x52908400098527886e0f7030069857d2e4169ee7";
const HOST = "127.0.0.1:8080";
const TOKEN_LIFE_ms = 50 * 60_000;
const RICH = "50000000";

export interface Trader {
  readonly wallet: Wallet;
  readonly address: string;
}

export interface OrderDraft {
  /** BTCUSDT unless said. */
  readonly symbol?: string;
  readonly side: "BUY" | "SELL";
  readonly quantity: string;
  readonly price: string;
  readonly time_in_force?: string;
  readonly reduce_only?: boolean;
}

type JobRun = { readonly name: string; readonly ok: boolean; readonly result: Record<string, unknown>; due_at: string };

export type Reply = Awaited<ReturnType<BonusScene["admin"]>>;

/** The whole platform with wallets that trade BTCUSDT on bonuses, used over HTTP. */
export class BonusScene {
  readonly platform: TestPlatform;
  readonly db: BonusDb;
  readonly maker: Trader;
  readonly #tokens = new Map<string, { readonly token: string; readonly until_ms: number }>();
  #wallets = 5_000;
  #requests = 0;

  private constructor(platform: TestPlatform) {
    this.platform = platform;
    this.db = bonusDb(platform.database);
    this.maker = this.newTrader();
  }

  static async open(environment: Record<string, string> = {}): Promise<BonusScene> {
    return await BonusScene.on(await createTestPlatform(environment)).begun();
  }

  /** The platform may have been used before. */
  static on(platform: TestPlatform): BonusScene {
    return new BonusScene(platform);
  }

  /** Funds the market maker. */
  async begun(): Promise<this> {
    await this.faucet(this.maker, RICH);
    return this;
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  /** Checks the invariants, then stops the platform. */
  async end(): Promise<void> {
    try {
      await this.assertInvariants();
    } finally {
      await this.close();
    }
  }

  newTrader(): Trader {
    this.#wallets += 1;
    const wallet = testWallet(this.#wallets);
    return { wallet, address: wallet.address.toLowerCase() };
  }

  /** A wallet with this principal and, if given, a bonus. */
  async trader(principal: string, bonus?: string, leverage = 50): Promise<Trader> {
    const trader = this.newTrader();
    if (principal !== "0") await this.faucet(trader, principal);
    if (bonus !== undefined) await this.grant(trader, bonus, leverage);
    return trader;
  }

  async faucet({ address }: Trader, amount: string): Promise<void> {
    const reply = await this.platform.post("/api/v1/dev/faucet", { address, amount });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  requestId(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  async admin(method: "GET" | "POST" | "PUT", path: string, payload?: object) {
    const key = this.platform.settings.bonusAdminApiKey;
    const url = `/api/v1/bonus/admin${path}`;
    const body = payload === undefined ? {} : { payload };
    const reply = await this.platform.call({ method, url, headers: { host: HOST, "x-bonus-admin-key": key }, ...body });
    return { status: reply.statusCode, body: reply.json() };
  }

  async grant(trader: Trader | readonly Trader[], amount: string, max_leverage = 50): Promise<void> {
    const recipients = [trader].flat().map(({ address }) => address);
    const { status, body } = await this.admin("POST", "/grant-batch", {
      batch_name: "Round",
      grant_tier: "COMMUNITY",
      per_address_amount: amount,
      max_leverage,
      recipients,
      operator_addr: OPERATOR,
      request_id: this.requestId(),
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.failed, []);
  }

  async newCampaign(): Promise<void> {
    const { status, body } = await this.admin("PUT", "/campaign", { new: true, name: `Campaign ${this.requestId()}` });
    assert.equal(status, 200, JSON.stringify(body));
  }

  control(action: ControlAction, { address }: Trader, more: object = {}): Promise<Reply> {
    const asked = { target_address: address, reason: "a test", operator_addr: OPERATOR, request_id: this.requestId() };
    return this.admin("POST", `/${action}`, { ...asked, ...more });
  }

  async token({ wallet, address }: Trader): Promise<string> {
    const known = this.#tokens.get(address);
    const now_ms = this.platform.clock.now();
    if (known !== undefined && known.until_ms > now_ms) return known.token;
    const { access_token: token } = await this.platform.signIn(wallet);
    this.#tokens.set(address, { token, until_ms: now_ms + TOKEN_LIFE_ms });
    return token;
  }

  async call(trader: Trader, method: "GET" | "POST" | "DELETE", url: string, payload?: object) {
    const headers = { host: HOST, authorization: `Bearer ${await this.token(trader)}` };
    const body = payload === undefined ? {} : { payload };
    const reply = await this.platform.call({ method, url, headers, ...body });
    return { status: reply.statusCode, body: reply.json() };
  }

  order(trader: Trader, draft: OrderDraft): Promise<Reply> {
    const order = { symbol: "BTCUSDT", type: "LIMIT", time_in_force: "GTC", ...draft };
    return this.call(trader, "POST", "/api/v1/orders", order);
  }

  async placed(trader: Trader, draft: OrderDraft): Promise<Reply["body"]> {
    const { status, body } = await this.order(trader, draft);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  /** The maker offers, and the trader takes the offer. */
  async take(trader: Trader, side: "BUY" | "SELL", quantity: string, price: string, symbol = "BTCUSDT"): Promise<void> {
    await this.placed(this.maker, { symbol, side: side === "BUY" ? "SELL" : "BUY", quantity, price });
    const { status } = await this.placed(trader, { symbol, side, quantity, price, time_in_force: "IOC" });
    assert.equal(status, "FILLED");
  }

  /** A wallet whose principal is below zero, because an open profit bears its realised loss. */
  async debtor(): Promise<Trader> {
    await this.price("60000");
    await this.price("3000", "ETHUSDT");
    const debtor = await this.trader("2000");
    await this.take(debtor, "BUY", "2", "3000", "ETHUSDT");
    await this.take(debtor, "BUY", "0.2", "60000");
    await this.price("3900", "ETHUSDT");
    await this.price("48000");
    await this.take(debtor, "SELL", "0.2", "48000");
    const { principal } = await this.account(debtor);
    assert.match(principal, /^-/);
    return debtor;
  }

  async price(price: string, symbol = "BTCUSDT"): Promise<void> {
    const reply = await this.platform.post("/api/v1/dev/price", { symbol, price });
    assert.equal(reply.statusCode, 200, reply.body);
  }

  leverage(trader: Trader, leverage: number): Promise<Reply> {
    return this.call(trader, "POST", `/fapi/v1/leverage?symbol=BTCUSDT&leverage=${leverage}`);
  }

  async setLeverage(trader: Trader, leverage: number): Promise<void> {
    const { status, body } = await this.leverage(trader, leverage);
    assert.equal(status, 200, JSON.stringify(body));
  }

  async read<Body>(trader: Trader, url: string): Promise<Body> {
    const { status, body } = await this.call(trader, "GET", url);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  }

  me(trader: Trader): Promise<MyBonus> {
    return this.read(trader, "/api/v1/bonus/me");
  }

  account(trader: Trader): Promise<UnifiedAccount> {
    return this.read(trader, "/api/v1/unified/account");
  }

  /** The ledger as [kind, amount]. */
  async lines(trader: Trader): Promise<[string, string][]> {
    const { lines } = await this.read<{ lines: BonusLedgerLine[] }>(trader, "/api/v1/bonus/me/ledger?limit=500");
    return lines.map(({ kind, amount }) => [kind, amount]);
  }

  async advance(advance_ms: number): Promise<JobRun[]> {
    const reply = await this.platform.post("/api/v1/dev/clock", { advance_ms });
    assert.equal(reply.statusCode, 200, reply.body);
    const runs: JobRun[] = reply.json().jobs_run;
    assert.deepEqual(
      runs.filter(({ ok }) => !ok),
      [],
    );
    return runs;
  }

  async run(job: string): Promise<Record<string, unknown>> {
    const reply = await this.platform.post(`/api/v1/dev/jobs/${job}/run`);
    assert.equal(reply.statusCode, 200, reply.body);
    const { ok, result, error } = reply.json();
    assert.equal(ok, true, error);
    return result;
  }

  /** Fails if an invariant is violated. */
  async assertInvariants(): Promise<void> {
    // Findings are cached for a second.
    this.platform.clock.advanceTo(this.platform.clock.now() + 2_000);
    const { access_token } = await this.platform.adminSignIn();
    const reply = await this.platform.get("/api/v1/admin/invariants", access_token);
    for (const { code, ok, detail } of reply.json().invariants) assert.notEqual(ok, false, `${code}: ${detail}`);
    const { status, body } = await this.admin("GET", "/reconcile-report");
    assert.equal(status, 200);
    assert.equal(body.ok, true, JSON.stringify(body));
  }

  async rowsOf({ address }: Trader) {
    return await this.db.selectFrom("bonus_account").selectAll().where("address", "=", address).orderBy("id").execute();
  }

  async poolLinesOf({ address }: Trader): Promise<[string, bigint][]> {
    const { rows } = await sql<{ kind: string; amount_micros: bigint }>`
      select line.kind, line.amount_micros from bonus_pool_line as line
      join bonus_account as own on own.id = line.bonus_account_id where own.address = ${address} order by line.id`.execute(
      this.db,
    );
    return rows.map(({ kind, amount_micros }) => [kind, amount_micros]);
  }
}
