import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { openTestDatabase, type TestDatabase } from "./testing.ts";

/** Sends a value as a parameter of the SQL type through a stored column, and returns what is read back. */
async function roundTrip(database: TestDatabase, type: string, value: unknown): Promise<unknown> {
  return await database.db.transaction().execute(async (tx) => {
    await sql`create temporary table round_trip (value ${sql.raw(type)}) on commit drop`.execute(tx);
    await sql`insert into round_trip values (${value})`.execute(tx);
    const { rows } = await sql<{ value: unknown }>`select value from round_trip`.execute(tx);
    return rows[0]?.value;
  });
}

describe("values between JavaScript and SQL", () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  const unchanged: [type: string, value: unknown][] = [
    ["boolean", true],
    ["boolean", false],
    ["int4", -2147483648],
    ["int8", 9223372036854775807n],
    ["int8", -1n],
    ["int8", 5n],
    ["float8", 0.1],
    ["numeric", "123456789012345678901234567890.000001"],
    ["text", 'quotes " and \\ and ünïcödé 🚀'],
    ["text", ""],
    ["text", "2026-01-31"],
    ["uuid", "0190163d-8694-739b-aea5-966c26f8ad91"],
    ["date", "2026-02-28"],
    ["timestamptz", new Date("2026-01-31T23:59:59.999Z")],
    ["timestamptz", new Date("1969-12-31T00:00:00.001Z")],
    ["bytea", Buffer.from([0, 1, 0x5c, 0xff])],
    ["bytea", Buffer.alloc(0)],
    ["text[]", ["plain", "with,comma", 'with"quote', "back\\slash", "{brace}", "", "NULL", null]],
    ["text[]", []],
    ["int8[]", [1n, -9223372036854775808n]],
    ["int4[]", [1, null, 3]],
    ["boolean[]", [true, false]],
    ["timestamptz[]", [new Date("2026-01-31T12:00:00.000Z")]],
    ["uuid[]", ["0190163d-8694-739b-aea5-966c26f8ad91"]],
    ["bytea[]", [Buffer.from([0, 0xff])]],
    ["jsonb", { name: "a", list: [1, "2", null], nested: { deep: true } }],
  ];
  for (const [type, value] of unchanged) {
    const shown = value instanceof Uint8Array ? `bytes ${Buffer.from(value).toString("hex")}` : String(value);
    it(`${type} gives back ${shown}`, async () => {
      assert.deepEqual(await roundTrip(database, type, value), value);
    });
  }

  it("null is null in every type, and undefined is null too", async () => {
    for (const type of ["text", "int8", "timestamptz", "bytea", "jsonb", "text[]", "boolean"]) {
      assert.equal(await roundTrip(database, type, null), null);
      assert.equal(await roundTrip(database, type, undefined), null);
    }
  });

  it("plain byte arrays are taken like buffers, and bytes always come back as a Buffer", async () => {
    const part = new Uint8Array([9, 8, 7, 6]).subarray(1, 3);
    const bytes = await roundTrip(database, "bytea", part);
    assert.ok(Buffer.isBuffer(bytes));
    assert.deepEqual([...bytes], [8, 7]);
  });

  it("a bigint is taken by every number type, and a number by int8", async () => {
    assert.equal(await roundTrip(database, "numeric", 12345678901234567890n), "12345678901234567890");
    assert.equal(await roundTrip(database, "int4", 7n), 7);
    assert.equal(await roundTrip(database, "int8", 7), 7n);
  });

  it("long columns of numbers pass exactly, whole or not, also with gaps between them", async () => {
    const whole = Array.from({ length: 1_000 }, (_, place) => (place - 500) * 9_007_199_254_740);
    assert.deepEqual(await roundTrip(database, "int8[]", whole), whole.map(BigInt));
    const broken = Array.from({ length: 100 }, (_, place) => place / 7);
    const special = [...broken, Number.NaN, Number.POSITIVE_INFINITY, -0.5, 1e300, 2 ** 53 - 1];
    assert.deepEqual(await roundTrip(database, "float8[]", special), special);
    const gaps = Array.from({ length: 100 }, (_, place) => (place % 3 === 0 ? null : place));
    assert.deepEqual(await roundTrip(database, "int4[]", gaps), gaps);
    const truths = Array.from({ length: 100 }, (_, place) => place % 3 === 0);
    assert.deepEqual(await roundTrip(database, "bool[]", truths), truths);
  });

  it("JSON text is taken as the value it encodes, arrays and strings included", async () => {
    for (const value of [[1, { a: null }], "text", 5, false, {}]) {
      assert.deepEqual(await roundTrip(database, "jsonb", JSON.stringify(value)), value);
      assert.deepEqual(await roundTrip(database, "json", JSON.stringify(value)), value);
    }
  });

  it("a day begins at midnight UTC", async () => {
    const { rows } = await sql<{ day: string; start: Date }>`
      select ${new Date("2026-01-31T23:59:59.999Z")}::timestamptz::date as day,
             date_trunc('day', ${new Date("2026-02-01T00:00:00Z")}::timestamptz) as start`.execute(database.db);
    assert.deepEqual(rows, [{ day: "2026-01-31", start: new Date("2026-02-01T00:00:00Z") }]);
  });

  it("counts and sums are bigint and text, never a number that could lose digits", async () => {
    const { rows } = await sql`
      select count(*) as count, sum(n) as total from generate_series(1::int8, 3) n`.execute(database.db);
    assert.deepEqual(rows, [{ count: 3n, total: "6" }]);
  });

  it("a timestamp beyond JavaScript's range is an error, not a wrong date", async () => {
    await assert.rejects(sql`select 'infinity'::timestamptz as at`.execute(database.db), /does not fit/);
  });

  it("large values pass whole in both directions", async () => {
    const text = "0123456789abcdef".repeat(200_000);
    assert.equal(await roundTrip(database, "text", text), text);
    const { rows } = await sql<{ n: number }>`select n from generate_series(1, 50000) n`.execute(database.db);
    assert.equal(rows.length, 50_000);
    assert.equal(rows[49_999]?.n, 50_000);
  });
});
