import assert from "node:assert/strict";
import type { AdminKol, BdAccount, InviteCode } from "@bourse/api";
import { sql } from "kysely";
import { digestsOf } from "../../../testing/digests.ts";
import {
  createTestPlatform,
  type KeptGround,
  type TestPlatform,
  testWallet,
  type Wallet,
} from "../../../testing/test-platform.ts";
import { type BrokerDb, brokerDb } from "../../tables.ts";

export const PASSWORD = "a long password";

/** The tables that a refused request must not change. */
const TABLES = [
  "audit_log",
  "broker",
  "broker_bind",
  "broker_invite_code",
  "broker_terms",
  "broker_tier",
  "exchange_account",
  "outbox",
  "session",
  "staff",
];

export interface Reply {
  readonly statusCode: number;
  readonly body: string;
  json(): unknown;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** The whole platform, with admins, BDs, KOLs and customers that use it over HTTP. */
export class PartnersScene {
  readonly platform: TestPlatform;
  readonly db: BrokerDb;
  #admin = "";
  #wallets = 1_000;
  #bds = 0;

  private constructor(platform: TestPlatform) {
    this.platform = platform;
    this.db = brokerDb(platform.database);
  }

  static async open(kept?: KeptGround): Promise<PartnersScene> {
    return await PartnersScene.on(await createTestPlatform({}, kept));
  }

  static async on(platform: TestPlatform): Promise<PartnersScene> {
    const scene = new PartnersScene(platform);
    await scene.renewAdmin();
    return scene;
  }

  close(): Promise<void> {
    return this.platform.close();
  }

  /** Signs in again after the clock has passed the token's expiry. */
  async renewAdmin(): Promise<void> {
    this.#admin = (await this.platform.adminSignIn()).access_token;
  }

  async call(token: string | undefined, method: Method, path: string, payload?: object): Promise<Reply> {
    const headers = {
      host: "127.0.0.1:8080",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const url = `/api/v1/broker${path}`;
    return await this.platform.call({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
  }

  admin(method: Method, path: string, payload?: object): Promise<Reply> {
    return this.call(this.#admin, method, `/admin${path}`, payload);
  }

  /** The first admin's id: staff, but not a BD. */
  async adminId(): Promise<string> {
    const { rows } = await sql<{ id: string }>`select id from staff where role = 'admin'`.execute(this.db);
    return rows[0]!.id;
  }

  newWallet(): Wallet {
    this.#wallets += 1;
    return testWallet(this.#wallets);
  }

  async token(wallet: Wallet): Promise<string> {
    return (await this.platform.signIn(wallet)).access_token;
  }

  /** A wallet that is signed in. */
  async visitor(): Promise<{ wallet: Wallet; address: string; token: string }> {
    const wallet = this.newWallet();
    return { wallet, address: lower(wallet), token: await this.token(wallet) };
  }

  async bd(): Promise<BdAccount & { token: string }> {
    this.#bds += 1;
    const username = `bd-${this.#bds}`;
    const bd = accepted<BdAccount>(await this.admin("POST", "/bd", { username, initial_password: PASSWORD }));
    return { ...bd, token: await this.bdToken(username) };
  }

  async bdToken(username: string): Promise<string> {
    const reply = await this.platform.post("/api/v1/broker/auth/login", { username, password: PASSWORD });
    return accepted<{ access_token: string }>(reply).access_token;
  }

  /** A KOL made by the admin, at the tier's rate: 0.2, 0.25, 0.3, 0.35, 0.4. */
  async kol(level = 5, more: object = {}): Promise<Partner> {
    const visitor = await this.visitor();
    const request = { wallet_address: visitor.wallet.address, level, ...more };
    const kol = accepted<AdminKol>(await this.admin("POST", "/kol", request));
    return { ...visitor, id: kol.broker_id };
  }

  /** A sub-KOL of that KOL, made by a code. */
  async subKol(parent: { token: string }, rate = "0.3", share = "0.2"): Promise<Partner> {
    const { code } = await this.code(parent.token, {
      code_type: "sub_kol",
      share_ratio: share,
      sub_kol_rebate_rate: rate,
    });
    const visitor = await this.visitor();
    accepted(await this.bind(visitor.token, code));
    const row = await this.db
      .selectFrom("broker")
      .select("id")
      .where("wallet_address", "=", visitor.address)
      .executeTakeFirstOrThrow();
    return { ...visitor, id: row.id };
  }

  async code(token: string, body: object = DIRECT): Promise<InviteCode> {
    return accepted(await this.call(token, "POST", "/invite-code", body));
  }

  bind(token: string, code: unknown): Promise<Reply> {
    return this.call(token, "POST", "/bind", { code });
  }

  /** SEC-11: a wallet's first deposit opens its account. */
  async fund({ address }: { readonly address: string }, amount = "100000"): Promise<void> {
    accepted(await this.platform.post("/api/v1/dev/faucet", { address, amount }));
  }

  async accountOf(address: string): Promise<number> {
    const { rows } = await sql<{ account: number }>`
      select account from exchange_account where address = ${address}`.execute(this.db);
    return rows[0]!.account;
  }

  termsOf(brokerId: string) {
    return this.db
      .selectFrom("broker_terms")
      .selectAll()
      .where("broker_id", "=", brokerId)
      .orderBy("terms_version")
      .execute();
  }

  async lastAudit(action: string) {
    const rows = await this.db
      .selectFrom("audit_log")
      .select(["actor", "role", "target", "before", "after", "reason", "request_id"])
      .where("action", "=", action)
      .orderBy("seq", "desc")
      .limit(1)
      .execute();
    return rows[0];
  }

  /** Contents of all tables that this part of the program writes. */
  fingerprint(): Promise<Record<string, string>> {
    return digestsOf(this.db, TABLES);
  }

  /** Asserts that the reply is this refusal in its area's body, and that nothing has changed. */
  async refuses(call: () => Promise<Reply>, status: number, code: string, error?: string): Promise<Reply> {
    const before = await this.fingerprint();
    const reply = await call();
    assertRefused(reply, status, code, error);
    assert.deepEqual(await this.fingerprint(), before, "a refused request has changed something");
    return reply;
  }
}

export interface Partner {
  readonly id: string;
  readonly wallet: Wallet;
  readonly address: string;
  readonly token: string;
}

export const DIRECT = { code_type: "direct", share_ratio: "0.2", customer_rebate_ratio: "0.1" };

export const lower = ({ address }: { readonly address: string }) => address.toLowerCase();

export function accepted<Body>(reply: Reply): Body {
  assert.equal(reply.statusCode, 200, reply.body);
  return reply.json() as Body;
}

export function assertRefused(reply: Reply, status: number, code: string, error?: string): void {
  const body = reply.json() as { readonly error: unknown; readonly code: unknown };
  assert.deepEqual([reply.statusCode, body.code], [status, code], reply.body);
  assert.equal(typeof body.error, "string");
  assert.ok(
    Object.keys(body).every((key) => ["error", "code", "details"].includes(key)),
    reply.body,
  );
  if (error !== undefined) assert.equal(body.error, error);
}
