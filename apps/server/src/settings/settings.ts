import { resolve } from "node:path";
import { type Definition, definitions, type EarlierSettings, type Settings } from "./definitions.ts";
import { SettingProblem } from "./kinds.ts";

export type { Settings } from "./definitions.ts";

/** All problems of the settings, found in one pass. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the settings do not hold:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "SettingsError";
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
/** Returns a development server's stored secret for a setting; makes a random one at the first call. */
export type DevelopmentSecrets = (dataDir: string) => (name: string) => string;

/** Processes of these roles must have the same secrets, so none can make its own. */
const SHARING_ROLES: ReadonlySet<string> = new Set(["gateway", "worker"]);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/**
 * Reads every setting from the environment (RUN-2 … RUN-5). All problems are collected and thrown together, so that an operator can
 * fix them in one pass.
 */
export function readSettings(environment: Environment, developmentSecrets: DevelopmentSecrets): Settings {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const isProduction = environment["BOURSE_ENV"] === "production";
  let secretFor: ((name: string) => string) | undefined;

  const role = environment["ROLE"] ?? "all";
  const isNeeded = ({ isSecret, isNotForGateways }: Definition<unknown>) =>
    !isSecret || !(role === "engine" || (role === "gateway" && isNotForGateways));

  const unset = (definition: Definition<unknown>): unknown => {
    if (!isNeeded(definition)) return undefined;
    if (isProduction && definition.requiredInProduction) {
      problems.push(`${definition.env} is missing: ${definition.about}`);
      return undefined;
    }
    if (definition.isSecret && SHARING_ROLES.has(role)) {
      problems.push(`${definition.env} is missing: gateways and workers need the same one`);
      return undefined;
    }
    if (definition.isSecret) {
      secretFor ??= developmentSecrets(String(values["dataDir"]));
      return definition.kind.read(secretFor(definition.env));
    }
    const { fallback } = definition;
    return typeof fallback === "function" ? fallback(values as unknown as EarlierSettings) : fallback;
  };

  for (const [key, definition] of Object.entries(definitions) as [string, Definition<unknown>][]) {
    const given = environment[definition.env];
    try {
      values[key] = given === undefined || given === "" ? unset(definition) : definition.kind.read(given);
      if (key === "dataDir") values[key] = resolve(String(values[key]));
    } catch (error) {
      if (!(error instanceof SettingProblem)) throw error;
      problems.push(`${definition.env} ${error.message}`);
    }
  }
  const settings = values as unknown as Settings;
  if (problems.length === 0 || isProduction) problems.push(...crossChecks(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** The contracts' addresses. The embedded chain has its own; for any other chain they must be set. */
const CONTRACTS = ["usdtAddress", "earnAddress", "referralAddress", "vaultAddress"] as const;

/** Additional requirements of processes that share the work. */
function roleProblems({ role, natsUrl, databaseUrl }: Settings): string[] {
  if (role === "all") return [];
  const problems: string[] = [];
  if (natsUrl === undefined) problems.push(`NATS_URL is missing: ROLE ${role} follows the command log there`);
  if (role !== "engine" && databaseUrl === undefined) {
    problems.push(`DATABASE_URL is missing: ROLE ${role} shares the database with other processes`);
  }
  return problems;
}

const MIN_HISTORY_days = 7;

/** LOG-8: the log is what proves everything else, so none of it is removed that is not elsewhere. */
function retentionProblems({ historyDays, logDays, backupDir, role }: Settings): string[] {
  if (historyDays > 0 && historyDays < MIN_HISTORY_days) {
    return [`HISTORY_DAYS must be 0 or at least ${MIN_HISTORY_days}: clients ask for the last week without saying so`];
  }
  if (logDays === 0 || role === "gateway" || backupDir !== undefined) return [];
  return ["BACKUP_DIR is missing: LOG_DAYS removes segments of the journal only when it has them"];
}

/** Checks that involve several settings. */
function crossChecks(settings: Settings): string[] {
  const problems: string[] = [];
  const isDevelopment = settings.environment === "development";
  if (isDevelopment && !settings.devExposed && !LOOPBACK.test(settings.host)) {
    problems.push(`HOST ${settings.host} is not a loopback address: development needs DEV_EXPOSED=true for that`);
  }
  if (isDevelopment && settings.chainRpcUrl !== undefined) {
    for (const key of CONTRACTS.filter((contract) => settings[contract] === undefined)) {
      problems.push(
        `${definitions[key].env} is missing: CHAIN_RPC_URL leads to a chain that has the contracts already`,
      );
    }
  }
  problems.push(...roleProblems(settings), ...retentionProblems(settings));
  const secrets = Object.entries(definitions).filter(([, d]) => (d as Definition<unknown>).isSecret);
  const byValue = new Map<unknown, string>();
  for (const [key, definition] of secrets) {
    const value = settings[key as keyof Settings];
    if (value === undefined) continue;
    const other = byValue.get(value);
    if (other !== undefined) problems.push(`${definition.env} is weak: it is the same as ${other}`);
    byValue.set(value, definition.env);
  }
  return problems;
}
