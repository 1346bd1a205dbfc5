// Checks the dependencies: `npm run audit`. With `--offline` the registry is not queried for known advisories; with
// `--require-advisories` the audit fails if the registry does not answer.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type AdvisoryReport, askAdvisories, isSevere } from "./audit/advisories.ts";
import { foreignPackages, type Lockfile, nameOf, neededBy } from "./audit/lockfile.ts";
import { ALLOWED, judgeLockfile, type Violation } from "./audit/rules.ts";

const USAGE = "Usage: npm run audit [-- --offline | --require-advisories]";
const FLAGS: ReadonlySet<string> = new Set(["--offline", "--require-advisories"]);

const root = fileURLToPath(new URL("..", import.meta.url));

/** Pads each column to its widest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n");
}

function counts(lockfile: Lockfile): string {
  const all = foreignPackages(lockfile).map(([path]) => path);
  const server = neededBy(lockfile, "apps/server");
  const web = neededBy(lockfile, "apps/web");
  const running = new Set([...server, ...web]);
  return table([
    ["packages in the lockfile", String(all.length)],
    ["needed by the server", String(server.size)],
    ["needed by the web app, its build included", String(web.size)],
    ["for development, tests and measuring alone", String(all.filter((path) => !running.has(path)).length)],
  ]);
}

function licenses(lockfile: Lockfile): string {
  const sums = new Map<string, number>();
  for (const [, { license = "none named" }] of foreignPackages(lockfile)) {
    sums.set(license, (sums.get(license) ?? 0) + 1);
  }
  const rows = [...sums].sort(([, one], [, other]) => other - one).map(([license, sum]) => [license, String(sum)]);
  return table(rows);
}

function allowances(lockfile: Lockfile): string {
  const scripts = foreignPackages(lockfile)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => [nameOf(path), "install script", ALLOWED.installScripts[nameOf(path)] ?? "NOT ALLOWED"]);
  const exceptions = Object.entries(ALLOWED.licenseExceptions).map(([name, why]) => [name, "license", why]);
  return table([...scripts, ...exceptions]);
}

function advisories(report: AdvisoryReport | undefined): string {
  if (report === undefined) return "  not asked for (--offline)";
  if (!report.isAnswered) return `  NOT CHECKED: ${report.reason}`;
  if (report.advisories.length === 0) return "  none known";
  return table(report.advisories.map(({ name, severity, title }) => [severity, name, title]));
}

async function main(): Promise<number> {
  const flags = process.argv.slice(2);
  if (flags.some((flag) => !FLAGS.has(flag)) || flags.length > 1) {
    console.error(USAGE);
    return 2;
  }
  const lockfile = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as Lockfile;
  const violations: readonly Violation[] = judgeLockfile(lockfile);
  const report = flags.includes("--offline") ? undefined : await askAdvisories(root);
  console.log(`Dependencies\n${counts(lockfile)}\n\nLicenses\n${licenses(lockfile)}\n`);
  console.log(`Allowed by name\n${allowances(lockfile)}\n\nKnown weaknesses\n${advisories(report)}\n`);
  if (violations.length > 0) {
    console.log(`Against the rules\n${table(violations.map(({ rule, where, problem }) => [rule, where, problem]))}\n`);
  }
  const severe = report?.isAnswered === true ? report.advisories.filter(isSevere).length : 0;
  const isUnanswered = flags.includes("--require-advisories") && report?.isAnswered !== true;
  const isFine = violations.length === 0 && severe === 0 && !isUnanswered;
  console.log(isFine ? "Nothing is against the rules." : `${violations.length + severe} against the rules.`);
  return isFine ? 0 : 1;
}

process.exitCode = await main();
