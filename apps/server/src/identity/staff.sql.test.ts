import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { MINUTE_ms } from "../kernel/dates.ts";
import type { Staff } from "./staff.ts";
import { openTestIdentity, refused, TEST_ORIGIN, type TestIdentity } from "./testing.ts";

let fixture: TestIdentity;
let staff: Staff;
const PASSWORD = "correct horse battery";

before(async () => {
  fixture = await openTestIdentity();
  ({ staff } = fixture.identity);
  const outcomes = await Promise.all(
    ["Admin", "root", "boss"].map((username) =>
      fixture.another().staff.createFirstAdmin({ username, password: PASSWORD }),
    ),
  );
  assert.equal(outcomes.filter(Boolean).length, 1);
});
after(() => fixture.close());

const login = (username: string, password: string, service = staff) =>
  service.login({ username, password, ...TEST_ORIGIN });

async function admin() {
  const rows = await fixture.db.selectFrom("staff").selectAll().execute();
  assert.equal(rows.length, 1);
  return rows[0]!;
}

const WRONG = "wrong username or password";

async function fail(username: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    assert.equal((await refused(401, login(username, "wrong"))).message, WRONG);
  }
}

async function assertLocked(username: string, password: string): Promise<number | undefined> {
  const error = await refused(429, login(username, password));
  assert.equal(error.code, "SIGN_IN_LOCKED");
  return error.retryAfter_s;
}

async function setStatus(status: "active" | "disabled"): Promise<void> {
  await fixture.db.updateTable("staff").set({ status }).execute();
}

test("RUN-4: of processes that start together one makes the first admin, and it is audited", async () => {
  const { id, username, username_key, role, status, password_hash, created_at } = await admin();
  assert.deepEqual([role, status, username_key], ["admin", "active", username.toLowerCase()]);
  assert.match(password_hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(created_at.getTime(), fixture.clock.now());
  const entries = await fixture.auditEntries("staff.create");
  assert.deepEqual(
    entries.map(({ actor, target, after: made }) => ({ actor, target, made })),
    [{ actor: "system", target: id, made: { username, role: "admin", status: "active" } }],
  );
});

test("RUN-4: there is no second first admin, whatever its name and password", async () => {
  assert.equal(await staff.createFirstAdmin({ username: "another", password: "another password" }), false);
  assert.equal((await refused(401, login("another", "another password"))).message, WRONG);
});

test("SEC-2: an admin signs in by name, in any case, and password", async () => {
  const { id, username } = await admin();
  for (const name of [username, username.toUpperCase(), username.toLowerCase()]) {
    const { access_token, refresh_token, ...rest } = await login(name, PASSWORD);
    assert.deepEqual(rest, { token_type: "Bearer", expires_in: 900, role: "admin", username });
    assert.match(refresh_token, /^[A-Za-z0-9_-]{43}$/);
    const claims = await fixture.identity.tokens.verify(access_token);
    assert.deepEqual([claims.subject, claims.role], [id, "admin"]);
  }
});

test("SEC-2: wrong password and unknown name sound the same", async () => {
  const { username } = await admin();
  const [known, unknown] = [await refused(401, login(username, "wrong")), await refused(401, login("nobody", "wrong"))];
  assert.deepEqual([known.message, known.code], [unknown.message, unknown.code]);
  await login(username, PASSWORD);
});

test("SEC-2: the fifth failure locks the name for 15 minutes, even for the right password", async () => {
  const { username } = await admin();
  await fail(username, 5);
  assert.equal(await assertLocked(username, PASSWORD), 900);
  assert.equal(await assertLocked(username.toUpperCase(), PASSWORD), 900);
  fixture.clock.advance(15 * MINUTE_ms - 1);
  assert.equal(await assertLocked(username, PASSWORD), 1);
  fixture.clock.advance(1);
  assert.equal((await login(username, PASSWORD)).role, "admin");
});

test("SEC-2: tries while locked do not prolong the lock", async () => {
  const { username } = await admin();
  await fail(username, 5);
  fixture.clock.advance(10 * MINUTE_ms);
  assert.equal(await assertLocked(username, "wrong"), 300);
  fixture.clock.advance(5 * MINUTE_ms);
  assert.equal((await login(username, PASSWORD)).role, "admin");
});

test("SEC-2: after a lock has run out there are five tries again, not one", async () => {
  const { username } = await admin();
  await fail(username, 5);
  fixture.clock.advance(15 * MINUTE_ms);
  await fail(username, 4);
  assert.equal((await login(username, PASSWORD)).role, "admin");
});

test("SEC-2: success on the fifth try resets the count", async () => {
  const { username } = await admin();
  await fail(username, 4);
  await login(username, PASSWORD);
  await fail(username, 4);
  assert.equal((await login(username, PASSWORD)).role, "admin");
});

test("SEC-2: unknown names lock alike", async () => {
  await fail("ghost", 5);
  assert.equal(await assertLocked("Ghost", "wrong"), 900);
});

test("SEC-2: parallel guesses have five tries in all, over several processes too", async () => {
  const { username } = await admin();
  const processes = Array.from({ length: 3 }, () => fixture.another().staff);
  const guesses = Array.from({ length: 18 }, (_, index) => login(username, `guess ${index}`, processes[index % 3]));
  const statuses = (await Promise.allSettled(guesses)).map((outcome) =>
    outcome.status === "rejected" ? outcome.reason.status : 200,
  );
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 13);
  fixture.clock.advance(15 * MINUTE_ms);
});

test("SEC-2: many right sign-ins at once are no guessing", async () => {
  const { username } = await admin();
  const replies = await Promise.all(Array.from({ length: 8 }, () => login(username, PASSWORD)));
  assert.equal(new Set(replies.map((reply) => reply.refresh_token)).size, 8);
});

test("SEC-2: a disabled account is refused with 403, but only to who knows the password", async () => {
  const { username } = await admin();
  await setStatus("disabled");
  assert.equal((await refused(403, login(username, PASSWORD))).message, "this account is disabled");
  assert.equal((await refused(401, login(username, "wrong"))).message, WRONG);
  await setStatus("active");
  assert.equal((await login(username, PASSWORD)).role, "admin");
});

const keptFailures = () => fixture.db.selectFrom("login_failure").selectAll().orderBy("username_key").execute();

test("SEC-2: a name is kept as a hash that only this server can make: it may be a password in the wrong field", async () => {
  const typed = "Correct-Horse-9";
  await fail(typed, 1);
  const kept = await keptFailures();
  assert.equal(kept.length, new Set(kept.map(({ username_key }) => username_key)).size);
  for (const { username_key } of kept) assert.match(username_key, /^[0-9a-f]{64}$/);
  const plainHash = createHash("sha256").update(typed.toLowerCase()).digest("hex");
  assert.ok(!kept.some(({ username_key }) => username_key === plainHash), "a plain hash could be guessed at leisure");
});

test("SEC-2: names and passwords no account can have are a 400 and count as no try", async () => {
  const { username } = await admin();
  const before_ = await keptFailures();
  for (const username of ["", "x".repeat(65), "a b", "a\0b", "\ud800", "a\u200bb"]) {
    await refused(400, login(username, PASSWORD));
  }
  for (const password of ["", "x".repeat(257)]) await refused(400, login(username, password));
  assert.deepEqual(await keptFailures(), before_);
});

test("SEC-2: failures are forgotten after a day without another", async () => {
  const { username } = await admin();
  await fail(username, 4);
  fixture.clock.advance(24 * 60 * MINUTE_ms);
  await fail(username, 4);
  assert.equal((await login(username, PASSWORD)).role, "admin");
  await fail("passer-by", 1);
  fixture.clock.advance(24 * 60 * MINUTE_ms);
  assert.ok((await fixture.identity.sweep()).login_failures >= 1);
  assert.deepEqual(await fixture.db.selectFrom("login_failure").selectAll().execute(), []);
});
