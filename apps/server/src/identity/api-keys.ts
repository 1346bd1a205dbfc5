import type { ApiKey, NewApiKey, Permission } from "@bourse/api";
import type { Selectable } from "kysely";
import { type AddressSet, parseAddressSet } from "../kernel/address-set.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Bus } from "../kernel/bus/bus.ts";
import type { Clock } from "../kernel/clock.ts";
import { lockInTransaction } from "../kernel/database/locks.ts";
import { ApiError, notFound } from "../kernel/errors.ts";
import { type Random, randomAlphanumeric } from "../kernel/random.ts";
import type { SecretBox } from "../kernel/secret-box.ts";
import { type ApiKeyRequest, checkApiKeyRequest } from "./api-key-request.ts";
import { Ed25519Key } from "./ed25519-key.ts";
import { HmacKey } from "./hmac-key.ts";
import type { SigningKey } from "./signing-key.ts";
import type { ApiKeyTable, IdentityDb, IdentityTx, Origin } from "./tables.ts";

const API_KEY_CHARS = 64;
const API_KEY_SHAPE = /^[A-Za-z0-9]{64}$/;
const KEYS_PER_WALLET = 30;

/** Whether a text has the form of a key. */
export const hasApiKeyShape = (text: string): boolean => API_KEY_SHAPE.test(text);

/** A working key, with what the check of a signed request needs. */
export interface ActiveApiKey {
  readonly apiKey: string;
  readonly wallet: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly signingKey: SigningKey;
  /** Undefined: usable from any IP. */
  readonly ipWhitelist: AddressSet | undefined;
  /** Infinity for a key without an expiry. */
  readonly expiresAt_ms: number;
}

type ApiKeyRow = Omit<Selectable<ApiKeyTable>, "sealed_secret" | "revoked_at">;
const ROW_COLUMNS = [
  "api_key",
  "wallet",
  "label",
  "permissions",
  "ip_whitelist",
  "created_at",
  "expires_at",
  "public_key",
] as const satisfies readonly (keyof ApiKeyRow)[];

function activeKey(row: ApiKeyRow, secret: string): ActiveApiKey {
  const parsed = row.ip_whitelist.length === 0 ? undefined : parseAddressSet(row.ip_whitelist);
  if (parsed && "badEntry" in parsed) throw new Error(`a stored API key has the bad address ${parsed.badEntry}`);
  return {
    apiKey: row.api_key,
    wallet: row.wallet,
    permissions: new Set(row.permissions),
    signingKey: row.public_key === null ? new HmacKey(secret) : new Ed25519Key(row.public_key),
    ipWhitelist: parsed?.set,
    expiresAt_ms: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** Only keys that have one show their public key. */
const publicKeyOf = ({ public_key }: ApiKeyRow) => (public_key === null ? {} : { public_key });

function shown(row: ApiKeyRow): ApiKey {
  const { api_key, label, permissions, ip_whitelist, created_at, expires_at } = row;
  const times = { created_at: created_at.toISOString(), expires_at: expires_at?.toISOString() ?? null };
  return { api_key, label, permissions, ip_whitelist, ...times, ...publicKeyOf(row) };
}

/** A key alone opens the private stream, so the audit log, which other people read, shows only a part of it. */
const recognisable = (apiKey: string) => `${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`;

/** A value sealed for one key opens for no other. */
const sealContext = (apiKey: string) => `api_key:${apiKey}`;

export interface ApiKeysOptions {
  readonly db: IdentityDb;
  readonly clock: Clock;
  readonly random: Random;
  readonly audit: AuditLog;
  readonly secretBox: SecretBox;
  readonly bus: Bus;
}

const TOPIC = "api-keys";

/** SEC-4: API keys. All working keys are in memory, so that checking a signed request never waits for the database. */
export class ApiKeys {
  readonly #db: IdentityDb;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #audit: AuditLog;
  readonly #secretBox: SecretBox;
  readonly #bus: Bus;
  readonly #active = new Map<string, ActiveApiKey>();

  constructor({ db, clock, random, audit, secretBox, bus }: ApiKeysOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#random = random;
    this.#audit = audit;
    this.#secretBox = secretBox;
    this.#bus = bus;
    bus.listen(TOPIC, (apiKey) => this.#refresh(String(apiKey)));
  }

  /** Reads every key that is not revoked. Call it before the first request. */
  async load(): Promise<void> {
    const known = new Set(this.#active.keys());
    for (const row of await this.#selectActive().execute()) {
      this.#remember(row);
      known.delete(row.api_key);
    }
    for (const apiKey of known) this.#active.delete(apiKey);
  }

  find(apiKey: string): ActiveApiKey | undefined {
    return this.#active.get(apiKey);
  }

  /**
   * Makes a key. The secret is in this reply only; it is stored encrypted. A key with a public key has a secret too, which
   * nobody learns: a process of an earlier version, which does not know public keys, takes no signature for this key.
   */
  async create(request: ApiKeyRequest & { readonly wallet: string }, origin: Origin): Promise<NewApiKey> {
    const now_ms = this.#clock.now();
    const terms = checkApiKeyRequest(request, now_ms);
    const api_key = randomAlphanumeric(this.#random, API_KEY_CHARS);
    const api_secret = randomAlphanumeric(this.#random, API_KEY_CHARS);
    const row: ApiKeyRow = { api_key, wallet: request.wallet, ...terms, created_at: new Date(now_ms) };
    const sealed_secret = this.#secretBox.seal(api_secret, sealContext(api_key));
    await this.#db.transaction().execute(async (tx) => {
      await this.#checkRoom(tx, row.wallet);
      await tx
        .insertInto("api_key")
        .values({ ...row, sealed_secret })
        .execute();
      await this.#record(tx, "api-key.create", row, origin);
    });
    this.#active.set(api_key, activeKey(row, api_secret));
    await this.#bus.tell(TOPIC, api_key);
    return { ...shown(row), api_secret: row.public_key === null ? api_secret : "" };
  }

  /** The wallet's keys, oldest first. */
  async list(wallet: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom("api_key")
      .select(ROW_COLUMNS)
      .where("wallet", "=", wallet)
      .where("revoked_at", "is", null)
      .orderBy("created_at")
      .orderBy("api_key")
      .execute();
    return rows.map(shown);
  }

  /** Revokes a key: the next request signed with it is refused. */
  async revoke(wallet: string, apiKey: string, origin: Origin): Promise<void> {
    if (!hasApiKeyShape(apiKey)) throw notFound("there is no such API key");
    await this.#db.transaction().execute(async (tx) => {
      const row = await tx
        .updateTable("api_key")
        .set({ revoked_at: new Date(this.#clock.now()) })
        .where("api_key", "=", apiKey)
        .where("wallet", "=", wallet)
        .where("revoked_at", "is", null)
        .returning(ROW_COLUMNS)
        .executeTakeFirst();
      // The reply is the same for another wallet's key and for one that does not exist.
      if (row === undefined) throw notFound("there is no such API key");
      await this.#record(tx, "api-key.revoke", row, origin);
    });
    this.#active.delete(apiKey);
    await this.#bus.tell(TOPIC, apiKey);
  }

  #selectActive() {
    return this.#db
      .selectFrom("api_key")
      .select([...ROW_COLUMNS, "sealed_secret"])
      .where("revoked_at", "is", null);
  }

  #remember({ sealed_secret, ...row }: ApiKeyRow & { readonly sealed_secret: Uint8Array }): void {
    this.#active.set(row.api_key, activeKey(row, this.#secretBox.open(sealed_secret, sealContext(row.api_key))));
  }

  /** Reads a key that another process has made or revoked. */
  async #refresh(apiKey: string): Promise<void> {
    const row = await this.#selectActive().where("api_key", "=", apiKey).executeTakeFirst();
    if (row === undefined) this.#active.delete(apiKey);
    else this.#remember(row);
  }

  async #checkRoom(tx: IdentityTx, wallet: string): Promise<void> {
    // Two concurrent requests must not both get the last free place.
    await lockInTransaction(tx, `api-keys:${wallet}`);
    const { count } = await tx
      .selectFrom("api_key")
      .select(({ fn }) => fn.countAll<bigint>().as("count"))
      .where("wallet", "=", wallet)
      .where("revoked_at", "is", null)
      .executeTakeFirstOrThrow();
    if (count < KEYS_PER_WALLET) return;
    const details = { rule: "api_keys_per_wallet", limit: KEYS_PER_WALLET, actual: Number(count) };
    throw new ApiError(409, "TOO_MANY_API_KEYS", `a wallet can have at most ${KEYS_PER_WALLET} API keys`, { details });
  }

  async #record(tx: IdentityTx, action: "api-key.create" | "api-key.revoke", row: ApiKeyRow, origin: Origin) {
    const { label, permissions, ip_whitelist, expires_at } = row;
    const expiry = { expires_at: expires_at?.toISOString() ?? null };
    const state = { label, permissions, ip_whitelist, ...expiry, ...publicKeyOf(row) };
    await this.#audit.append(tx, {
      actor: row.wallet,
      role: "wallet",
      action,
      target: recognisable(row.api_key),
      ...(action === "api-key.create" ? { after: state } : { before: state }),
      ...origin,
    });
  }
}
