import { setFlagsFromString } from "node:v8";
import { RUNTIME_FLAGS } from "@bourse/engine";
import { bannerOf } from "./banner.ts";
import { restoreClock } from "./dev/clock-state.ts";
import { historyOffset_ms } from "./dev/history/history.ts";
import { type MovableClock, systemClock } from "./kernel/clock.ts";
import type { Db } from "./kernel/database/database.ts";
import { runMigrations } from "./kernel/database/migrations.ts";
import { openDatabase } from "./kernel/database/open.ts";
import { acquireFolderLock, type FolderLock } from "./kernel/folder-lock.ts";
import { createLog } from "./kernel/log.ts";
import { systemRandom } from "./kernel/random.ts";
import { migrations } from "./migrations.ts";
import { createPlatform, type Platform } from "./platform.ts";
import { settingsAsText } from "./settings/describe.ts";
import { developmentSecretsFrom } from "./settings/development-secrets.ts";
import { readSettings, type Settings, SettingsError } from "./settings/settings.ts";

/** WIRE-12: the process is gone within ten seconds of being told to stop, whatever hangs. */
const SHUTDOWN_LIMIT_MS = 9_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** A start that cannot go on, said in one plain sentence. */
function giveUp(message: string): never {
  process.stderr.write(`\nBourse cannot start: ${message}\n`);
  process.exit(1);
}

function stopOnSignals(platform: Platform, lock: FolderLock): void {
  let isStopping = false;
  const stop = (why: string) => {
    if (isStopping) return;
    isStopping = true;
    say(`\n${why}: finishing what was accepted…`);
    setTimeout(() => {
      process.stderr.write("stopping took too long; leaving now\n");
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    platform.close().then(
      () => {
        lock.release();
        say("Stopped.");
        process.exit(0);
      },
      (error: unknown) => {
        process.stderr.write(`stopping failed: ${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("Interrupted"));
  process.on("SIGHUP", () => stop("SIGHUP"));
  // The launcher holds a channel to this process: when the launcher is gone, nobody could stop this one any more.
  if (process.channel) {
    process.on("disconnect", () => stop("The launcher is gone"));
    process.channel.unref();
  }
}

/** A new platform with a demo begins in the past, so that it has a history by the time it is up. */
function developmentClock({ demo, demoHistoryDays, chainRpcUrl }: Settings, db: Db): Promise<MovableClock> {
  const hasHistory = demo && demoHistoryDays > 0 && chainRpcUrl === undefined;
  return restoreClock(db, hasHistory ? historyOffset_ms(demoHistoryDays, systemClock.now()) : 0);
}

async function start(): Promise<void> {
  const begun = performance.now();
  for (const flag of RUNTIME_FLAGS) setFlagsFromString(flag);
  let held: FolderLock | undefined;
  const settings = readSettings(process.env, (dataDir) => {
    // Taken before the secrets are read, so that two first starts at once cannot each make their own.
    held = acquireFolderLock(dataDir);
    return developmentSecretsFrom(systemRandom)(dataDir);
  });
  const lock = held ?? acquireFolderLock(settings.dataDir);
  const log = createLog(settings.logLevel);
  const database = await openDatabase({
    dataDir: settings.dataDir,
    ...(settings.databaseUrl === undefined ? {} : { databaseUrl: settings.databaseUrl }),
    onProgress: say,
    onBackgroundError: (err) => log.error({ err }, "the database reports a problem"),
  });
  await runMigrations(database.db, migrations, say);
  const clock = settings.environment === "development" ? await developmentClock(settings, database.db) : systemClock;
  const platform = await createPlatform({ settings, database, clock, random: systemRandom, log, onProgress: say });
  stopOnSignals(platform, lock);
  await platform.app.listen({ host: settings.host, port: settings.port });
  platform.listening(`http://${settings.host.includes(":") ? `[${settings.host}]` : settings.host}:${settings.port}`);
  say(
    bannerOf({
      settings,
      database: database.description,
      took_ms: performance.now() - begun,
      clockLead_ms: clock.now() - systemClock.now(),
    }),
  );
}

if (process.argv.includes("--help")) {
  say(`Usage: npm start\n\nSettings (environment variables):\n\n${settingsAsText()}`);
} else {
  try {
    await start();
  } catch (error) {
    if (error instanceof SettingsError) giveUp(error.message);
    const isAddressInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (isAddressInUse) giveUp("the port is in use; set PORT to another one");
    giveUp(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
