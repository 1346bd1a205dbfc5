// Writes what log and chain know into the database of a stopped exchange: `npm run rebuild`.
import { rebuildDatabase } from "../apps/server/src/compose/rebuild.ts";
import { acquireFolderLock, FolderInUse } from "../apps/server/src/kernel/folder-lock.ts";
import { LogFault } from "../apps/server/src/kernel/journal/log-format.ts";
import { createLog } from "../apps/server/src/kernel/log.ts";
import { systemRandom } from "../apps/server/src/kernel/random.ts";
import { StartRefusal } from "../apps/server/src/kernel/start-refusal.ts";
import { RebuildFault } from "../apps/server/src/rebuild/index.ts";
import { developmentSecretsFrom } from "../apps/server/src/settings/development-secrets.ts";
import { readSettings, SettingsError } from "../apps/server/src/settings/settings.ts";
import { parseOptions, runCommand } from "./support/command.ts";

const USAGE = `Usage: npm run rebuild [-- [--dry-run] [--accept-loss]]

  --dry-run      only shows what the database lacks, and what is lost with it
  --accept-loss  goes on although the database held things that neither log nor chain know

The settings are those of npm start. The exchange has to be stopped.`;

/** What is in the way is the operator's to mend, not a defect of this program. */
const isExplained = (error: unknown): error is Error =>
  [RebuildFault, StartRefusal, SettingsError, LogFault, FolderInUse].some((kind) => error instanceof kind);

async function main(): Promise<number> {
  const { values } = parseOptions({
    options: {
      "dry-run": { type: "boolean", default: false },
      "accept-loss": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  try {
    const settings = readSettings(process.env, developmentSecretsFrom(systemRandom));
    const lock = acquireFolderLock(settings.dataDir);
    try {
      const opened = { settings, log: createLog(settings.logLevel), say: (line: string) => console.log(line) };
      const request = { isDry: values["dry-run"], acceptsLoss: values["accept-loss"] };
      return (await rebuildDatabase(opened, request)) ? 0 : 1;
    } finally {
      lock.release();
    }
  } catch (error) {
    if (!isExplained(error)) throw error;
    console.error(error.message);
    return 1;
  }
}

await runCommand(main, USAGE);
