import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import { plainText, Raw } from "./json-text.ts";

/*
 * Values of careless clients and of attackers. None of these texts looks like something that a reply could leak, so
 * that an echo of them does not count as a leak.
 */

const NUMBERS: readonly unknown[] = [
  ...[0, -1, 1, 1.5, -0.5, 12, 1e9, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 8.64e15, 8.64e15 + 1],
  ...["1e400", "-1e400", "1e-400", "-0", "99999999999999999999", "1.00000000000000000001", "0.1e1"].map(
    (text) => new Raw(text),
  ),
];

const NO_JSON = ["NaN", "Infinity", "-Infinity", "undefined", "01", "+1", ".5", "0x10", "1_000"].map(
  (text) => new Raw(text),
);

const NUMBER_TEXTS: readonly string[] = [
  ...["0", "-0", "-1", "1.5", "0.0000000000001", "1e3", "1e400", "-1e400", "NaN", "Infinity", "-Infinity", "0x10"],
  ...["+1", " 1", "1 ", "1,5", "1.2.3", ".", "-", "１２", "١٢", "99999999999999999999", "9007199254740993", "1n"],
  ...["0.30000000000000004", "4294967296", "2147483648", "-2147483649", "9".repeat(400), `0.${"0".repeat(400)}1`],
];

const WRONG_KINDS: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [1, 2], { a: 1 }, { length: 1 }, { toString: 1 }, { $gt: "" }],
];

const HOSTILE_TEXTS: readonly string[] = [
  ...["", " ", "\u0000", "a\u0000b", "\ud800", "a\udfff\ud800b", "\u202eabc", "\ufeff", "\u{1f600}", "e\u0301"],
  ...["\u0001\u0002\u001f", "\r\nX-Injected: 1", "a\nb", "\t", "\u2028", "ﷺ".repeat(40), "İ", "ß", "ǅ"],
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "null", "undefined"],
  ...["' or '1'='1", "'; drop table wallet; --", '" or ""="', "%", "_", "\\", "$1", "{}", "[]", "#{7*7}", "{{7*7}}"],
  ...["<script>alert(1)</script>", "../../etc/passwd", "..\\..\\windows", "%00", "%ff", "%2e%2e%2f", "|id", "`id`"],
];

const DATES: readonly string[] = [
  ...["0000-00-00", "2026-02-30", "2026-13-01", "9999-12-31", "10000-01-01", "2026-6-1", "2026-06-01T25:00:00Z"],
  ...["-271821-04-19T00:00:00Z", "+275760-09-13T00:00:00.001Z", "+275760-09-13T00:00:00.000Z", "0001-01-01T00:00:00Z"],
  ...["2026-06-01T12:00:00+99:99", "2026-06-01 12:00", "yesterday", "1969-12-31T23:59:59Z", "294277-01-01"],
];

const NAMES: readonly string[] = [
  ...["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff", "not-a-uuid"],
  ...[
    `0x${"0".repeat(40)}`,
    `0x${"f".repeat(40)}`,
    `0x${"g".repeat(40)}`,
    `0x${"a".repeat(39)}`,
    `0x${"a".repeat(41)}`,
  ],
  ...["0x52908400098527886E0F7030069857D2E4169eE7", `0X${"A".repeat(40)}`, `0x${"0".repeat(64)}`, "0x", "btcusdt"],
  ...["BTC/USDT", "NOPEUSDT", "BTCUSDT,ETHUSDT", "buy", "limit", "ALL", "*", "-", "A".repeat(64), "a b"],
];

const LONG_TEXTS = [65, 129, 300, 513, 5_000, 70_000, 300_000].map((length) => "x".repeat(length));

/** Texts for a path, a query or a header. Long ones are rare, because they cost time. */
export function badText(prng: Prng): string {
  if (prng.isIn(2)) return prng.pick(LONG_TEXTS);
  return prng.pick(prng.pick([NUMBER_TEXTS, HOSTILE_TEXTS, DATES, NAMES]));
}

/** Any JSON value, and some text that is not JSON. */
export function badValue(prng: Prng, good: unknown): unknown {
  const dice = prng.below(100);
  if (dice < 20) return prng.pick(NUMBERS);
  if (dice < 36) return prng.pick(WRONG_KINDS);
  if (dice < 40) return prng.pick(NO_JSON);
  if (dice < 44) return prng.pick([[good], { value: good }, [good, good], [[good]], plainText(good)]);
  return badText(prng);
}

/** Ways to encode a text in a query or a path, valid and invalid. */
export function encoded(prng: Prng, text: string): string {
  const isWhole = text.isWellFormed();
  if (isWhole && prng.isIn(85)) return encodeURIComponent(text);
  return prng.pick([
    [...Buffer.from(text.slice(0, 100), "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
    `${encodeURIComponent(text.toWellFormed())}%`,
    `%ff${encodeURIComponent(text.toWellFormed())}`,
    `%00${encodeURIComponent(text.toWellFormed())}`,
    "%zz",
    "%c0%ae%c0%ae",
    "%ed%a0%80",
    encodeURIComponent(encodeURIComponent(text.toWellFormed())),
  ]);
}
