import assert from "node:assert/strict";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { BonusKey } from "../../apps/server/src/identity/bonus-key.ts";
import { HmacKey } from "../../apps/server/src/identity/hmac-key.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Line {
  readonly file: string;
  readonly number: number;
  readonly text: string;
}

/** The lines of production code: no tests and no test support. */
function linesOf(...patterns: string[]): readonly Line[] {
  const files = globSync(patterns, { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|[\\/]testing[\\/.]|testing/.test(file),
  );
  assert.ok(files.length > 20, `only ${files.length} files match`);
  return files.flatMap((file) =>
    readFileSync(`${root}/${file}`, "utf8")
      .split("\n")
      .map((text, index) => ({ file: file.replaceAll("\\", "/"), number: index + 1, text })),
  );
}

const SERVER = "apps/server/src/**/*.ts";
const isComment = ({ text }: Line) => /^\s*(?:\/\/|\/?\*)/.test(text);
const placeOf = ({ file, number, text }: Line) => `${file}:${number} ${text.trim()}`;

const SECRET = "[\\w.#]*(?:secret|signature|password|apiKey|api_key|token|hmac|\\bmac|digest|listenKey|hash)";
/** Comparisons with values that are not secret: presence, length, kind. */
const HARMLESS =
  /[!=]==\s*(?:undefined|null|""|''|-?\d+|true|false|typeof|"[^"]*")|\.length\s*[!=]==|typeof\s+\S+\s*[!=]==/;

function comparesSecrets(text: string): boolean {
  const left = new RegExp(`${SECRET}\\w*(?:\\([^)]*\\))?\\)?\\s*[!=]==?`, "i");
  const right = new RegExp(`[!=]==?\\s*${SECRET}`, "i");
  return (left.test(text) || right.test(text)) && !HARMLESS.test(text);
}

/** Compared directly, because they are not secrets. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  "apps/server/src/backup/": "hashes of a backup's parts, which its manifest holds",
  "apps/server/src/chain/": "hashes of blocks and transactions, which the chain shows to all",
  "apps/server/src/kernel/audit/": "hashes of the audit log, which admins read",
  "apps/server/src/referral/": "codes and hashes on the chain, and the digest of a payout that is stored",
  "apps/server/src/exchange/": "the state's hash, for comparing replays",
  "apps/server/src/broker/": "hashes of records and batches, which their owners are shown",
  "apps/server/src/points/": "roots and leaves that are published",
  "apps/server/src/bonus/requests.ts": "the digest of a request, for telling repetitions from others",
  "apps/server/src/earn/": "hashes of transactions",
  "apps/server/src/wallet/": "hashes of transactions",
};

/** The short lengths find patterns that double with every character before the long one would take forever. */
const LENGTHS_chars = [20, 24, 3_000];
const SLOW_ms = 100;
const ATTEMPTS = 5;

function isSlow(expression: RegExp, { seed, end }: { seed: string; end: string }, length_chars: number): boolean {
  const text = seed.repeat(Math.ceil(length_chars / seed.length)) + end;
  // Of this thread alone: the time on the wall, and the process's, grow with what else runs.
  const cpu_ms = () => {
    const before = process.threadCpuUsage();
    expression.test(text);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  // A slow pattern is slow every time; a garbage collection, or a virtual machine that stands still, comes once.
  return Array.from({ length: ATTEMPTS }).every(() => cpu_ms() > SLOW_ms);
}

describe("the sources", () => {
  it("SEC-5, SEC-7: secrets are compared in constant time and nowhere by ===", () => {
    for (const caught of [
      "if (given === this.#secret) return true;",
      "return signature !== expected;",
      "if (expected == bonusAdminApiKey) ok();",
      "const ok = hmac.digest('hex') === given;",
      "row.token_hash === tokenHash",
    ]) {
      assert.ok(comparesSecrets(caught), caught);
    }
    for (const fine of ["if (token === undefined)", "signature.length === 64", 'typeof listenKey === "string"']) {
      assert.ok(!comparesSecrets(fine), fine);
    }
    const found = linesOf(SERVER)
      .filter((line) => !isComment(line) && comparesSecrets(line.text))
      .filter(({ file }) => !Object.keys(NO_SECRETS).some((place) => file.startsWith(place)));
    assert.deepEqual(found.map(placeOf), []);
    const constant = linesOf(SERVER).filter(({ text }) => text.includes("timingSafeEqual("));
    assert.deepEqual([...new Set(constant.map(({ file }) => file))].sort(), [
      "apps/server/src/backup/live-copy.ts",
      "apps/server/src/identity/bonus-key.ts",
      "apps/server/src/identity/hmac-key.ts",
      "apps/server/src/kernel/page-cursor.ts",
    ]);
  });

  it("SEC-9: SQL is made of constants; whatever comes from outside is a parameter", () => {
    // Each of these builds its text from names in the source.
    const reviewed = [
      "apps/server/src/bonus/migrations.ts",
      "apps/server/src/broker/migrations.ts",
      "apps/server/src/broker/partners/dashboards.ts",
      "apps/server/src/broker/reports/downlines.ts",
      "apps/server/src/broker/settlement/columns.ts",
      "apps/server/src/broker/settlement/settle.ts",
      "apps/server/src/broker/settlement/targets.ts",
      "apps/server/src/exchange/history/partitions.ts",
      "apps/server/src/kernel/pages.ts",
      "apps/server/src/points/migrations.ts",
      "apps/server/src/points/seasons/allocation.ts",
      "apps/server/src/referral/migrations.ts",
    ];
    const raw = linesOf(SERVER).filter(({ text }) => /sql\.(?:raw|lit)\(|sql\.raw\b/.test(text));
    assert.deepEqual([...new Set(raw.map(({ file }) => file))].sort(), reviewed);
    const requests = raw.filter(({ text }) => /request|query|params|body|principal/.test(text.replace(/_\w+/g, "")));
    assert.deepEqual(requests.map(placeOf), []);
  });

  it("SEC-9: the server runs no text as a program, and takes no chance where a guess would matter", () => {
    const forbidden = /\beval\(|new Function\(|node:vm|node:child_process|Math\.random\(/;
    // Compiles the field tables of the engine's source when it is loaded; they contain nothing from outside.
    // And the operator's command line runs PostgreSQL's own programs for a backup, without a shell; no request leads there.
    const reviewed = ["packages/engine/src/codec/compiled.ts", "apps/server/src/backup/postgresql.ts"];
    const lines = linesOf(SERVER, "packages/*/src/**/*.ts");
    const found = lines.filter((line) => !isComment(line) && forbidden.test(line.text));
    assert.deepEqual([...new Set(found.map(({ file }) => file))], reviewed, found.map(placeOf).join("\n"));
  });

  it("SEC-9: the web app makes no markup from text", () => {
    const forbidden =
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\beval\(|new Function\(|javascript:/;
    const found = linesOf("apps/web/src/**/*.ts", "apps/web/src/**/*.tsx").filter(({ text }) => forbidden.test(text));
    assert.deepEqual(found.map(placeOf), []);
  });

  it("SEC-9: no pattern for input takes long, whatever it is given", () => {
    const literal = /(?:^|[=(,:!&|?[{;]|return)\s*\/((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g;
    assert.ok(isSlow(/^(?:a+)+$/, { seed: "a", end: "!" }, 24), "a dangerous one is found");
    const patterns = linesOf(SERVER, "packages/api/src/**/*.ts", "packages/money/src/**/*.ts")
      // Settings are read once, and the operator sets them.
      .filter((line) => !isComment(line))
      // Parts of patterns that are combined elsewhere (siwe.test.ts tests those).
      .filter(({ text }) => !text.includes("$" + "{"))
      .flatMap((line) =>
        [...line.text.matchAll(literal)].map(([, source = "", flags = ""]) => ({ line, source, flags })),
      );
    assert.ok(patterns.length > 80, `only ${patterns.length} patterns were found`);
    const seeds = [
      "a",
      "0",
      "-",
      ".",
      "/",
      " ",
      "\t",
      "\n",
      "%2e",
      "..",
      "a.",
      "0.",
      "a-",
      "x:",
      "\\",
      '"',
      "é",
      "_",
      "a b",
      ",",
    ];
    const slow = patterns.flatMap(({ line, source, flags }) => {
      const expression = new RegExp(source, flags.replace("g", ""));
      const texts = seeds.flatMap((seed) => ["", "!", "\n", "\u0000"].map((end) => ({ seed, end })));
      const found = texts.find((text) => LENGTHS_chars.some((length) => isSlow(expression, text, length)));
      return found === undefined ? [] : [`${placeOf(line)} for ${JSON.stringify(found)}`];
    });
    assert.deepEqual(slow, []);
  });
});

/** The median of many measurements, in nanoseconds per call. */
function median_ns(act: () => unknown): number {
  const times = Array.from({ length: 201 }, () => {
    const began = process.hrtime.bigint();
    for (let call = 0; call < 200; call += 1) act();
    return Number(process.hrtime.bigint() - began) / 200;
  });
  return times.sort((one, other) => one - other)[100] ?? 0;
}

it("SEC-5, SEC-7: how long comparisons take, to look at", (t) => {
  const secret = createHash("sha256").update("secret").digest("hex");
  const key = new HmacKey(secret);
  const bonus = new BonusKey(secret);
  const right = createHmac("sha256", secret).update("text").digest();
  const wrongAt = (place: number) => {
    const bytes = Buffer.from(right);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  };
  assert.ok(key.hasSigned("text", right) && !key.hasSigned("text", wrongAt(0)) && !key.hasSigned("text", wrongAt(31)));
  assert.ok(bonus.matches(secret) && !bonus.matches(`x${secret.slice(1)}`) && !bonus.matches(secret.slice(0, 5)));
  assert.ok(timingSafeEqual(right, right));
  const looks: readonly [string, () => unknown][] = [
    ["signature, first byte wrong", () => key.hasSigned("text", wrongAt(0))],
    ["signature, last byte wrong", () => key.hasSigned("text", wrongAt(31))],
    ["signature, right", () => key.hasSigned("text", Buffer.from(right))],
    ["bonus key, first character wrong", () => bonus.matches(`x${secret.slice(1)}`)],
    ["bonus key, last character wrong", () => bonus.matches(`${secret.slice(0, -1)}x`)],
    ["bonus key, of another length", () => bonus.matches(secret.slice(0, 60))],
  ];
  for (const [what, act] of looks) t.diagnostic(`${what}: ${median_ns(act).toFixed(0)} ns`);
});
