import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "../kernel/address.ts";
import { HOUR_ms } from "../kernel/dates.ts";
import type { SessionHolder } from "./sessions.ts";
import { openTestIdentity, refused, TEST_ORIGIN, type TestIdentity } from "./testing.ts";

let fixture: TestIdentity;
before(async () => {
  fixture = await openTestIdentity();
});
after(() => fixture.close());

const UNKNOWN = "the refresh token is unknown or expired, or its session ended";
const REUSED = "the refresh token was used before; the session has been ended";
const INVALID_ACCESS = "the access token is invalid or expired";

let walletCount = 0;
const newWallet = (): SessionHolder => {
  const address: Address = `0x${(walletCount++).toString(16).padStart(40, "0")}`;
  return { role: "wallet", address };
};

async function newStaff(role: "admin" | "bd"): Promise<SessionHolder & { readonly id: string }> {
  const id = `00000000-0000-4000-8000-${String(walletCount++).padStart(12, "0")}`;
  const username = `staff-${id.slice(-4)}`;
  await fixture.db
    .insertInto("staff")
    .values({
      id,
      username,
      username_key: username,
      display_name: username,
      role,
      status: "active",
      password_hash: "none",
      created_at: new Date(fixture.clock.now()),
    })
    .execute();
  return { role, id, username };
}

async function open(holder: SessionHolder) {
  const { sessions } = fixture.identity;
  return await sessions.grant(
    await fixture.db.transaction().execute((tx) => sessions.create(tx, holder, "203.0.113.7")),
  );
}

const refresh = (token: string, identity = fixture.identity) => identity.sessions.refresh(token, TEST_ORIGIN);
const holderOf = (token: string, identity = fixture.identity) => identity.tokens.verify(token);

async function assertEnded(accessToken: string, identity = fixture.identity): Promise<void> {
  assert.equal((await refused(401, holderOf(accessToken, identity))).message, INVALID_ACCESS);
}

test("SEC-3: a refresh gives new tokens of the same session", async () => {
  const first = await open(newWallet());
  const second = await refresh(first.refresh_token);
  const third = await refresh(second.refresh_token);
  assert.equal(new Set([first, second, third].flatMap((reply) => [reply.access_token, reply.refresh_token])).size, 6);
  const { address, role, token_type, expires_in } = third;
  assert.deepEqual([address, role, token_type, expires_in], [first.address, "wallet", "Bearer", 3600]);
  const claims = await Promise.all([first, second, third].map((reply) => holderOf(reply.access_token)));
  assert.equal(new Set(claims.map((claim) => claim.sessionId)).size, 1);
});

test("SEC-3: reuse of an old token ends the whole session, its access tokens included", async () => {
  const holder = newWallet();
  const first = await open(holder);
  const other = await open(holder);
  const second = await refresh(first.refresh_token);
  const { sessionId } = await holderOf(second.access_token);

  assert.equal((await refused(401, refresh(first.refresh_token))).message, REUSED);
  assert.equal((await refused(401, refresh(second.refresh_token))).message, UNKNOWN);
  assert.equal((await refused(401, refresh(first.refresh_token))).message, REUSED);
  for (const reply of [first, second]) await assertEnded(reply.access_token);
  const entries = await fixture.auditEntries("session.revoke");
  assert.deepEqual(
    entries.filter(({ target }) => target === sessionId).map(({ actor }) => actor),
    [first.address],
  );
  assert.equal((await holderOf(other.access_token)).subject, other.address, "another session of the wallet goes on");
});

test("SEC-3: of two refreshes with one token at once one wins, and as a reuse the other ends the session", async () => {
  const first = await open(newWallet());
  const outcomes = await Promise.allSettled([refresh(first.refresh_token), refresh(first.refresh_token)]);
  const won = outcomes.filter((outcome) => outcome.status === "fulfilled");
  const lost = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.deepEqual([won.length, lost.length], [1, 1]);
  assert.equal(lost[0]?.reason.message, REUSED);
  await assertEnded(first.access_token);
  await assertEnded(won[0]!.value.access_token);
  assert.equal((await refused(401, refresh(won[0]!.value.refresh_token))).message, UNKNOWN);
});

test("SEC-3: logging out ends the session at once, and doing it twice is no error", async () => {
  const reply = await open(newWallet());
  const { sessionId } = await holderOf(reply.access_token);
  await fixture.identity.sessions.logout(sessionId);
  await fixture.identity.sessions.logout(sessionId);
  assert.equal(fixture.identity.sessions.isRevoked(sessionId), true);
  await assertEnded(reply.access_token);
  assert.equal((await refused(401, refresh(reply.refresh_token))).message, UNKNOWN);
  const row = await fixture.db
    .selectFrom("session")
    .select("revoked_reason")
    .where("id", "=", sessionId)
    .executeTakeFirst();
  assert.equal(row?.revoked_reason, "signed out");
});

test("SEC-3: tokens that are none of ours are refused", async () => {
  for (const token of ["", "x", "A".repeat(44), `${"A".repeat(42)}=`, "A\0".repeat(21), "A".repeat(10_000)]) {
    assert.equal((await refused(401, refresh(token))).message, "the refresh token is malformed");
  }
  assert.equal((await refused(401, refresh("A".repeat(43)))).message, UNKNOWN);
});

test("SEC-3: a wallet's refresh token waits 30 days, anew after each use", async () => {
  const first = await open(newWallet());
  fixture.clock.advance(30 * 24 * HOUR_ms - 1);
  const second = await refresh(first.refresh_token);
  fixture.clock.advance(30 * 24 * HOUR_ms - 1);
  const third = await refresh(second.refresh_token);
  fixture.clock.advance(30 * 24 * HOUR_ms);
  assert.equal((await refused(401, refresh(third.refresh_token))).message, UNKNOWN);
});

test("SEC-3: a staff member's refresh token waits 12 hours", async () => {
  const holder = await newStaff("bd");
  const first = await open(holder);
  fixture.clock.advance(12 * HOUR_ms - 1);
  const second = await refresh(first.refresh_token);
  assert.deepEqual(
    [second.role, second.username, second.expires_in, second.address],
    ["bd", first.username, 900, undefined],
  );
  fixture.clock.advance(12 * HOUR_ms);
  assert.equal((await refused(401, refresh(second.refresh_token))).message, UNKNOWN);
});

test("SEC-2: a disabled staff account cannot refresh, and its session ends", async () => {
  const holder = await newStaff("bd");
  const reply = await open(holder);
  const setStatus = (status: "active" | "disabled") =>
    fixture.db.updateTable("staff").set({ status }).where("id", "=", holder.id).execute();
  await setStatus("disabled");
  assert.equal((await refused(403, refresh(reply.refresh_token))).message, "this account is disabled");
  await assertEnded(reply.access_token);
  await setStatus("active");
  assert.equal((await refused(401, refresh(reply.refresh_token))).message, REUSED);
});

test("SEC-3: after a restart ended sessions are still ended and live ones go on", async () => {
  const [ended, alive, reused] = [await open(newWallet()), await open(newWallet()), await open(newWallet())];
  await fixture.identity.sessions.logout((await holderOf(ended.access_token)).sessionId);
  await refresh(reused.refresh_token);
  await refused(401, refresh(reused.refresh_token));
  fixture.clock.advance(HOUR_ms - 60_000);

  const restarted = fixture.another();
  await restarted.load();
  await assertEnded(ended.access_token, restarted);
  await assertEnded(reused.access_token, restarted);
  assert.equal((await holderOf(alive.access_token, restarted)).subject, alive.address);
  assert.equal((await refresh(alive.refresh_token, restarted)).address, alive.address);
});

test("T7: only hashes of refresh tokens are stored", async () => {
  const { refresh_token } = await open(newWallet());
  const rows = await fixture.db.selectFrom("refresh_token").selectAll().execute();
  for (const row of rows) assert.match(row.token_hash, /^[0-9a-f]{64}$/);
  assert.equal(JSON.stringify(rows).includes(refresh_token), false);
});

test("SEC-3: sweeping removes sessions whose tokens have all expired, and keeps used tokens until then", async () => {
  const old = await open(newWallet());
  fixture.clock.advance(20 * 24 * HOUR_ms);
  const recent = await open(newWallet());
  const next = await refresh(recent.refresh_token);
  fixture.clock.advance(10 * 24 * HOUR_ms);
  assert.ok((await fixture.identity.sweep()).sessions >= 1);
  const subjects = (await fixture.db.selectFrom("session").select("subject").execute()).map((row) => row.subject);
  assert.deepEqual([subjects.includes(old.address!), subjects.includes(recent.address!)], [false, true]);
  assert.equal((await refused(401, refresh(old.refresh_token))).message, UNKNOWN);
  assert.equal((await refused(401, refresh(recent.refresh_token))).message, REUSED);
  assert.equal((await refused(401, refresh(next.refresh_token))).message, UNKNOWN);
});
