import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { openEmbedded } from "../open.ts";
import { embeddedTemplate } from "./templates.ts";
import { databaseThread } from "./threads.ts";

async function open() {
  const thread = await databaseThread(await embeddedTemplate());
  return { thread, ...(await openEmbedded({ folder: undefined, thread })) };
}
type Opened = Awaited<ReturnType<typeof open>>;

/** Every kind of change that a test might leave behind. */
async function change({ db }: Opened): Promise<void> {
  await sql`create sequence counter`.execute(db);
  await sql`create table fact as select nextval('counter') as n, repeat('x', 1000) as text from generate_series(1, 5000)`.execute(
    db,
  );
  await sql`create index on fact (n)`.execute(db);
  await sql`create function one() returns int language plpgsql as 'begin return 1; end'`.execute(db);
  await sql`select one()`.execute(db);
  await sql`checkpoint`.execute(db);
  await sql`set search_path = elsewhere`.execute(db);
  await sql`select pg_advisory_lock(1)`.execute(db);
}

async function seen({ db }: Opened) {
  const { rows } = await sql`
    select (select count(*) from pg_class where relnamespace = 'public'::regnamespace) as relations,
           current_setting('search_path') as path, (select count(*) from pg_locks where locktype = 'advisory') as locks,
           pg_database_size(current_database()) as size`.execute(db);
  return rows[0];
}

describe("threads of test databases", () => {
  it("a database that was closed is as new for whoever opens it next, time and again", async () => {
    const first = await open();
    const fresh = await seen(first);
    for (let opened = first, time = 1; time <= 3; time += 1) {
      await change(opened);
      assert.notDeepEqual(await seen(opened), fresh);
      await opened.close();
      const next = await open();
      assert.equal(next.thread.worker, first.thread.worker, "the thread is used again");
      assert.deepEqual(await seen(next), fresh);
      opened = next;
      if (time === 3) await opened.close();
    }
  });

  it("whoever has closed a database reaches the next one's on its thread no more", async () => {
    const first = await open();
    await first.close();
    const second = await open();
    await assert.rejects(sql`select 1`.execute(first.db));
    await second.close();
  });

  it("two at a time are apart from each other", async () => {
    const [one, other] = [await open(), await open()];
    await change(one);
    const { rows } = await sql`select to_regclass('public.fact') as fact`.execute(other.db);
    assert.deepEqual(rows, [{ fact: null }]);
    await one.close();
    await other.close();
  });

  it("a thread that has ended is not used again", async () => {
    const first = await open();
    await first.thread.worker.terminate();
    await first.close();
    const second = await open();
    assert.notEqual(second.thread.worker, first.thread.worker);
    await seen(second);
    await second.close();
  });
});
