import { createHmac } from "node:crypto";
import type { NewApiKey, Permission, TokenReply } from "@bourse/api";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { migrations } from "../compose/migrations.ts";
import { createPlatform } from "../compose/platform.ts";
import { identityDb } from "../identity/tables.ts";
import { ManualClock, MovableClock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { createMetrics } from "../kernel/metrics.ts";
import { randomUuid, seededRandom } from "../kernel/random.ts";
import { developmentSecretsFrom } from "../settings/development-secrets.ts";
import { readSettings } from "../settings/settings.ts";
import { makeTestFolder } from "./test-folder.ts";

export const TEST_EPOCH_MS = Date.UTC(2026, 5, 1, 12);

/** High limits, so that a test does not reach a rate limit by accident; tests of the limits set their own. */
const GENEROUS_LIMITS = {
  RATE_LIMIT_WEIGHT_1M: "1000000",
  RATE_LIMIT_JSON_PER_S: "1000000",
  RATE_LIMIT_LOGIN_1M: "1000000",
  LOG_LEVEL: "silent",
  DEMO: "false",
};

export type Wallet = PrivateKeyAccount;

/** A wallet that is the same in every run. */
export function testWallet(number: number): Wallet {
  return privateKeyToAccount(`0x${(0xb0053n * 2n ** 200n + BigInt(number)).toString(16).padStart(64, "0")}`);
}

/** The parts that outlive a platform, for tests that start a second one on them; the caller closes them. */
export interface KeptGround {
  readonly path: string;
  readonly database: Database;
  readonly clock: MovableClock;
  /** Different for each start, so that ids are not repeated. */
  readonly seed: string;
  /** The free share of the disk. */
  readonly diskFree?: number;
  readonly journal?: Parameters<typeof createPlatform>[0]["journal"];
}

/** The whole platform on a test database and a clock that stands still until it is moved. */
export async function createTestPlatform(environment: Record<string, string> = {}, kept?: KeptGround) {
  const folder = kept === undefined ? makeTestFolder() : { path: kept.path, remove: () => {} };
  const secrets = seededRandom("platform");
  const settings = readSettings(
    { DATA_DIR: folder.path, ...GENEROUS_LIMITS, ...environment },
    developmentSecretsFrom(secrets),
  );
  const random = kept === undefined ? secrets : seededRandom(kept.seed);
  const database = kept?.database ?? (await openTestDatabase(migrations));
  const realTime = new ManualClock(TEST_EPOCH_MS);
  const clock = kept?.clock ?? new MovableClock(0, realTime);
  const metrics = createMetrics();
  const platform = await createPlatform({
    ...{ settings, database, clock, random, metrics, log: pino({ level: "silent" }) },
    // Whatever the disk is like that the tests run on.
    statfs: async () => ({ bavail: kept?.diskFree ?? 0.5, blocks: 1 }),
    ...(kept?.journal === undefined ? {} : { journal: kept.journal }),
  });

  const call = (options: InjectOptions) => platform.app.inject({ headers: { host: "127.0.0.1:8080" }, ...options });
  const post = (url: string, payload?: object, token?: string) =>
    call({
      method: "POST",
      url,
      headers: { host: "127.0.0.1:8080", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
      ...(payload === undefined ? {} : { payload }),
    });
  const get = (url: string, token?: string) =>
    call({
      method: "GET",
      url,
      headers: { host: "127.0.0.1:8080", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    });

  async function signIn(wallet: Wallet): Promise<TokenReply> {
    const nonce = await post("/api/v1/auth/nonce", { address: wallet.address });
    const message: string = nonce.json().message_template;
    const reply = await post("/api/v1/auth/login", { message, signature: await wallet.signMessage({ message }) });
    if (reply.statusCode !== 200) throw new Error(`sign-in failed: ${reply.body}`);
    return reply.json();
  }

  async function adminSignIn(): Promise<TokenReply> {
    const { adminUsername: username, adminPassword: password } = settings;
    const reply = await post("/api/v1/broker/auth/login", { username, password });
    if (reply.statusCode !== 200) throw new Error(`admin sign-in failed: ${reply.body}`);
    return reply.json();
  }

  async function makeApiKey(
    wallet: Wallet,
    permissions: readonly Permission[] = ["READ", "TRADE"],
  ): Promise<NewApiKey> {
    const { access_token } = await signIn(wallet);
    const reply = await post("/api/v1/account/api-keys", { label: "test", permissions }, access_token);
    if (reply.statusCode !== 200) throw new Error(`making a key failed: ${reply.body}`);
    return reply.json();
  }

  /** The token of a BD with the admin's password. */
  async function bdToken(): Promise<string> {
    const db = identityDb(database);
    const admin = await db.selectFrom("staff").selectAll().where("role", "=", "admin").executeTakeFirstOrThrow();
    const bd = { id: randomUuid(random), username: "bd", username_key: "bd", display_name: "BD", role: "bd" as const };
    await db
      .insertInto("staff")
      .values({ ...admin, ...bd })
      .onConflict((conflict) => conflict.column("username_key").doNothing())
      .execute();
    const reply = await post("/api/v1/broker/auth/login", { username: "bd", password: settings.adminPassword });
    if (reply.statusCode !== 200) throw new Error(`BD sign-in failed: ${reply.body}`);
    return reply.json().access_token;
  }

  /** A signed request with all parameters in the query, as one family of clients sends it. */
  function signedCall(method: "GET" | "POST" | "DELETE", path: string, key: NewApiKey, parameters = "") {
    const text = `${parameters === "" ? "" : `${parameters}&`}timestamp=${clock.now()}`;
    return call({
      method,
      url: `${path}?${text}&signature=${hmac(key.api_secret, text)}`,
      headers: { host: "127.0.0.1:8080", "x-mbx-apikey": key.api_key },
    });
  }

  return {
    ...platform,
    settings,
    database,
    clock,
    realTime,
    call,
    post,
    get,
    signIn,
    adminSignIn,
    bdToken,
    makeApiKey,
    signedCall,
    async close() {
      try {
        await platform.close();
      } finally {
        folder.remove();
      }
    },
  };
}

export type TestPlatform = Awaited<ReturnType<typeof createTestPlatform>>;

export const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
