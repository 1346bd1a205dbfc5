import { historyOffset_ms, restoreClock } from "../../dev/index.ts";
import { type Clock, type MovableClock, systemClock } from "../../kernel/clock.ts";
import type { Database, Db } from "../../kernel/database/database.ts";
import { checkMigrations, runMigrations } from "../../kernel/database/migrations.ts";
import { openDatabase } from "../../kernel/database/open.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import type { Settings } from "../../settings/settings.ts";
import { migrations } from "../migrations.ts";
import { type Opened, stopAtOnce } from "./opened.ts";

/** A new platform with a demo starts in the past, so that it has a history when it is ready. */
function developmentClock({ demo, demoHistoryDays, chainRpcUrl }: Settings, db: Db): Promise<MovableClock> {
  const hasHistory = demo && demoHistoryDays > 0 && chainRpcUrl === undefined;
  return restoreClock(db, hasHistory ? historyOffset_ms(demoHistoryDays, systemClock.now()) : 0);
}

/** `migrates`: no other process uses the database. */
export async function openTables(
  { settings, log, say }: Opened,
  { migrates = settings.environment !== "production" } = {},
): Promise<Database> {
  const database = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl === undefined ? {} : { databaseUrl: settings.databaseUrl }),
    onProgress: say,
    onBackgroundError: (err) => log.error({ err }, "the database reports a problem"),
    onRefused: stopAtOnce,
  });
  // Until the exchange can compare: what the start has read is of the server that has answered so far.
  database.onServerChange?.(() =>
    Promise.reject(
      new StartRefusal(
        "Another database server answered before it could be compared with the log. Start this process again.",
      ),
    ),
  );
  // LOG-7: elsewhere than in production, and where no other process can use the database, the start migrates it.
  if (migrates || database.kind === "embedded") await runMigrations(database.db, migrations, say);
  else await checkMigrations(database.db, migrations);
  return database;
}

export const clockOf = (settings: Settings, db: Db): Promise<Clock> =>
  settings.environment === "development" ? developmentClock(settings, db) : Promise.resolve(systemClock);
