import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CompiledQuery, type QueryResult, sql } from "kysely";
import type { Db } from "../../kernel/database/database.ts";
import { DatabaseUnavailable } from "../../kernel/database/unavailable.ts";
import { HistoryUnreadable, readingDb } from "./reading.ts";
import { ProjectionTimeout } from "./waiting.ts";

type Answer = (query: CompiledQuery) => Promise<QueryResult<unknown>>;

/** Reads from a database that answers as is said. */
const reading = (answer: Answer, longest_ms = 10_000) =>
  readingDb<{ fill: { id: number } }>({ executeQuery: answer } as unknown as Db, longest_ms);

describe("reading history", () => {
  it("hands statements on and gives what they find", async () => {
    const asked: { sql: string; parameters: readonly unknown[] }[] = [];
    const db = reading(async (query) => {
      asked.push({ sql: query.sql, parameters: query.parameters });
      return { rows: [{ id: 7 }] };
    });
    assert.deepEqual(await db.selectFrom("fill").selectAll().where("id", ">", 6).execute(), [{ id: 7 }]);
    assert.deepEqual(asked, [{ sql: 'select * from "fill" where "id" > $1', parameters: [6] }]);
  });

  it("a database that is away or silent is a timeout to whoever asks", async () => {
    const away = reading(() => Promise.reject(new DatabaseUnavailable("ECONNREFUSED", undefined)));
    const failed = await sql`select 1`.execute(away).catch((error: unknown) => error);
    assert.ok(failed instanceof HistoryUnreadable && failed instanceof ProjectionTimeout);
    assert.equal(failed.message, "history cannot be read: the database cannot be reached (ECONNREFUSED)");
    const silent = reading(() => new Promise(() => {}), 20);
    await assert.rejects(sql`select 1`.execute(silent), { message: "history cannot be read: no answer within 20 ms" });
  });

  it("a statement that is wrong stays what it is, and nothing is written", async () => {
    const wrong = new Error("no such column");
    const db = reading(() => Promise.reject(wrong));
    await assert.rejects(sql`select 1`.execute(db), wrong);
    await assert.rejects(
      db.transaction().execute((tx) => sql`select 1`.execute(tx)),
      /history is only read/,
    );
  });
});
