import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createSiweMessage } from "viem/siwe";
import { checkSignIn, formatSiweMessage, parseSiweMessage, type SiweFields, signInTarget } from "./siwe.ts";

const ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const LOWER_ADDRESS = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const ISSUED_MS = Date.UTC(2026, 5, 1, 12);

const MESSAGE = `https://exchange.example:8443 wants you to sign in with your Ethereum account:
${ADDRESS}

Sign in, please!

URI: https://exchange.example:8443/
Version: 1
Chain ID: 43113
Nonce: abcdEFGH1234
Issued At: 2026-06-01T12:00:00.000Z
Expiration Time: 2026-06-01T12:05:00+00:00
Not Before: 2026-06-01T11:00:00Z
Request ID: some-request:1
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://exchange.example/terms?v=1#top`;

const FIELDS: SiweFields = {
  scheme: "https",
  domain: "exchange.example:8443",
  address: LOWER_ADDRESS,
  statement: "Sign in, please!",
  uri: "https://exchange.example:8443/",
  chainId: 43113,
  nonce: "abcdEFGH1234",
  issuedAt_ms: ISSUED_MS,
  expirationTime_ms: ISSUED_MS + 300_000,
  notBefore_ms: ISSUED_MS - 3_600_000,
  requestId: "some-request:1",
  resources: [
    "ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/",
    "https://exchange.example/terms?v=1#top",
  ],
};

function reasonOf(text: string): string | undefined {
  const parsed = parseSiweMessage(text);
  return parsed.ok ? undefined : parsed.reason;
}

function fieldsOf(text: string): SiweFields {
  const parsed = parseSiweMessage(text);
  assert.ok(parsed.ok, parsed.ok ? "" : parsed.reason);
  return parsed.fields;
}

const replaced = (from: string, to: string) => {
  assert.ok(MESSAGE.includes(from), `the message has no ${from}`);
  return MESSAGE.replace(from, to);
};
const dropped = (start: string) => {
  const kept = MESSAGE.split("\n").filter((line) => !line.startsWith(start));
  assert.equal(kept.length, MESSAGE.split("\n").length - 1);
  return kept.join("\n");
};

test("SEC-1: a message with every field is read", () => {
  assert.deepEqual(fieldsOf(MESSAGE), FIELDS);
});

test("SEC-1: the smallest message is read; what it leaves out is undefined", () => {
  const text = `localhost wants you to sign in with your Ethereum account:
${LOWER_ADDRESS}


URI: http://localhost
Version: 1
Chain ID: 1
Nonce: 12345678
Issued At: 2026-06-01T12:00:00Z`;
  const fields = fieldsOf(text);
  const absent = [fields.scheme, fields.statement, fields.expirationTime_ms, fields.notBefore_ms, fields.requestId];
  assert.deepEqual([...absent, fields.resources], new Array(6).fill(undefined));
  assert.equal(fields.domain, "localhost");
  assert.equal(fields.chainId, 1);
});

test("SEC-1: empty resources and an empty request id are allowed", () => {
  const text = MESSAGE.slice(0, MESSAGE.indexOf("Request ID:"));
  const fields = fieldsOf(`${text}Request ID: \nResources:`);
  assert.equal(fields.requestId, "");
  assert.deepEqual(fields.resources, []);
});

test("SEC-1: messages made by a wallet library are read, and ours are the same to the letter", () => {
  const common = {
    address: ADDRESS,
    domain: "exchange.example",
    uri: "https://exchange.example",
    version: "1",
    chainId: 43114,
    nonce: "12345678abc",
    issuedAt: new Date(ISSUED_MS),
  } as const;
  const full = {
    ...common,
    scheme: "https",
    statement: "Welcome.",
    expirationTime: new Date(ISSUED_MS + 1),
    notBefore: new Date(ISSUED_MS - 1),
    requestId: "7",
    resources: ["https://exchange.example/a"],
  };
  for (const parameters of [common, { ...common, statement: "Welcome." }, full]) {
    const text = createSiweMessage(parameters);
    const fields = fieldsOf(text);
    assert.equal(fields.address, LOWER_ADDRESS);
    assert.equal(fields.issuedAt_ms, ISSUED_MS);
    assert.equal(formatSiweMessage(fields), text);
  }
});

test("SEC-1: a field that is missing, repeated, out of order or unknown is refused", () => {
  for (const label of ["URI: ", "Version: ", "Chain ID: ", "Nonce: ", "Issued At: "]) {
    assert.notEqual(reasonOf(dropped(label)), undefined, `without ${label}`);
  }
  for (const line of MESSAGE.split("\n").filter((line) => /^[A-Z][A-Za-z ]+: ./.test(line))) {
    assert.notEqual(reasonOf(replaced(line, `${line}\n${line}`)), undefined, `twice: ${line}`);
  }
  const swapped = MESSAGE.replace("Version: 1\nChain ID: 43113", "Chain ID: 43113\nVersion: 1");
  assert.equal(reasonOf(swapped), 'line 7: must begin with "Version: "');
  const late = dropped("Expiration Time: ").replace(
    "Request ID:",
    "Expiration Time: 2026-06-01T12:05:00Z\nRequest ID:",
  );
  assert.equal(reasonOf(late), "line 12: unknown, repeated or out of order");
  assert.equal(
    reasonOf(replaced("Not Before:", "Audience: x\nNot Before:")),
    "line 12: unknown, repeated or out of order",
  );
  assert.notEqual(reasonOf(`${MESSAGE}\n`), undefined);
  assert.notEqual(reasonOf(`${MESSAGE}\nURI: https://elsewhere.example`), undefined);
  assert.notEqual(reasonOf(`\n${MESSAGE}`), undefined);
  assert.equal(reasonOf(MESSAGE.slice(0, MESSAGE.indexOf("URI: ") - 2)), "line 5: the message ends too early");
  assert.notEqual(reasonOf(""), undefined);
});

test("SEC-1: line ends are LF and nothing else", () => {
  assert.notEqual(reasonOf(MESSAGE.replaceAll("\n", "\r\n")), undefined);
  assert.notEqual(reasonOf(replaced("43113\n", "43113\r\n")), undefined);
  for (const separator of ["\r", "\u2028", "\v", "\0"]) {
    assert.notEqual(reasonOf(replaced("please!", `please!${separator}`)), undefined);
    assert.notEqual(reasonOf(replaced(":8443/", `:8443/${separator}`)), undefined);
  }
});

test("SEC-1: each field is held to its grammar", () => {
  const wrong: [from: string, to: string, reason: string][] = [
    ["https://exchange", "ht tps://exchange", "line 1: the scheme is malformed"],
    ["https://exchange", "://exchange", "line 1: the scheme is malformed"],
    ["exchange.example:8443 wants", " wants", "line 1: the domain is malformed"],
    ["exchange.example:8443 wants", "exchange.example/path wants", "line 1: the domain is malformed"],
    ["exchange.example:8443 wants", "exchange.example:8o wants", "line 1: the domain is malformed"],
    ["exchange.example:8443 wants", "exchänge.example wants", "line 1: the domain is malformed"],
    [
      "Ethereum account:",
      "Ethereum account",
      'line 1: must end with "wants you to sign in with your Ethereum account:"',
    ],
    ["0x5aAeb", "0x5aaeb", "line 2: must be an address, in mixed case with its checksum"],
    [`${ADDRESS}\n\n`, `${ADDRESS}\n`, "line 3: must be empty"],
    ["please!", "pleäse", "line 4: the statement has characters that EIP-4361 does not allow"],
    ["please!", 'please "', "line 4: the statement has characters that EIP-4361 does not allow"],
    ["please!\n\n", "please!\n", "line 5: must be empty"],
    ["URI: https", "URI:  https", "line 6: the URI is malformed"],
    ["URI: https://exchange.example:8443/", "URI: exchange", "line 6: the URI is malformed"],
    ["URI: https://exchange.example:8443/", "URI: https://x/%zz", "line 6: the URI is malformed"],
    ["URI: https://exchange.example:8443/", "URI: https://x/a b", "line 6: the URI is malformed"],
    ["URI: https://exchange.example:8443/", "URI: https://x/#a#b", "line 6: the URI is malformed"],
    ["Version: 1", "Version: 2", "line 7: the version must be 1"],
    ["Version: 1", "Version: 1 ", "line 7: the version must be 1"],
    ["Chain ID: 43113", "Chain ID: 0xa869", "line 8: the chain id must be a number"],
    ["Chain ID: 43113", "Chain ID: -1", "line 8: the chain id must be a number"],
    ["Chain ID: 43113", "Chain ID: ", "line 8: the chain id must be a number"],
    ["Chain ID: 43113", "Chain ID: 9007199254740993", "line 8: the chain id is too large"],
    ["abcdEFGH1234", "abcd", "line 9: the nonce must be 8 or more letters and digits"],
    ["abcdEFGH1234", "abcd-efgh-1234", "line 9: the nonce must be 8 or more letters and digits"],
    ["12:00:00.000Z", "12:00:00", 'line 10: "Issued At: " must be followed by an RFC 3339 date-time'],
    ["12:05:00+00:00", "later", 'line 11: "Expiration Time: " must be followed by an RFC 3339 date-time'],
    ["T11:00:00Z", "T25:00:00Z", 'line 12: "Not Before: " must be followed by an RFC 3339 date-time'],
    ["some-request:1", "some request", "line 13: the request id is malformed"],
    ["Resources:", "Resources: none", 'line 14: "Resources:" must stand alone'],
    ["- https://exchange.example/terms", "* https://exchange.example/terms", 'line 16: must begin with "- "'],
    ["- https://exchange.example/terms", "- terms", "line 16: the resource is not a URI"],
  ];
  for (const [from, to, reason] of wrong) assert.equal(reasonOf(replaced(from, to)), reason);
});

test("SEC-1: domains and URIs of every kind RFC 3986 knows are read", () => {
  for (const domain of ["localhost:3000", "127.0.0.1:8080", "[::1]:8080", "a.b.example", "user@host"]) {
    assert.equal(fieldsOf(replaced("exchange.example:8443 wants", `${domain} wants`)).domain, domain);
  }
  for (const uri of ["did:key:z6Mk", "http://[::1]:80/x?y=[", "urn:a:b", "https://u:p@h:1/%20?q=/?#f/?", "x:"]) {
    const isPlain = !uri.endsWith("[");
    assert.equal(parseSiweMessage(replaced("URI: https://exchange.example:8443/", `URI: ${uri}`)).ok, isPlain, uri);
  }
});

test("SEC-1: no text makes the reader throw or dawdle", () => {
  const lines = fc.constantFrom(...MESSAGE.split("\n"), "", "Resources:", "- x:y", "Issued At: ", "\r");
  const shuffled = fc.array(lines, { maxLength: 25 }).map((parts) => parts.join("\n"));
  const edited = fc
    .tuple(fc.nat(MESSAGE.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([at, cut, text]) => MESSAGE.slice(0, at) + text + MESSAGE.slice(at + cut));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), shuffled, edited), (text) => {
      const parsed = parseSiweMessage(text);
      // An accepted message has the same fields after formatting and parsing again.
      if (parsed.ok) assert.deepEqual(fieldsOf(formatSiweMessage(parsed.fields)), parsed.fields);
      else assert.match(parsed.reason, /^line \d+: /);
    }),
    { numRuns: 500 },
  );
  assert.equal(reasonOf(`${MESSAGE}${"x".repeat(4096)}`), "longer than 4096 characters");
  assert.equal(reasonOf(replaced("URI: https:", `URI: https://${"a:".repeat(1500)}`)), "line 6: the URI is malformed");
});

const TARGET = { domain: "exchange.example:8443", uri: "https://exchange.example:8443", chainId: 43113 };
const judged = (changes: Partial<SiweFields>, now_ms = ISSUED_MS) =>
  checkSignIn({ ...FIELDS, ...changes }, { ...TARGET, now_ms });

test("WIRE-1: domain and URI come from the public URL", () => {
  assert.deepEqual(signInTarget("https://exchange.example:8443", 43113), TARGET);
  assert.deepEqual(signInTarget("http://127.0.0.1:8080/", 1).uri, "http://127.0.0.1:8080");
});

test("SEC-1: the check names the first thing that is wrong", () => {
  assert.equal(judged({}), undefined);
  assert.equal(judged({ uri: "https://exchange.example:8443" }), undefined);
  assert.equal(judged({ scheme: undefined }), undefined);
  assert.equal(judged({ scheme: "http" }), "scheme does not match https");
  assert.equal(judged({ domain: "exchange.example" }), "domain does not match exchange.example:8443");
  assert.equal(judged({ domain: "evil.example", chainId: 1 }), "domain does not match exchange.example:8443");
  assert.equal(judged({ uri: "https://exchange.example:8443//" }), "URI does not match https://exchange.example:8443");
  assert.equal(judged({ uri: "https://exchange.example:8443/x" }), "URI does not match https://exchange.example:8443");
  assert.equal(judged({ uri: "http://exchange.example:8443" }), "URI does not match https://exchange.example:8443");
  assert.equal(judged({ chainId: 43114 }), "chain id does not match 43113");
});

test("SEC-1: issued-at may lie 60 s ahead, expiry and not-before are exact", () => {
  assert.equal(judged({ issuedAt_ms: ISSUED_MS + 60_000 }), undefined);
  assert.equal(judged({ issuedAt_ms: ISSUED_MS + 60_001 }), "issued-at is in the future");
  assert.equal(judged({ expirationTime_ms: ISSUED_MS + 1 }), undefined);
  assert.equal(judged({ expirationTime_ms: ISSUED_MS }), "the message has expired");
  assert.equal(judged({ expirationTime_ms: undefined }), undefined);
  assert.equal(judged({ notBefore_ms: ISSUED_MS }), undefined);
  assert.equal(judged({ notBefore_ms: ISSUED_MS + 1 }), "the message is not valid yet");
  assert.equal(judged({ notBefore_ms: undefined }), undefined);
});
