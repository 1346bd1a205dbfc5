import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import type { Permission } from "@bourse/api";
import fc from "fast-check";
import { parseAddressSet } from "../kernel/address-set.ts";
import { FapiError } from "../kernel/errors.ts";
import type { ActiveApiKey } from "./api-keys.ts";
import { HmacKey } from "./hmac-key.ts";
import { type SignedRequest, verifySignedRequest } from "./signed-request.ts";

const NOW_MS = Date.parse("2026-06-01T12:00:00Z");
const KEY = "k".repeat(64);
const SECRET = "s".repeat(64);

function keyWith(changes: Partial<ActiveApiKey> = {}): ActiveApiKey {
  return {
    apiKey: KEY,
    wallet: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    permissions: new Set<Permission>(["READ", "TRADE"]),
    signingKey: new HmacKey(SECRET),
    ipWhitelist: undefined,
    expiresAt_ms: Number.POSITIVE_INFINITY,
    ...changes,
  };
}

const sign = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex");

function verify(request: Partial<SignedRequest>, key = keyWith()): ActiveApiKey {
  const keys = { find: (apiKey: string) => (apiKey === key.apiKey ? key : undefined) };
  return verifySignedRequest(keys, {
    apiKey: KEY,
    rawQuery: "",
    rawBody: "",
    ip: "203.0.113.7",
    now_ms: NOW_MS,
    permission: "TRADE",
    ...request,
  });
}

interface Refusal {
  readonly status: number;
  readonly code: number;
  readonly msg?: string;
  readonly details?: unknown;
}

function assertRefused(refusal: Refusal, request: Partial<SignedRequest>, key = keyWith()): void {
  assert.throws(
    () => verify(request, key),
    (error: unknown) => {
      assert.ok(error instanceof FapiError, String(error));
      const { status, code, message, details } = error;
      assert.deepEqual([status, code], [refusal.status, refusal.code], message);
      if (refusal.msg !== undefined) assert.equal(message, refusal.msg);
      if (refusal.details !== undefined) assert.deepEqual(details, refusal.details);
      return true;
    },
  );
}

const missing = (name: string): Refusal => ({
  status: 400,
  code: -1102,
  msg: `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
});
const BAD_SIGNATURE: Refusal = { status: 400, code: -1022, msg: "Signature for this request is not valid." };
const KEY_FORMAT: Refusal = { status: 401, code: -2014, msg: "API-key format invalid." };
const keyRefused = (details?: unknown): Refusal => ({
  status: 401,
  code: -2015,
  msg: "Invalid API-key, IP, or permissions for action.",
  details,
});
const BAD_WINDOW: Refusal = { status: 400, code: -1130, msg: "Data sent for parameter 'recvWindow' is not valid." };
const TWO_SIGNATURES: Refusal = {
  status: 400,
  code: -1101,
  msg: "Duplicate values for parameter 'signature' detected.",
};

const TEXT = `symbol=BTCUSDT&side=BUY&timestamp=${NOW_MS}`;
const signedQuery = (text: string) => ({ rawQuery: `${text}&signature=${sign(text)}` });
const signedBody = (text: string) => ({ rawBody: `${text}&signature=${sign(text)}` });

test("SEC-5: a published example of the signature is accepted", () => {
  // From the documentation of the compatible interface.
  const secret = "2b5eb11e18796d12d88f13dc27dbbd02c2cc51ff7059765ed9821957d82bb4d9";
  const text =
    "symbol=BTCUSDT&side=BUY&type=LIMIT&quantity=1&price=9000&timeInForce=GTC&recvWindow=5000&timestamp=1591702613943";
  const signature = "3c661234138461fcc7a7d8746c6558c9842d4e10870d2ecbedf7777cad694af9";
  const key = keyWith({ signingKey: new HmacKey(secret) });
  const now_ms = 1591702613943;
  assert.equal(verify({ rawQuery: `${text}&signature=${signature}`, now_ms }, key), key);
  assert.equal(verify({ rawBody: `${text}&signature=${signature}`, now_ms }, key), key);
  assertRefused(BAD_SIGNATURE, { rawQuery: `${text}&signature=${signature.replace("3", "4")}`, now_ms }, key);
});

test("SEC-5: parameters in the query, in the body or in both", () => {
  const key = keyWith();
  assert.equal(verify(signedQuery(TEXT), key), key);
  assert.equal(verify(signedBody(TEXT), key), key);
  const body = "quantity=1&price=60000";
  assert.equal(verify({ rawQuery: `${TEXT}&signature=${sign(TEXT + body)}`, rawBody: body }, key), key);
  assert.equal(verify({ rawQuery: TEXT, rawBody: `${body}&signature=${sign(TEXT + body)}` }, key), key);
  assert.equal(verify({ rawQuery: TEXT, rawBody: `signature=${sign(TEXT)}` }, key), key);
});

test("SEC-5: the signature may stand first, in the middle or last", () => {
  const signature = `signature=${sign(TEXT)}`;
  const [symbol, side, timestamp] = TEXT.split("&");
  for (const rawQuery of [
    `${signature}&${TEXT}`,
    `${symbol}&${signature}&${side}&${timestamp}`,
    `${TEXT}&${signature}`,
  ]) {
    assert.equal(verify({ rawQuery }).apiKey, KEY, rawQuery);
    assert.equal(verify({ rawBody: rawQuery }).apiKey, KEY, rawQuery);
  }
});

test("SEC-5: hex digits of either case are accepted", () => {
  assert.equal(verify({ rawQuery: `${TEXT}&signature=${sign(TEXT).toUpperCase()}` }).apiKey, KEY);
});

test("SEC-5: a wrong, short, long or malformed signature is refused", () => {
  const right = sign(TEXT);
  const wrong = [
    sign(`${TEXT} `),
    right.slice(1),
    `${right}0`,
    right.replace(/^./, "g"),
    `${right.slice(0, -1)}é`,
    "x",
  ];
  for (const signature of [...wrong, `%${right.slice(1)}`, "%zz"]) {
    assertRefused(BAD_SIGNATURE, { rawQuery: `${TEXT}&signature=${signature}` });
  }
  assertRefused(BAD_SIGNATURE, { rawQuery: `side=BUY&symbol=BTCUSDT&timestamp=${NOW_MS}&signature=${right}` });
  assertRefused(BAD_SIGNATURE, { ...signedQuery(TEXT), rawBody: "extra=1" });
});

test("SEC-5: a missing or empty signature is named", () => {
  assertRefused(missing("signature"), { rawQuery: TEXT });
  assertRefused(missing("signature"), { rawQuery: `${TEXT}&signature=` });
  assertRefused(missing("signature"), { rawQuery: `${TEXT}&signature` });
  assertRefused(missing("signature"), { rawQuery: `${TEXT}&mysignature=${sign(TEXT)}` });
});

test("SEC-5: a signature that comes twice is refused, even if one is right", () => {
  const pair = `signature=${sign(TEXT)}`;
  assertRefused(TWO_SIGNATURES, { rawQuery: `${TEXT}&${pair}&${pair}` });
  assertRefused(TWO_SIGNATURES, { rawQuery: `${TEXT}&${pair}`, rawBody: pair });
  assertRefused(TWO_SIGNATURES, { rawBody: `signature=0&${TEXT}&${pair}` });
});

test("SEC-5: a missing or malformed key is -2014, an unknown one -2015", () => {
  for (const apiKey of [undefined, "", "short", `${KEY}k`, `${KEY.slice(1)}-`, `${KEY.slice(1)}é`]) {
    assertRefused(KEY_FORMAT, { ...signedQuery(TEXT), apiKey });
  }
  assertRefused(keyRefused(), { ...signedQuery(TEXT), apiKey: "x".repeat(64) });
});

test("SEC-5: permission, address and end of the key are judged before anything else", () => {
  const parsed = parseAddressSet(["198.51.100.0/24"]);
  assert.ok("set" in parsed);
  const fromElsewhere = keyWith({ ipWhitelist: parsed.set });
  assertRefused(keyRefused({ rule: "ip_whitelist" }), {}, fromElsewhere);
  assert.equal(verify({ ...signedQuery(TEXT), ip: "198.51.100.9" }, fromElsewhere), fromElsewhere);
  assert.equal(verify({ ...signedQuery(TEXT), ip: "::ffff:198.51.100.9" }, fromElsewhere), fromElsewhere);
  assertRefused(keyRefused({ rule: "permissions" }), { permission: "WITHDRAW" });
  assertRefused(keyRefused({ rule: "permissions" }), {}, keyWith({ permissions: new Set(["WITHDRAW", "READ"]) }));
  assertRefused(keyRefused({ rule: "expires_at" }), {}, keyWith({ expiresAt_ms: NOW_MS }));
  assert.equal(verify(signedQuery(TEXT), keyWith({ expiresAt_ms: NOW_MS + 1 })).apiKey, KEY);
});

const atTime = (timestamp: number | string, more = "") => signedQuery(`timestamp=${timestamp}${more}`);

test("SEC-5: the window is timestamp < now + 1000 and now - timestamp <= recvWindow", () => {
  const outside = (drift_ms: number, window_ms: number): Refusal => ({
    status: 400,
    code: -1021,
    msg: `Timestamp for this request is outside of the recvWindow. (drift ${drift_ms} ms, recvWindow ${window_ms} ms)`,
    details: { rule: "recvWindow", limit: window_ms, actual: drift_ms },
  });
  for (const drift_ms of [0, 999, -5000]) assert.equal(verify(atTime(NOW_MS + drift_ms)).apiKey, KEY);
  for (const drift_ms of [1000, -5001, -6000]) assertRefused(outside(drift_ms, 5000), atTime(NOW_MS + drift_ms));
  assert.equal(verify(atTime(NOW_MS - 60_000, "&recvWindow=60000")).apiKey, KEY);
  assertRefused(outside(-60_001, 60_000), atTime(NOW_MS - 60_001, "&recvWindow=60000"));
  assertRefused(outside(-2, 1), atTime(NOW_MS - 2, "&recvWindow=1"));
  assertRefused(outside(1000, 60_000), atTime(NOW_MS + 1000, "&recvWindow=60000"));
  assert.equal(verify(atTime(NOW_MS - 5000, "&recvWindow=")).apiKey, KEY);
  // Microseconds and seconds are refused because of their distance from the server's time.
  assertRefused(outside(NOW_MS * 999, 5000), atTime(NOW_MS * 1000));
  assertRefused(outside(NOW_MS / 1000 - NOW_MS, 5000), atTime(NOW_MS / 1000));
});

test("SEC-5: a missing or malformed timestamp is named, before the signature is looked at", () => {
  const timestamps = ["", " ", "abc", "-1", "1.5", "1e12", "0x10", "+1", `${NOW_MS}.0`, "99999999999999999", "%31"];
  for (const timestamp of timestamps) assertRefused(missing("timestamp"), { rawQuery: `timestamp=${timestamp}` });
  assertRefused(missing("timestamp"), {});
  assertRefused(missing("timestamp"), { rawQuery: `mytimestamp=${NOW_MS}&timestamp` });
});

test("SEC-5: a recvWindow that is malformed, zero or too long is refused", () => {
  for (const window of ["60001", "0", "-1", "abc", "5000.5", "99999999999999999"]) {
    assertRefused(BAD_WINDOW, atTime(NOW_MS, `&recvWindow=${window}`));
  }
});

test("FUT-16: key comes before timestamp, timestamp before signature", () => {
  assertRefused(KEY_FORMAT, { apiKey: "x", rawQuery: "timestamp=abc&signature=0" });
  assertRefused(missing("timestamp"), { rawQuery: "timestamp=abc&signature=0" });
  assertRefused({ status: 400, code: -1021 }, { rawQuery: "timestamp=1&signature=0&signature=0" });
  assertRefused(TWO_SIGNATURES, { rawQuery: `timestamp=${NOW_MS}&signature=0&signature=0` });
  assertRefused(BAD_SIGNATURE, { rawQuery: `timestamp=${NOW_MS}&signature=0` });
});

test("T8: the query's timestamp wins over the body's", () => {
  const body = `timestamp=${NOW_MS}`;
  const query = "timestamp=1";
  const signature = `&signature=${sign(query + body)}`;
  assertRefused({ status: 400, code: -1021 }, { rawQuery: query, rawBody: body + signature });
  const reversed = `&signature=${sign(body + query)}`;
  assert.equal(verify({ rawQuery: body, rawBody: query + reversed }).apiKey, KEY);
  const window = "recvWindow=10000";
  const late = `timestamp=${NOW_MS - 9000}&${window}`;
  const both = `&signature=${sign(`${late}recvWindow=1`)}`;
  assert.equal(verify({ rawQuery: late, rawBody: `recvWindow=1${both}` }).apiKey, KEY);
});

const RAW = `batchOrders=[{"symbol":"BTCUSDT","price":"60000", "note":"é€"}]&timestamp=${NOW_MS}`;
const encodeValues = (text: string, encode: (value: string) => string) =>
  text
    .split("&")
    .map((pair) => pair.replace(/=(.*)$/s, (_, value: string) => `=${encode(value)}`))
    .join("&");
const PERCENT = encodeValues(RAW, encodeURIComponent);
const FORM = new URLSearchParams(RAW).toString();

test("T8: raw or encoded, the signature may cover the text as sent or its other form", () => {
  assert.notEqual(PERCENT, FORM);
  for (const sent of [RAW, PERCENT, FORM]) {
    for (const signed of [RAW, sent]) {
      assert.equal(verify({ rawBody: `${sent}&signature=${sign(signed)}` }).apiKey, KEY, `${sent} signed as ${signed}`);
      assert.equal(
        verify({ rawQuery: `${sent}&signature=${sign(signed)}` }).apiKey,
        KEY,
        `${sent} signed as ${signed}`,
      );
    }
  }
  for (const signed of [PERCENT, FORM]) {
    assert.equal(verify({ rawBody: `${RAW}&signature=${sign(signed)}` }).apiKey, KEY, `raw signed as ${signed}`);
  }
});

test("T8: query and body take the other form together", () => {
  const query = "note=a%20b";
  const body = `other=c%2Fd&timestamp=${NOW_MS}`;
  const signed = `note=a bother=c/d&timestamp=${NOW_MS}`;
  assert.equal(verify({ rawQuery: query, rawBody: `${body}&signature=${sign(signed)}` }).apiKey, KEY);
});

test("T8: no form moves a border between parameters", () => {
  const meant = `newClientOrderId=abc&reduceOnly=true&timestamp=${NOW_MS}`;
  const smuggled = `newClientOrderId=abc%26reduceOnly%3Dtrue&timestamp=${NOW_MS}`;
  assertRefused(BAD_SIGNATURE, { rawQuery: `${smuggled}&signature=${sign(meant)}` });
  assertRefused(BAD_SIGNATURE, { rawQuery: `${meant}&signature=${sign(smuggled)}` });
  const renamed = `reduce%4Fnly=true&timestamp=${NOW_MS}`;
  assertRefused(BAD_SIGNATURE, { rawQuery: `${renamed}&signature=${sign(`reduceOnly=true&timestamp=${NOW_MS}`)}` });
});

test("T8: broken percent sequences are judged as text, never as a fault of ours", () => {
  for (const value of ["%", "%z", "%zz", "%E0%A4", "%ff", "100%", "%u0041"]) {
    const text = `note=${value}&timestamp=${NOW_MS}`;
    assert.equal(verify(signedQuery(text)).apiKey, KEY, value);
    assertRefused(BAD_SIGNATURE, { rawQuery: `${text}&signature=${"0".repeat(64)}` });
  }
});

test("SEC-5: key-only calls need no signature, but one that is sent is checked", () => {
  const permission = "KEY_ONLY";
  assert.equal(verify({ permission }).apiKey, KEY);
  assert.equal(verify({ permission, rawBody: "listenKey=x&timestamp=1" }).apiKey, KEY);
  assert.equal(verify({ permission }, keyWith({ permissions: new Set(["WITHDRAW"]) })).apiKey, KEY);
  assert.equal(verify({ permission, ...signedQuery(TEXT) }).apiKey, KEY);
  assert.equal(verify({ permission, ...signedQuery("listenKey=x") }).apiKey, KEY);
  assertRefused(BAD_SIGNATURE, { permission, rawQuery: `signature=${"0".repeat(64)}` });
  assertRefused(missing("signature"), { permission, rawQuery: "signature=" });
  assertRefused({ status: 400, code: -1021 }, { permission, ...signedQuery("timestamp=1") });
  assertRefused(missing("timestamp"), { permission, ...signedQuery("timestamp=x") });
  assertRefused(KEY_FORMAT, { permission, apiKey: undefined });
  assertRefused(keyRefused({ rule: "expires_at" }), { permission }, keyWith({ expiresAt_ms: NOW_MS }));
});

const value = fc.string({ unit: "binary", maxLength: 20 }).filter((text) => text.isWellFormed());
const pair = fc.tuple(fc.constantFrom("symbol", "side", "note", "batchOrders"), value);

test("SEC-5: any parameters, signed as sent in any split and place, are accepted", () => {
  fc.assert(
    fc.property(fc.array(pair, { maxLength: 6 }), fc.nat(7), fc.nat(7), fc.boolean(), (pairs, split, place, inBody) => {
      const texts = pairs.map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
      texts.splice(split % (texts.length + 1), 0, `timestamp=${NOW_MS}`);
      const query = texts.slice(0, split);
      const body = texts.slice(split);
      const signature = `signature=${sign(query.join("&") + body.join("&"))}`;
      const target = inBody ? body : query;
      target.splice(place % (target.length + 1), 0, signature);
      assert.equal(verify({ rawQuery: query.join("&"), rawBody: body.join("&") }).apiKey, KEY);
    }),
  );
});

test("SEC-5: any text is accepted or refused by the rules, and a guessed signature never passes", () => {
  const fragment = fc.constantFrom(
    "signature=",
    "timestamp=",
    String(NOW_MS),
    "recvWindow=",
    "&",
    "=",
    "%",
    "%41",
    "+",
  );
  const text = fc.array(fc.oneof(fragment, value), { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (rawQuery, rawBody) => {
      assert.throws(() => verify({ rawQuery, rawBody }), FapiError);
    }),
    { numRuns: 1000 },
  );
});
