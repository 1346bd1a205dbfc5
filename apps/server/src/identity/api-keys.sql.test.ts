import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { after, before, test } from "node:test";
import { FapiError } from "../kernel/errors.ts";
import type { ApiKeyRequest } from "./api-key-request.ts";
import type { Identity } from "./identity.ts";
import { openTestIdentity, refused, TEST_NOW_MS, TEST_ORIGIN, type TestIdentity } from "./testing.ts";

let fixture: TestIdentity;
before(async () => {
  fixture = await openTestIdentity();
});
after(() => fixture.close());

let walletCount = 0;
const newWallet = () => `0x${(walletCount++).toString(16).padStart(40, "0")}`;
const REQUEST: ApiKeyRequest = { label: "bot", permissions: ["READ", "TRADE"] };

const create = (wallet: string, changes: Partial<ApiKeyRequest> = {}) =>
  fixture.identity.apiKeys.create({ ...REQUEST, ...changes, wallet }, TEST_ORIGIN);
const revoke = (wallet: string, apiKey: string) => fixture.identity.apiKeys.revoke(wallet, apiKey, TEST_ORIGIN);

function signedCall(key: { api_key: string; api_secret: string }, identity: Identity = fixture.identity) {
  const now_ms = fixture.clock.now();
  const text = `symbol=BTCUSDT&timestamp=${now_ms}`;
  const signature = createHmac("sha256", key.api_secret).update(text).digest("hex");
  return identity.verifySignedRequest({
    apiKey: key.api_key,
    rawQuery: `${text}&signature=${signature}`,
    rawBody: "",
    ip: "203.0.113.7",
    now_ms,
    permission: "TRADE",
  });
}

function assertRefused(call: () => unknown, code: number): void {
  assert.throws(call, (error: unknown) => error instanceof FapiError && error.code === code);
}

test("SEC-4: a new key has 64 letters and digits each for key and secret, and signs requests at once", async () => {
  const wallet = newWallet();
  const expires_at = "2026-06-02T00:00:00.000Z";
  const made = await create(wallet, { ip_whitelist: ["203.0.113.0/24"], expires_at });
  const { api_key, api_secret, ...rest } = made;
  assert.match(api_key, /^[A-Za-z0-9]{64}$/);
  assert.match(api_secret, /^[A-Za-z0-9]{64}$/);
  assert.notEqual(api_key, api_secret);
  assert.deepEqual(rest, {
    label: "bot",
    permissions: ["READ", "TRADE"],
    ip_whitelist: ["203.0.113.0/24"],
    created_at: new Date(TEST_NOW_MS).toISOString(),
    expires_at,
  });
  const principal = signedCall(made);
  assert.deepEqual([principal.wallet, principal.apiKey], [wallet, api_key]);
});

test("SEC-4: the list shows own keys, oldest first, and never a secret", async () => {
  const [wallet, other] = [newWallet(), newWallet()];
  const first = await create(wallet, { label: "first" });
  fixture.clock.advance(1);
  const second = await create(wallet, { label: "second" });
  await create(other);
  const listed = await fixture.identity.apiKeys.list(wallet);
  const { api_secret: firstSecret, ...firstShown } = first;
  const { api_secret: secondSecret, ...secondShown } = second;
  assert.deepEqual(listed, [firstShown, secondShown]);
  const text = JSON.stringify(listed);
  assert.deepEqual([text.includes(firstSecret), text.includes(secondSecret)], [false, false]);
});

test("SEC-4: a revoked key is refused at once and gone from the list", async () => {
  const wallet = newWallet();
  const [made, kept] = [await create(wallet), await create(wallet)];
  await revoke(wallet, made.api_key);
  assertRefused(() => signedCall(made), -2015);
  assert.equal(fixture.identity.apiKeys.find(made.api_key), undefined);
  assert.deepEqual(
    (await fixture.identity.apiKeys.list(wallet)).map((key) => key.api_key),
    [kept.api_key],
  );
  assert.equal(signedCall(kept).apiKey, kept.api_key);
  await refused(404, revoke(wallet, made.api_key));
});

test("SEC-4: nobody revokes another's key, or one that does not exist", async () => {
  const wallet = newWallet();
  const made = await create(wallet);
  for (const [who, apiKey] of [
    [newWallet(), made.api_key],
    [wallet, "x".repeat(64)],
    [wallet, ""],
    [wallet, "\0"],
  ] as const) {
    assert.equal((await refused(404, revoke(who, apiKey))).code, "NOT_FOUND");
  }
  assert.equal(signedCall(made).apiKey, made.api_key);
});

test("SEC-4: of two revocations at once one succeeds and one entry is written", async () => {
  const wallet = newWallet();
  const { api_key } = await create(wallet);
  const outcomes = await Promise.allSettled([revoke(wallet, api_key), revoke(wallet, api_key)]);
  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ["fulfilled", "rejected"]);
  const entries = await fixture.auditEntries("api-key.revoke");
  assert.equal(entries.filter((entry) => entry.actor === wallet).length, 1);
});

test("SEC-4: a wallet has at most 30 keys, also when it asks for many at once; a revoked one makes room", async () => {
  const wallet = newWallet();
  const outcomes = await Promise.allSettled(Array.from({ length: 33 }, () => create(wallet)));
  assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 30);
  const error = await refused(409, create(wallet));
  assert.deepEqual(
    [error.code, error.details],
    ["TOO_MANY_API_KEYS", { rule: "api_keys_per_wallet", limit: 30, actual: 30 }],
  );
  const [first] = await fixture.identity.apiKeys.list(wallet);
  await revoke(wallet, first!.api_key);
  await create(wallet);
  assert.equal((await fixture.identity.apiKeys.list(wallet)).length, 30);
  await create(newWallet());
});

test("SEC-4: a bad request makes no key", async () => {
  const wallet = newWallet();
  await refused(400, create(wallet, { label: "" }));
  await refused(400, create(wallet, { permissions: ["ADMIN"] }));
  await refused(400, create(wallet, { ip_whitelist: ["nowhere"] }));
  await refused(400, create(wallet, { expires_at: new Date(fixture.clock.now()).toISOString() }));
  assert.deepEqual(await fixture.identity.apiKeys.list(wallet), []);
});

test("SEC-8: making and revoking a key are in the audit log, without the key itself", async () => {
  const wallet = newWallet();
  const { api_key, api_secret } = await create(wallet, { label: "audited" });
  await revoke(wallet, api_key);
  const state = { label: "audited", permissions: ["READ", "TRADE"], ip_whitelist: [], expires_at: null };
  const target = `${api_key.slice(0, 8)}…${api_key.slice(-4)}`;
  const own = async (action: string) => (await fixture.auditEntries(action)).filter((entry) => entry.actor === wallet);
  const [made, revoked] = [await own("api-key.create"), await own("api-key.revoke")];
  assert.deepEqual([made.length, revoked.length], [1, 1]);
  assert.deepEqual([made[0]?.target, made[0]?.before, made[0]?.after], [target, null, state]);
  assert.deepEqual([revoked[0]?.target, revoked[0]?.before, revoked[0]?.after], [target, state, null]);
  const text = JSON.stringify(await fixture.db.selectFrom("audit_log").select(["target", "before", "after"]).execute());
  assert.deepEqual([text.includes(api_key), text.includes(api_secret)], [false, false]);
});

test("T7: secrets are sealed at rest", async () => {
  const { api_key, api_secret } = await create(newWallet());
  const row = await fixture.db
    .selectFrom("api_key")
    .select("sealed_secret")
    .where("api_key", "=", api_key)
    .executeTakeFirstOrThrow();
  assert.equal(Buffer.from(row.sealed_secret).includes(api_secret), false);
  assert.equal(row.sealed_secret.length, 1 + 12 + 64 + 16);
});

test("SEC-4: after a restart keys work, with their limits, and revoked ones do not", async () => {
  const wallet = newWallet();
  const [plain, elsewhere, readOnly, revoked] = [
    await create(wallet),
    await create(wallet, { ip_whitelist: ["198.51.100.1"] }),
    await create(wallet, { permissions: ["READ"] }),
    await create(wallet),
  ];
  const expiring = await create(wallet, { expires_at: new Date(fixture.clock.now() + 1000).toISOString() });
  await revoke(wallet, revoked.api_key);
  const restarted = fixture.another();
  assertRefused(() => signedCall(plain, restarted), -2015);
  await restarted.load();
  assert.equal(signedCall(plain, restarted).wallet, wallet);
  assert.equal(signedCall(expiring, restarted).wallet, wallet);
  for (const key of [elsewhere, readOnly, revoked]) assertRefused(() => signedCall(key, restarted), -2015);
  fixture.clock.advance(1000);
  assertRefused(() => signedCall(expiring, restarted), -2015);
});

test("T7: another SECRETS_KEY, or a secret moved to another row, is noticed at start", async () => {
  await assert.rejects(fixture.another({ secretsKey: "ab".repeat(32) }).load(), /SECRETS_KEY is another one/);
  const wallet = newWallet();
  const [first, second] = [await create(wallet), await create(wallet)];
  const sealed = fixture.db.selectFrom("api_key").select("sealed_secret").where("api_key", "=", first.api_key);
  const { sealed_secret } = await sealed.executeTakeFirstOrThrow();
  await fixture.db.updateTable("api_key").set({ sealed_secret }).where("api_key", "=", second.api_key).execute();
  await assert.rejects(fixture.another().load(), /cannot be opened/);
  await fixture.db.deleteFrom("api_key").where("wallet", "=", wallet).execute();
});

function ed25519Call(apiKey: string, privateKey: KeyObject, identity: Identity = fixture.identity) {
  const now_ms = fixture.clock.now();
  const text = `symbol=BTCUSDT&timestamp=${now_ms}`;
  const signature = encodeURIComponent(sign(null, Buffer.from(text), privateKey).toString("base64"));
  const rawQuery = `${text}&signature=${signature}`;
  return identity.verifySignedRequest({ apiKey, rawQuery, rawBody: "", ip: "::1", now_ms, permission: "TRADE" });
}

test("WSA-2: a key made with a public key takes the signatures of its private key alone, also after a restart", async () => {
  const wallet = newWallet();
  const [own, other] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  const public_key = own.publicKey.export({ type: "spki", format: "pem" }) as string;
  const made = await create(wallet, { public_key });
  const { api_secret, ...shown } = made;
  assert.equal(api_secret, "");
  assert.equal(shown.public_key, own.publicKey.export({ type: "spki", format: "der" }).toString("base64"));
  assert.deepEqual(await fixture.identity.apiKeys.list(wallet), [shown]);
  const restarted = fixture.another();
  await restarted.load();
  for (const identity of [fixture.identity, restarted]) {
    assert.equal(ed25519Call(made.api_key, own.privateKey, identity).wallet, wallet);
    assertRefused(() => ed25519Call(made.api_key, other.privateKey, identity), -1022);
    assertRefused(() => signedCall(made, identity), -1022);
  }
  await revoke(wallet, made.api_key);
  assertRefused(() => ed25519Call(made.api_key, own.privateKey), -2015);
  const entries = (await fixture.auditEntries("api-key.create")).filter(({ actor }) => actor === wallet);
  assert.deepEqual(entries[0]?.after, {
    label: "bot",
    permissions: ["READ", "TRADE"],
    ip_whitelist: [],
    expires_at: null,
    public_key: shown.public_key,
  });
});

test("WSA-2: a bad public key makes no key", async () => {
  const wallet = newWallet();
  const { details } = await refused(400, create(wallet, { public_key: "not a key" }));
  assert.deepEqual(details, { rule: "public_key" });
  assert.deepEqual(await fixture.identity.apiKeys.list(wallet), []);
});
