import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { decodeJwt, decodeProtectedHeader, exportSPKI, type JWTPayload, SignJWT } from "jose";
import { ManualClock } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import { seededRandom } from "../kernel/random.ts";
import { AccessTokens } from "./tokens.ts";

const NOW_MS = Date.parse("2026-06-01T12:00:00Z");
const NOW_S = NOW_MS / 1000;
const JWT_SECRET = "a secret that only these tests know, of good length";
const WALLET = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const SESSION = "11111111-2222-4333-8444-555555555555";
const STAFF = "99999999-2222-4333-8444-555555555555";

function setUp() {
  const clock = new ManualClock(NOW_MS);
  const revoked = new Set<string>();
  const isRevoked = (id: string) => revoked.has(id);
  const tokens = new AccessTokens({ jwtSecret: JWT_SECRET, clock, random: seededRandom("tokens"), isRevoked });
  return { clock, revoked, tokens };
}

const GOOD_CLAIMS: JWTPayload = {
  iss: "bourse",
  aud: "bourse-api",
  sub: WALLET,
  role: "wallet",
  sid: SESSION,
  jti: "77777777-2222-4333-8444-555555555555",
  iat: NOW_S,
  exp: NOW_S + 3600,
};

function signed(claims: JWTPayload, { secret = JWT_SECRET, alg = "HS256", typ = "at+jwt" } = {}): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(Buffer.from(secret));
}

async function assertRefused(tokens: AccessTokens, token: string, why: string): Promise<void> {
  const error = await tokens.verify(token).then(
    () => assert.fail(`accepted: ${why}`),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, `${why}: ${error}`);
  assert.deepEqual(
    [error.status, error.code, error.message],
    [401, "UNAUTHORIZED", "the access token is invalid or expired"],
  );
}

test("SEC-3: a wallet's token says what it must, and lives 60 minutes", async () => {
  const { tokens } = setUp();
  const { access_token, expires_in } = await tokens.issue({ subject: WALLET, role: "wallet", sessionId: SESSION });
  assert.equal(expires_in, 3600);
  assert.deepEqual(decodeProtectedHeader(access_token), { alg: "HS256", typ: "at+jwt" });
  const { jti, ...claims } = decodeJwt(access_token);
  const { jti: _other, ...expected } = GOOD_CLAIMS;
  assert.deepEqual(claims, expected);
  assert.deepEqual(await tokens.verify(access_token), {
    subject: WALLET,
    role: "wallet",
    sessionId: SESSION,
    tokenId: jti,
    issuedAt_s: NOW_S,
    expiresAt_s: NOW_S + 3600,
  });
});

test("SEC-3: a staff token lives 15 minutes", async () => {
  const { clock, tokens } = setUp();
  for (const role of ["admin", "bd"] as const) {
    const { access_token, expires_in } = await tokens.issue({ subject: STAFF, role, sessionId: SESSION });
    assert.equal(expires_in, 900);
    assert.equal((await tokens.verify(access_token)).role, role);
    clock.advance(899_999);
    assert.equal((await tokens.verify(access_token)).subject, STAFF);
    clock.advance(1);
    await assertRefused(tokens, access_token, `${role} after 15 minutes`);
  }
});

test("SEC-3: two tokens of one moment differ", async () => {
  const { tokens } = setUp();
  const subject = { subject: WALLET, role: "wallet", sessionId: SESSION } as const;
  assert.notEqual((await tokens.issue(subject)).access_token, (await tokens.issue(subject)).access_token);
});

test("SEC-3: an expired token is refused, seen before or not", async () => {
  const { clock, tokens } = setUp();
  const subject = { subject: WALLET, role: "wallet", sessionId: SESSION } as const;
  const seen = (await tokens.issue(subject)).access_token;
  const unseen = (await tokens.issue(subject)).access_token;
  await tokens.verify(seen);
  clock.advance(3_600_000);
  await assertRefused(tokens, seen, "seen before");
  await assertRefused(tokens, seen, "seen before, again");
  await assertRefused(tokens, unseen, "never seen");
});

test("SEC-3: a revoked session's token is refused at once, seen before or not", async () => {
  const { revoked, tokens } = setUp();
  const subject = { subject: WALLET, role: "wallet", sessionId: SESSION } as const;
  const seen = (await tokens.issue(subject)).access_token;
  const unseen = (await tokens.issue(subject)).access_token;
  await tokens.verify(seen);
  revoked.add(SESSION);
  await assertRefused(tokens, seen, "seen before");
  await assertRefused(tokens, unseen, "never seen");
});

test("SEC-6: tokens with other claims than ours are refused although the signature is right", async () => {
  const { tokens } = setUp();
  assert.equal((await tokens.verify(await signed(GOOD_CLAIMS))).subject, WALLET);
  const changes: Record<string, unknown> = {
    "another issuer": { iss: "elsewhere" },
    "no issuer": { iss: undefined },
    "another audience": { aud: "other-api" },
    "no audience": { aud: undefined },
    "no subject": { sub: undefined },
    "a subject that is no wallet": { sub: STAFF },
    "a subject in mixed case": { sub: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" },
    "a staff role for a wallet": { role: "admin" },
    "an unknown role": { role: "root" },
    "a role out of the prototype": { role: "constructor" },
    "a role that is no text": { role: ["wallet"] },
    "no role": { role: undefined },
    "no session": { sid: undefined },
    "a session that is no id": { sid: "1" },
    "no token id": { jti: undefined },
    "no end": { exp: undefined },
    "an end that is no whole number": { exp: NOW_S + 0.5 },
    "an end in the past": { exp: NOW_S },
    "no issue time": { iat: undefined },
    "an issue time too far ahead": { iat: NOW_S + 61 },
    "a start in the future": { nbf: NOW_S + 1 },
  };
  for (const [why, change] of Object.entries(changes)) {
    const claims = Object.fromEntries(
      Object.entries({ ...GOOD_CLAIMS, ...(change as JWTPayload) }).filter(([, value]) => value !== undefined),
    );
    await assertRefused(tokens, await signed(claims), why);
  }
  assert.equal((await tokens.verify(await signed({ ...GOOD_CLAIMS, iat: NOW_S + 60 }))).issuedAt_s, NOW_S + 60);
});

test("SEC-6: another key, algorithm or type is refused", async () => {
  const { tokens } = setUp();
  await assertRefused(tokens, await signed(GOOD_CLAIMS, { secret: `${JWT_SECRET}!` }), "another key");
  await assertRefused(tokens, await signed(GOOD_CLAIMS, { alg: "HS512", secret: JWT_SECRET.repeat(2) }), "HS512");
  await assertRefused(tokens, await signed(GOOD_CLAIMS, { typ: "JWT" }), "another type");
  const withoutType = await new SignJWT(GOOD_CLAIMS).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(JWT_SECRET));
  await assertRefused(tokens, withoutType, "no type");

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  for (const alg of ["none", "None", "NONE", ""]) {
    await assertRefused(tokens, `${encode({ alg, typ: "at+jwt" })}.${encode(GOOD_CLAIMS)}.`, `alg ${alg}`);
  }
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const byRsa = await new SignJWT(GOOD_CLAIMS).setProtectedHeader({ alg: "RS256", typ: "at+jwt" }).sign(privateKey);
  await assertRefused(tokens, byRsa, "RS256");
  const byPublicKey = await signed(GOOD_CLAIMS, { secret: await exportSPKI(publicKey) });
  await assertRefused(tokens, byPublicKey, "HS256 with a public key as secret");
  const critical = `${encode({ alg: "HS256", typ: "at+jwt", crit: ["x"], x: 1 })}.${encode(GOOD_CLAIMS)}`;
  const mac = createHmac("sha256", JWT_SECRET).update(critical).digest("base64url");
  await assertRefused(tokens, `${critical}.${mac}`, "a critical header we do not know");
});

test("SEC-6: a change of any character is refused", async () => {
  const { tokens } = setUp();
  const { access_token } = await tokens.issue({ subject: WALLET, role: "wallet", sessionId: SESSION });
  for (let index = 0; index < access_token.length - 1; index += 7) {
    const other = access_token[index] === "A" ? "B" : "A";
    const altered = access_token.slice(0, index) + other + access_token.slice(index + 1);
    await assertRefused(tokens, altered, `character ${index}`);
  }
  assert.equal((await tokens.verify(access_token)).subject, WALLET);
});

test("SEC-6: whatever is not a token is refused with the same 401", async () => {
  const { tokens } = setUp();
  const { access_token } = await tokens.issue({ subject: WALLET, role: "wallet", sessionId: SESSION });
  const part = fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), fc.constantFrom(...access_token.split(".")));
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join(".")),
    fc.json().map((json) => `${Buffer.from(json).toString("base64url")}.${Buffer.from(json).toString("base64url")}.x`),
  );
  await fc.assert(
    fc.asyncProperty(text, async (token) => {
      if (token !== access_token) await assertRefused(tokens, token, token);
    }),
    { numRuns: 500 },
  );
  await assertRefused(tokens, `${access_token}${"A".repeat(2048)}`, "too long");
});

test("RUN-4: a short secret is refused", () => {
  const { clock } = setUp();
  const build = () => new AccessTokens({ jwtSecret: "short", clock, random: seededRandom(""), isRevoked: () => false });
  assert.throws(build, /JWT_SECRET must have at least 32 bytes/);
});
