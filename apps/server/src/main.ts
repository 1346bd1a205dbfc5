import { setFlagsFromString } from "node:v8";
import { RUNTIME_FLAGS } from "@bourse/engine";
import type { Opened, Running } from "./compose/roles/opened.ts";
import { acquireFolderLock, type FolderLock } from "./kernel/folder-lock.ts";
import { createLog } from "./kernel/log.ts";
import { systemRandom } from "./kernel/random.ts";
import { StartRefusal } from "./kernel/start-refusal.ts";
import { settingsAsText } from "./settings/describe.ts";
import { developmentSecretsFrom } from "./settings/development-secrets.ts";
import { readSettings, SettingsError } from "./settings/settings.ts";

/** WIRE-12: the process ends within ten seconds of a stop signal, whatever hangs. */
const SHUTDOWN_LIMIT_MS = 9_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Ends a start that cannot continue, with a one-sentence message. */
function giveUp(message: string): never {
  process.stderr.write(`\nBourse cannot start: ${message}\n`);
  process.exit(1);
}

function stopOnSignals(running: Running, lock: FolderLock): void {
  let isStopping = false;
  const stop = (why: string) => {
    if (isStopping) return;
    isStopping = true;
    say(`\n${why}: finishing what was accepted…`);
    setTimeout(() => {
      process.stderr.write("stopping took too long; leaving now\n");
      process.exit(1);
    }, SHUTDOWN_LIMIT_MS).unref();
    running.close().then(
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
  // The launcher has a channel to this process: without the launcher, nothing could stop this process any more.
  if (process.channel) {
    process.on("disconnect", () => stop("The launcher is gone"));
    process.channel.unref();
  }
}

interface Held extends Opened {
  readonly lock: FolderLock;
}

function open(): Held {
  for (const flag of RUNTIME_FLAGS) setFlagsFromString(flag);
  let held: FolderLock | undefined;
  const settings = readSettings(process.env, (dataDir) => {
    // Taken before the secrets are read, so that two concurrent first starts cannot each make their own.
    held = acquireFolderLock(dataDir);
    return developmentSecretsFrom(systemRandom)(dataDir);
  });
  return { settings, lock: held ?? acquireFolderLock(settings.dataDir), log: createLog(settings.logLevel), say };
}

/** Loads only what the role needs. */
async function startRole(opened: Opened): Promise<Running> {
  const { role, natsUrl } = opened.settings;
  switch (role) {
    case "all":
      if (natsUrl === undefined) return (await import("./compose/roles/platform.ts")).startPlatform(opened);
      return (await import("./compose/roles/all-on-nats.ts")).startAllOnNats(opened);
    case "worker":
      return (await import("./compose/roles/worker.ts")).startWorker(opened);
    case "gateway":
      return (await import("./compose/roles/gateway.ts")).startGateway(opened);
    case "engine":
      return (await import("./compose/roles/engine.ts")).startEngine(opened);
  }
}

async function start(): Promise<void> {
  const opened = open();
  stopOnSignals(await startRole(opened), opened.lock);
}

if (process.argv.includes("--help")) {
  say(`Usage: npm start\n\nSettings (environment variables):\n\n${settingsAsText()}`);
} else {
  try {
    await start();
  } catch (error) {
    if (error instanceof SettingsError || error instanceof StartRefusal) giveUp(error.message);
    const isAddressInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    if (isAddressInUse) giveUp("the port is in use; set PORT to another one");
    giveUp(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}
