import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { makeTempDir } from "../../../../tests/support/files.ts";
import { migrations } from "../compose/migrations.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { journalFolder, listSegments } from "../kernel/journal/segments.ts";
import { RebuildFault } from "./fault.ts";
import { logOf, type RebuildLog, withWholeLog } from "./log.ts";
import { survey } from "./survey.ts";

const GOLDEN = join(import.meta.dirname, "../exchange/journal/testing/golden");
const say = () => {};

async function folderOf(t: TestContext, rules: string): Promise<string> {
  const folder = join(await makeTempDir(t), "data");
  cpSync(join(GOLDEN, rules), folder, { recursive: true });
  for (const name of readdirSync(journalFolder(folder))) {
    renameSync(join(journalFolder(folder), name), join(journalFolder(folder), name.replace(".segment", ".log")));
  }
  return folder;
}

function lastOf(log: RebuildLog, from: number): number {
  const { engine, commands } = log.walkFrom(from);
  for (const _ of commands());
  return engine.state.commandNumber;
}

describe("the log that a database is rebuilt from", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  it("LOG-3: one of rules version 3 does not say enough for an empty database, and the line says what to do", async (t) => {
    const log = logOf(await folderOf(t, "rules-3"), say);
    await assert.rejects(survey(database, log, say), (error: Error) => {
      assert.ok(error instanceof RebuildFault, String(error));
      assert.match(error.message, /rules version 3 .*"npm run restore".*"npm run upgrade"/);
      return true;
    });
  });

  it("LOG-3: segments that were removed are read from the archive; without it nothing is guessed", async (t) => {
    const folder = await folderOf(t, "rules-4");
    const archive = await makeTempDir(t);
    mkdirSync(journalFolder(archive), { recursive: true });
    const last = lastOf(logOf(folder, say), 0);
    for (const { path } of listSegments(folder).slice(0, 2)) {
      renameSync(path, join(journalFolder(archive), basename(path)));
    }
    assert.throws(
      () => logOf(folder, say).walkFrom(0),
      /begins with command \d+, .* Set BACKUP_DIR .*"npm run restore"/,
    );
    assert.equal(lastOf(logOf(folder, say), 500), last, "a snapshot stands in for what the database has seen");
    const found = await withWholeLog(folder, archive, async (whole) => lastOf(logOf(whole, say), 0));
    assert.equal(found, last);
    assert.deepEqual(readdirSync(folder).sort(), ["expected.json", "journal", "snapshots"]);
  });
});
