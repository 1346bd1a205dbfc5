// Backs up an exchange, restores a backup or checks one: `npm run backup|restore|verify -- <folder>`.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BackupFault, checkBackup, makeBackup, restoreBackup, tableText } from "../apps/server/src/backup/index.ts";
import { LogFault } from "../apps/server/src/kernel/journal/log-format.ts";

const USAGE = `Usage: npm run backup -- <folder>                      everything into a new folder, also while the exchange runs
       npm run restore -- <folder> [--until <number>] [--log <folder>]
                                                       from that folder into an empty place; up to a command;
                                                       with the log of BACKUP_DIR, or of the old data folder, behind it
       npm run verify -- <folder>                      only checks the folder

DATA_DIR and DATABASE_URL say where the exchange is, as for npm start.`;

class UsageError extends Error {}

const root = join(import.meta.dirname, "..");
const say = (line: string) => console.error(line);
const count = (value: number) => value.toLocaleString("en-US");

interface Request {
  readonly folder: string;
  readonly until: number | undefined;
  readonly log: string | undefined;
}

function readRequest(mode: string | undefined, args: readonly string[]): Request | undefined {
  if (mode !== "backup" && mode !== "restore" && mode !== "verify") throw new UsageError("backup, restore or verify");
  const { values, positionals } = parsed(args);
  if (values.help === true) return undefined;
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new UsageError("one folder is needed");
  const { until, log } = values;
  if ((until ?? log) !== undefined && mode !== "restore") throw new UsageError("--until and --log are for restore");
  if (until !== undefined && !/^[1-9]\d{0,15}$/.test(until)) {
    throw new UsageError(`--until needs the number of a command, not ${until}`);
  }
  const place = (path: string) => resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
  return {
    folder: place(folder),
    until: until === undefined ? undefined : Number(until),
    log: log === undefined ? undefined : place(log),
  };
}

function parsed(args: readonly string[]) {
  try {
    const options = { until: { type: "string" }, log: { type: "string" }, help: { type: "boolean" } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Nothing but these two settings matters here, so that no secret is needed to make a backup. */
const placeOf = ({ DATA_DIR, DATABASE_URL }: NodeJS.ProcessEnv) => ({
  dataDir: resolve(root, DATA_DIR || "./data"),
  databaseUrl: DATABASE_URL || undefined,
});

async function run(mode: string | undefined, args: readonly string[]): Promise<void> {
  const request = readRequest(mode, args);
  if (request === undefined) return console.log(USAGE);
  const { folder, until, log } = request;
  if (mode === "verify") {
    const { manifest, findings } = await checkBackup(folder, say);
    for (const line of tableText(findings)) console.log(line);
    console.log(`${folder} is whole: made ${manifest.made_at} by release ${manifest.release}.`);
  } else if (mode === "restore") {
    const place = placeOf(process.env);
    const { command_number, state_hash, commandsBeyond } = await restoreBackup({ ...place, folder, until, log, say });
    console.log(`Restored into ${place.dataDir} up to command ${count(command_number)}, state ${state_hash}.`);
    if (commandsBeyond > 0) {
      const behind = `The database is ${count(commandsBeyond)} commands behind the log`;
      console.log(`${behind}: "npm run rebuild" brings it to the log's end. Start afterwards.`);
    }
  } else {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const manifest = await makeBackup({ ...placeOf(process.env), folder, release: version, say });
    const { command_number, state_hash } = manifest;
    console.log(`${folder} holds everything up to command ${count(command_number)}, state ${state_hash}.`);
  }
}

/** Files that are missing, in the way or unreadable are the caller's to mend, not a defect of this program. */
const isExplained = (error: unknown): error is Error =>
  error instanceof BackupFault || error instanceof LogFault || (error instanceof Error && "syscall" in error);

try {
  const [mode, ...args] = process.argv.slice(2);
  await run(mode, args);
} catch (error) {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n${USAGE}`);
    process.exitCode = 2;
  } else if (isExplained(error)) {
    console.error(error.message);
    process.exitCode = 1;
  } else {
    throw error;
  }
}
