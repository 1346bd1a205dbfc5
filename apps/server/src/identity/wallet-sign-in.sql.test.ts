import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { MINUTE_ms } from "../kernel/dates.ts";
import { openTestIdentity, refused, TEST_ORIGIN, TEST_SETTINGS, type TestIdentity } from "./testing.ts";

let fixture: TestIdentity;
before(async () => {
  fixture = await openTestIdentity();
});
after(() => fixture.close());

const newAccount = () => privateKeyToAccount(generatePrivateKey());
type Account = ReturnType<typeof newAccount>;

const login = (message: string, signature: string) =>
  fixture.identity.walletSignIn.login({ message, signature, ...TEST_ORIGIN });

async function prepared(account: Account) {
  const { message_template, nonce } = await fixture.identity.nonces.issue(account.address);
  return { nonce, message: message_template, signature: await account.signMessage({ message: message_template }) };
}

/** A message made by the wallet, with our nonce. */
async function own(account: Account, changes: Partial<Parameters<typeof createSiweMessage>[0]> = {}): Promise<string> {
  const { nonce } = await fixture.identity.nonces.issue(account.address);
  return createSiweMessage({
    address: account.address,
    domain: "127.0.0.1:8080",
    uri: TEST_SETTINGS.publicUrl,
    version: "1",
    chainId: 43113,
    nonce,
    issuedAt: new Date(fixture.clock.now()),
    ...changes,
  });
}

async function signedLogin(account: Account, message: string) {
  return await login(message, await account.signMessage({ message }));
}

async function refusalOf(account: Account, message: string, status = 401): Promise<string> {
  const error = await refused(status, signedLogin(account, message));
  assert.equal(error.code, status === 401 ? "UNAUTHORIZED" : "BAD_REQUEST");
  return error.message;
}

const USED = "nonce is unknown, used or expired";

test("SEC-1: a nonce comes with a complete message; signing it signs in", async () => {
  const account = newAccount();
  const address = account.address.toLowerCase();
  const { nonce, message_template, expires_at } = await fixture.identity.nonces.issue(account.address);
  assert.match(nonce, /^[A-Za-z0-9]{24}$/);
  assert.equal(Date.parse(expires_at), fixture.clock.now() + 5 * MINUTE_ms);
  assert.ok(message_template.startsWith("127.0.0.1:8080 wants you to sign in with your Ethereum account:"));
  assert.ok(message_template.includes(`\nNonce: ${nonce}\n`));

  const reply = await signedLogin(account, message_template);
  const { access_token, refresh_token, ...rest } = reply;
  assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, address, role: "wallet" });
  assert.match(refresh_token, /^[A-Za-z0-9_-]{43}$/);
  const claims = await fixture.identity.tokens.verify(access_token);
  assert.deepEqual([claims.subject, claims.role], [address, "wallet"]);
  const session = await fixture.db
    .selectFrom("session")
    .selectAll()
    .where("id", "=", claims.sessionId)
    .executeTakeFirstOrThrow();
  assert.deepEqual([session.subject, session.role, session.ip], [address, "wallet", TEST_ORIGIN.ip]);
});

test("SEC-1: the first sign-in is remembered, the last one is updated", async () => {
  const account = newAccount();
  const wallet = () =>
    fixture.db
      .selectFrom("wallet")
      .selectAll()
      .where("address", "=", account.address.toLowerCase())
      .executeTakeFirstOrThrow();
  await signedLogin(account, await own(account));
  const first_ms = fixture.clock.now();
  fixture.clock.advance(MINUTE_ms);
  await signedLogin(account, await own(account));
  const { first_sign_in_at, last_sign_in_at } = await wallet();
  assert.deepEqual([first_sign_in_at.getTime(), last_sign_in_at.getTime()], [first_ms, first_ms + MINUTE_ms]);
});

test("SEC-1: a message of the wallet's own making signs in too", async () => {
  const account = newAccount();
  for (const changes of [
    {},
    { statement: "Hello." },
    { scheme: "http" },
    { uri: `${TEST_SETTINGS.publicUrl}/` },
    { issuedAt: new Date(fixture.clock.now() + MINUTE_ms) },
    { issuedAt: new Date(0) },
    { expirationTime: new Date(fixture.clock.now() + 1) },
    { notBefore: new Date(fixture.clock.now()) },
    { resources: ["https://example.org/terms"], requestId: "1" },
  ]) {
    assert.equal((await signedLogin(account, await own(account, changes))).role, "wallet");
  }
});

test("SEC-1: each field is checked although the wallet signed it", async () => {
  const account = newAccount();
  const wrong: [Partial<Parameters<typeof createSiweMessage>[0]>, string][] = [
    [{ domain: "evil.example" }, "domain does not match 127.0.0.1:8080"],
    [{ domain: "127.0.0.1" }, "domain does not match 127.0.0.1:8080"],
    [{ scheme: "https" }, "scheme does not match http"],
    [{ uri: "http://127.0.0.1:8081" }, "URI does not match http://127.0.0.1:8080"],
    [{ uri: "http://127.0.0.1:8080/app" }, "URI does not match http://127.0.0.1:8080"],
    [{ chainId: 43114 }, "chain id does not match 43113"],
    [{ issuedAt: new Date(fixture.clock.now() + MINUTE_ms + 1) }, "issued-at is in the future"],
    [{ expirationTime: new Date(fixture.clock.now()) }, "the message has expired"],
    [{ notBefore: new Date(fixture.clock.now() + 1) }, "the message is not valid yet"],
    [{ nonce: "A".repeat(24) }, USED],
    [{ address: newAccount().address }, "the signature was not made by the address in the message"],
  ];
  for (const [changes, reason] of wrong) assert.equal(await refusalOf(account, await own(account, changes)), reason);
});

test("SEC-1: a change of any field after signing is refused", async () => {
  const account = newAccount();
  const { message, signature, nonce } = await prepared(account);
  const other = await fixture.identity.nonces.issue(account.address);
  const expiry = message.slice(message.indexOf("Expiration Time: "));
  const changes: [string, string][] = [
    ["Sign in to Bourse.", "Sign in to bourse."],
    [nonce, other.nonce],
    [account.address, newAccount().address],
    [account.address, account.address.toLowerCase()],
    ["URI: http://127.0.0.1:8080", "URI: http://127.0.0.1:8080/"],
    ["Issued At: 2026", "Issued At: 2025"],
    [expiry, expiry.replace("2026", "2027")],
    [`\n${expiry}`, ""],
    [expiry, `${expiry}\nRequest ID: 1`],
  ];
  for (const [from, to] of changes) {
    assert.notEqual(message.replace(from, to), message, from);
    const error = await refused(401, login(message.replace(from, to), signature));
    assert.equal(error.message, "the signature was not made by the address in the message", from);
  }
  assert.equal((await login(message, signature)).role, "wallet");
});

test("SEC-1: a signature that is none, of another key or of another kind is refused", async () => {
  const account = newAccount();
  const { message, signature } = await prepared(account);
  const foreign = await newAccount().signMessage({ message });
  const unreadable = [`0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, `${signature.slice(0, -2)}05`];
  for (const wrong of [foreign, ...unreadable]) {
    const error = await refused(401, login(message, wrong));
    assert.equal(error.message, "the signature was not made by the address in the message");
  }
  for (const malformed of [
    "",
    "0x",
    signature.slice(0, -2),
    `${signature}00`,
    signature.slice(2),
    `${signature.slice(0, -1)}g`,
  ]) {
    assert.equal(
      (await refused(400, login(message, malformed))).message,
      "the signature must be 0x and 130 hex digits",
    );
  }
  assert.equal((await login(message, signature)).role, "wallet");
});

test("SEC-1: a malformed message is a 400 that says where", async () => {
  const account = newAccount();
  const { message } = await prepared(account);
  const withoutVersion = message.replace("Version: 1\n", "");
  assert.match(
    await refusalOf(account, withoutVersion, 400),
    /does not follow EIP-4361: line 7: must begin with "Version: "/,
  );
  assert.match(await refusalOf(account, "", 400), /does not follow EIP-4361/);
  assert.match(await refusalOf(account, message.replaceAll("\n", "\r\n"), 400), /does not follow EIP-4361/);
});

test("SEC-1: a nonce works once", async () => {
  const account = newAccount();
  const { message, signature } = await prepared(account);
  await login(message, signature);
  assert.equal((await refused(401, login(message, signature))).message, USED);
});

test("SEC-1: of many sign-ins at once with one nonce exactly one succeeds and opens one session", async () => {
  const account = newAccount();
  const { message, signature } = await prepared(account);
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => login(message, signature)));
  assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
  for (const outcome of outcomes) if (outcome.status === "rejected") assert.equal(outcome.reason.message, USED);
  const sessions = await fixture.db
    .selectFrom("session")
    .select("id")
    .where("subject", "=", account.address.toLowerCase())
    .execute();
  assert.equal(sessions.length, 1);
});

test("SEC-1: a nonce is bound to the address that asked for it", async () => {
  const [asker, other] = [newAccount(), newAccount()];
  const { nonce } = await fixture.identity.nonces.issue(asker.address);
  assert.equal(await refusalOf(other, await own(other, { nonce })), USED);
  assert.equal((await signedLogin(asker, await own(asker, { nonce }))).role, "wallet");
});

test("SEC-1: a refused attempt does not use the nonce up", async () => {
  const account = newAccount();
  const { message, signature, nonce } = await prepared(account);
  await refused(401, login(message, await newAccount().signMessage({ message })));
  assert.match(await refusalOf(account, await own(account, { nonce, chainId: 1 })), /chain id/);
  assert.equal((await login(message, signature)).role, "wallet");
});

test("SEC-1: a nonce lives five minutes by the platform's clock", async () => {
  const account = newAccount();
  const messages = [await own(account), await own(account)];
  fixture.clock.advance(5 * MINUTE_ms - 1);
  assert.equal((await signedLogin(account, messages[0]!)).role, "wallet");
  fixture.clock.advance(1);
  assert.equal(await refusalOf(account, messages[1]!), USED);
});

test("SEC-1: sweeping removes expired nonces and no others", async () => {
  const account = newAccount();
  await own(account);
  fixture.clock.advance(5 * MINUTE_ms);
  const message = await own(account);
  assert.ok((await fixture.identity.nonces.sweep()) >= 1n);
  assert.equal(await fixture.identity.nonces.sweep(), 0n);
  assert.equal((await signedLogin(account, message)).role, "wallet");
});

test("SEC-1: only hashes of nonces are stored", async () => {
  const { nonce } = await fixture.identity.nonces.issue(newAccount().address);
  const rows = await fixture.db.selectFrom("auth_nonce").selectAll().execute();
  assert.ok(rows.length > 0);
  for (const row of rows) assert.match(row.nonce_hash, /^[0-9a-f]{64}$/);
  assert.equal(JSON.stringify(rows).includes(nonce), false);
});

test("SEC-1: a nonce is given to addresses only", async () => {
  for (const address of ["", "0x123", `${newAccount().address}0`, "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"]) {
    assert.equal((await refused(400, fixture.identity.nonces.issue(address))).code, "INVALID_ADDRESS");
  }
});
