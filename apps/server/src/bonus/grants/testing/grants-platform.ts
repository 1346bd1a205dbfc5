import assert from "node:assert/strict";
import { sql } from "kysely";
import { digestsOf } from "../../../testing/digests.ts";
import { createTestPlatform, type TestPlatform, testWallet, type Wallet } from "../../../testing/test-platform.ts";

export const ADMIN_PATH = "/api/v1/bonus/admin";
export const OPERATOR = "0x52908400098527886e0f7030069857d2e4169ee7";
const HOST = "127.0.0.1:8080";

export const lower = ({ address }: Wallet) => address.toLowerCase();

/** A wallet without a known key, the same in every run. */
export const strangeWallet = (number: number) =>
  `0x${(0xabc0n * 2n ** 140n + BigInt(number)).toString(16).padStart(40, "0")}`;

/** The tables that a refused request must not change. */
const TABLES = [
  "bonus_campaign",
  "bonus_batch",
  "bonus_code",
  "bonus_account",
  "bonus_pool_line",
  "bonus_pool",
  "bonus_request",
  "audit_log",
  "outbox",
  "exchange_account",
];

/** The platform as the bonus administration and wallets use it. */
export class GrantsPlatform {
  readonly platform: TestPlatform;
  #requests = 0;

  private constructor(platform: TestPlatform) {
    this.platform = platform;
  }

  static async create(environment: Record<string, string> = {}): Promise<GrantsPlatform> {
    return new GrantsPlatform(await createTestPlatform(environment));
  }

  get db() {
    return this.platform.database.db;
  }

  nextRequestId(): string {
    this.#requests += 1;
    return `request-${this.#requests}`;
  }

  /** A request with the bonus administration's key. */
  async admin(method: "GET" | "POST" | "PUT", path: string, payload?: object, key?: string) {
    const reply = await this.platform.call({
      method,
      url: `${ADMIN_PATH}${path}`,
      headers: { host: HOST, "x-bonus-admin-key": key ?? this.platform.settings.bonusAdminApiKey },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: reply.statusCode, body: reply.json() };
  }

  grantBody(recipients: readonly unknown[], more: object = {}): Record<string, unknown> {
    return {
      batch_name: "Community round",
      grant_tier: "COMMUNITY",
      per_address_amount: "10",
      max_leverage: 10,
      recipients,
      operator_addr: OPERATOR,
      request_id: this.nextRequestId(),
      ...more,
    };
  }

  grant(recipients: readonly unknown[], more: object = {}) {
    return this.admin("POST", "/grant-batch", this.grantBody(recipients, more));
  }

  /** A batch without grants, for codes. */
  async batch(more: object = {}): Promise<string> {
    const { status, body } = await this.grant(["nobody"], more);
    assert.equal(status, 200, JSON.stringify(body));
    return body.grant_batch_id;
  }

  codesBody(grant_batch_id: string, more: object = {}): Record<string, unknown> {
    const request_id = this.nextRequestId();
    return { grant_batch_id, amount: "10", count: 1, ttl_days: 30, operator_addr: OPERATOR, request_id, ...more };
  }

  generate(grant_batch_id: string, more: object = {}) {
    return this.admin("POST", "/generate-codes", this.codesBody(grant_batch_id, more));
  }

  async codes(grant_batch_id: string, more: object = {}): Promise<string[]> {
    const { status, body } = await this.generate(grant_batch_id, more);
    assert.equal(status, 200, JSON.stringify(body));
    return body.codes;
  }

  async token(wallet: Wallet): Promise<string> {
    return (await this.platform.signIn(wallet)).access_token;
  }

  async redeem(token: string, code: unknown, remoteAddress = "127.0.0.1") {
    const reply = await this.platform.call({
      method: "POST",
      url: "/api/v1/bonus/redeem",
      headers: { host: HOST, authorization: `Bearer ${token}` },
      remoteAddress,
      payload: code === undefined ? {} : { code },
    });
    return { status: reply.statusCode, body: reply.json() };
  }

  /** Signs wallets in and returns their tokens. */
  async signedIn(first: number, count: number): Promise<{ wallet: string; token: string }[]> {
    const wallets = Array.from({ length: count }, (_, at) => testWallet(first + at));
    return await Promise.all(wallets.map(async (each) => ({ wallet: lower(each), token: await this.token(each) })));
  }

  /** The number of this wallet's grants in the pool's ledger and in the engine's ledger. */
  async grantsOf(wallet: string): Promise<{ pool: number; engine: number; micros: number }> {
    const { rows } = await sql<{ pool: number; engine: number; micros: number }>`
      select (select count(*)::int from bonus_pool_line where account = own.account and kind = 'GRANT') as pool,
        (select count(*)::int from exchange_bonus_line where account = own.account) as engine,
        (select coalesce(sum(bonus_micros), 0)::float8 from bonus_account where account = own.account) as micros
      from exchange_account own where address = ${wallet}`.execute(this.db);
    return rows[0] ?? { pool: 0, engine: 0, micros: 0 };
  }

  fingerprint(): Promise<Record<string, string>> {
    return digestsOf(this.db, TABLES);
  }

  close(): Promise<void> {
    return this.platform.close();
  }
}
