// LOG-7: brings the database to this release, as a step of its own: `npm run migrate`.
import { join, resolve } from "node:path";
import { migrations } from "../apps/server/src/compose/migrations.ts";
import { readMigrations, runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { openDatabase } from "../apps/server/src/kernel/database/open.ts";
import { acquireFolderLock } from "../apps/server/src/kernel/folder-lock.ts";
import { parseOptions, runCommand } from "./support/command.ts";

const USAGE = `Usage: npm run migrate [-- --contract]

Runs the migrations of this release that the database lacks. Processes of the release before go on meanwhile.

  --contract  also those that take away what only earlier releases use. First stop all their processes

DATABASE_URL says where the database is, as for npm start; without it, it is the embedded one in DATA_DIR.`;

const root = join(import.meta.dirname, "..");

async function migrate(withContracts: boolean): Promise<void> {
  const { DATA_DIR, DATABASE_URL } = process.env;
  const dataDir = resolve(root, DATA_DIR || "./data");
  const databaseUrl = DATABASE_URL || undefined;
  const lock = databaseUrl === undefined ? acquireFolderLock(dataDir) : undefined;
  try {
    const database = await openDatabase({ dataDir, databaseUrl });
    try {
      let count = 0;
      const onProgress = (line: string) => {
        count += 1;
        console.log(line);
      };
      await runMigrations(database.db, migrations, onProgress, { withContracts });
      const { contracts } = await readMigrations(database.db, migrations);
      console.log(count === 0 ? "The database is up to date." : `${count} migrations were run.`);
      if (contracts.length > 0)
        console.log(`With --contract there are ${contracts.length} more: ${contracts.join(", ")}.`);
    } finally {
      await database.close();
    }
  } finally {
    lock?.release();
  }
}

await runCommand(async () => {
  const options = { contract: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
  const { values } = parseOptions({ options });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    await migrate(values.contract);
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }
}, USAGE);
