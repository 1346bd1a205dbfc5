import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import { openPostgresql } from "../database/postgresql.ts";
import { openTestDatabase, type TestDatabase } from "../database/testing.ts";
import { type AuditEntry, createAuditLog } from "./audit-log.ts";

const clock = new ManualClock(Date.parse("2026-03-01T12:00:00.123Z"));
const audit = createAuditLog({ clock });

const ENTRY: AuditEntry = {
  actor: "0xabc",
  role: "admin",
  ip: "127.0.0.1",
  action: "vip.set",
  target: "0xdef",
  before: { tier: 1, nested: { z: "0.1", a: [true, null] } },
  after: { tier: 2 },
  reason: "asked for",
  request_id: "r-1",
};

describe("audit log", () => {
  let database: TestDatabase;
  const append = (entry: Partial<AuditEntry> = {}) =>
    database.db.transaction().execute((tx) => audit.append(tx, { ...ENTRY, ...entry }));
  /** A change by somebody with full rights over the database. */
  const tamper = (statement: string) =>
    database.db.transaction().execute(async (tx) => {
      await sql`alter table audit_log disable trigger audit_log_append_only`.execute(tx);
      await sql.raw(statement).execute(tx);
      await sql`alter table audit_log enable trigger audit_log_append_only`.execute(tx);
    });
  const fill = async (count: number) => {
    for (let index = 1; index <= count; index++) await append({ action: `a${index}` });
  };

  before(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => tamper("truncate audit_log"));
  after(() => database.close());

  it("SEC-8: an entry holds actor, role, ip, action, target, before, after, reason and request id", async () => {
    const { seq, hash } = await append();
    const [row] = await audit.list(database.db, { limit: 10 });
    assert.deepEqual(row, {
      ...ENTRY,
      seq: 1n,
      at: new Date("2026-03-01T12:00:00.123Z"),
      prev_hash: "0".repeat(64),
      hash,
    });
    assert.equal(seq, 1n);
    const text =
      '{"action":"vip.set","actor":"0xabc","after":{"tier":2},"at":"2026-03-01T12:00:00.123Z",' +
      '"before":{"nested":{"a":[true,null],"z":"0.1"},"tier":1},"ip":"127.0.0.1",' +
      `"prev_hash":"${"0".repeat(64)}","reason":"asked for","request_id":"r-1","role":"admin","seq":"1","target":"0xdef"}`;
    assert.equal(hash, createHash("sha256").update(text).digest("hex"));
  });

  it("SEC-8: what is left out is null, and any JSON value is kept as it was", async () => {
    const odd = { "": [], "10": { b: 1, a: 'é🚀\\"' }, "2": Number.MIN_SAFE_INTEGER, half: "\ud800", nul: "a\0b" };
    await append({
      ip: undefined,
      target: null,
      before: undefined,
      after: odd,
      reason: "half \udc00, NUL \0",
      request_id: null,
    });
    await append({ before: [1, "2", false], after: "text" });
    await append({ before: 0, after: null });
    const rows = await audit.list(database.db, { limit: 10 });
    assert.deepEqual(
      rows.map((row) => [row.before, row.after]),
      [
        [0, null],
        [[1, "2", false], "text"],
        [null, { ...odd, half: "\ufffd", nul: "a\ufffdb" }],
      ],
    );
    assert.deepEqual([rows[2]?.ip, rows[2]?.target, rows[2]?.reason], [null, null, "half \ufffd, NUL \ufffd"]);
    assert.deepEqual(await audit.verify(database.db), {
      ok: true,
      checked: 3,
      head: { seq: 3n, hash: rows[0]?.hash },
    });
  });

  it("SEC-8: text that begins with a byte order mark can be verified later", async () => {
    const marked = "\ufeffan \ufeff entry";
    await append({ reason: marked, target: "\ufeff", action: marked, before: marked, after: { [marked]: marked } });
    const [row] = await audit.list(database.db, { limit: 1 });
    assert.deepEqual([row?.reason, row?.target], ["an \ufeff entry", ""]);
    assert.deepEqual(await audit.verify(database.db), { ok: true, checked: 1, head: { seq: 1n, hash: row?.hash } });
  });

  it("SEC-8: a value that could not be verified later is refused with the whole transaction", async () => {
    await assert.rejects(append({ after: { rate: 0.1 } }), /cannot hold the number 0\.1; give it as a string/);
    assert.deepEqual(await audit.verify(database.db), {
      ok: true,
      checked: 0,
      head: { seq: 0n, hash: "0".repeat(64) },
    });
  });

  it("SEC-8: entries are listed newest first, by page, actor and action", async () => {
    for (const [actor, action] of [
      ["ann", "x"],
      ["bob", "x"],
      ["ann", "y"],
      ["ann", "x"],
    ] as const) {
      await append({ actor, action });
    }
    const seqs = async (query: Parameters<typeof audit.list>[1]) =>
      (await audit.list(database.db, query)).map((row) => row.seq);
    assert.deepEqual(await seqs({ limit: 2 }), [4n, 3n]);
    assert.deepEqual(await seqs({ limit: 2, before_seq: 3n }), [2n, 1n]);
    assert.deepEqual(await seqs({ limit: 9, actor: "ann" }), [4n, 3n, 1n]);
    assert.deepEqual(await seqs({ limit: 9, actor: "ann", action: "x" }), [4n, 1n]);
  });

  it("SEC-8: rows cannot be updated, deleted or truncated", async () => {
    await append();
    for (const statement of ["update audit_log set actor = 'x'", "delete from audit_log", "truncate audit_log"]) {
      const operation = statement.split(" ")[0]?.toUpperCase();
      await assert.rejects(sql.raw(statement).execute(database.db), {
        message: `the audit log is append-only: ${operation} refused`,
      });
    }
    assert.equal((await audit.verify(database.db)).checked, 1);
  });

  const changes: [column: string, value: string][] = [
    ["at", "at + interval '1 millisecond'"],
    ["actor", "'0xabd'"],
    ["role", "'owner'"],
    ["ip", "null"],
    ["action", "'a'"],
    ["target", "''"],
    ["before", `'{"tier": 1}'`],
    ["before", "null"],
    ["after", `'{"tier": 2.5}'`],
    ["after", `'{"tier": "2"}'`],
    ["reason", "'asked for '"],
    ["request_id", "'r-2'"],
    ["prev_hash", "repeat('0', 64)"],
    ["hash", "repeat('a', 64)"],
  ];
  for (const [column, value] of changes) {
    it(`SEC-8: changing ${column} to ${value} is found`, async () => {
      await fill(4);
      await tamper(`update audit_log set ${column} = ${value} where seq = 3`);
      const verdict = await audit.verify(database.db);
      assert.equal(verdict.ok, false);
      assert.equal(verdict.firstBad, 3n);
      assert.equal(verdict.checked, 2);
    });
  }

  it("SEC-8: a change whose hash was made to fit is found at the next entry", async () => {
    await fill(3);
    const [row] = await audit.list(database.db, { limit: 1, action: "a2" });
    assert.ok(row);
    await tamper("delete from audit_log where seq >= 2");
    clock.advance(1);
    await append({ action: "forged" });
    const rest = await audit.list(database.db, { limit: 1 });
    assert.notEqual(rest[0]?.hash, row.hash);
    await tamper(`insert into audit_log select 3, at, actor, role, ip, action, target, before, after, reason, request_id,
                  '${row.hash}', hash from audit_log where seq = 2`);
    const verdict = await audit.verify(database.db);
    assert.deepEqual(verdict, {
      ok: false,
      checked: 2,
      firstBad: 3n,
      problem: "it does not follow from the entry before it",
    });
  });

  it("SEC-8: a removed entry is found", async () => {
    await fill(4);
    await tamper("delete from audit_log where seq = 2");
    assert.deepEqual(await audit.verify(database.db), {
      ok: false,
      checked: 1,
      firstBad: 3n,
      problem: "entry 2 is missing before it",
    });
    await tamper("delete from audit_log where seq = 1");
    assert.equal((await audit.verify(database.db)).firstBad, 3n);
  });

  it("SEC-8: swapped entries are found", async () => {
    await fill(4);
    await tamper(`update audit_log set seq = -seq where seq in (2, 3)`);
    await tamper(`update audit_log set seq = 5 + seq where seq < 0`);
    assert.equal((await audit.verify(database.db)).firstBad, 2n);
  });

  it("SEC-8: a part of the chain can be verified, over more than a page", async () => {
    await database.db.transaction().execute(async (tx) => {
      for (let index = 0; index < 1_005; index++) await audit.append(tx, ENTRY);
    });
    assert.equal((await audit.verify(database.db)).checked, 1_005);
    assert.equal((await audit.verify(database.db, { from_seq: 1_001n })).checked, 5);
    await tamper("update audit_log set reason = 'x' where seq = 900");
    assert.equal((await audit.verify(database.db)).firstBad, 900n);
    assert.equal((await audit.verify(database.db, { from_seq: 901n })).ok, true);
    assert.deepEqual(await audit.verify(database.db, { from_seq: 2_000n }), {
      ok: false,
      checked: 0,
      firstBad: 1_999n,
      problem: "it is missing",
    });
  });

  it("SEC-8: entries appended at once form one chain, and a rolled back one leaves no gap", async () => {
    const second = database.databaseUrl === undefined ? undefined : await openPostgresql(database.databaseUrl);
    const appends = Array.from({ length: 40 }, (_, index) => {
      const { db } = index % 2 === 0 ? (second ?? database) : database;
      return db.transaction().execute(async (tx) => {
        await audit.append(tx, { ...ENTRY, action: `a${index}` });
        if (index % 5 === 0) throw new Error("rolled back");
      });
    });
    const outcomes = await Promise.allSettled(appends);
    await second?.close();
    assert.equal(outcomes.filter((outcome) => outcome.status === "rejected").length, 8);
    const verdict = await audit.verify(database.db);
    assert.equal(verdict.ok, true);
    assert.equal(verdict.checked, 32);
    assert.equal(verdict.head?.seq, 32n);
  });
});
