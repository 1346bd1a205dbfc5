import { historyOffset_ms, restoreClock } from "../../dev/index.ts";
import { type Clock, type MovableClock, systemClock } from "../../kernel/clock.ts";
import type { Database, Db } from "../../kernel/database/database.ts";
import { runMigrations } from "../../kernel/database/migrations.ts";
import { openDatabase } from "../../kernel/database/open.ts";
import type { Settings } from "../../settings/settings.ts";
import { migrations } from "../migrations.ts";
import type { Opened } from "./opened.ts";

/** A new platform with a demo starts in the past, so that it has a history when it is ready. */
function developmentClock({ demo, demoHistoryDays, chainRpcUrl }: Settings, db: Db): Promise<MovableClock> {
  const hasHistory = demo && demoHistoryDays > 0 && chainRpcUrl === undefined;
  return restoreClock(db, hasHistory ? historyOffset_ms(demoHistoryDays, systemClock.now()) : 0);
}

export async function openTables({ settings, log, say }: Opened): Promise<Database> {
  const database = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl === undefined ? {} : { databaseUrl: settings.databaseUrl }),
    onProgress: say,
    onBackgroundError: (err) => log.error({ err }, "the database reports a problem"),
  });
  await runMigrations(database.db, migrations, say);
  return database;
}

export const clockOf = (settings: Settings, db: Db): Promise<Clock> =>
  settings.environment === "development" ? developmentClock(settings, db) : Promise.resolve(systemClock);
