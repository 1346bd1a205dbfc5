/** Known advisories for the installed versions, if the registry answers. */
import { spawn } from "node:child_process";

export interface Advisory {
  readonly name: string;
  readonly severity: string;
  readonly title: string;
}

export type AdvisoryReport =
  | { readonly isAnswered: true; readonly advisories: readonly Advisory[] }
  | { readonly isAnswered: false; readonly reason: string };

/** From this severity on the audit fails. */
const SEVERE: ReadonlySet<string> = new Set(["high", "critical"]);
export const isSevere = ({ severity }: Advisory): boolean => SEVERE.has(severity);

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly via: readonly (string | { readonly title?: string })[];
}

interface AuditOutput {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string; readonly code?: string };
}

/** Removes the address of the registry. */
const withoutAddress = (text: string) => text.replace(/https?:\/\/\S+/g, "the registry").trim();

/** Parses the output of `npm audit --json`. */
export function readAdvisories(text: string): AdvisoryReport {
  let output: AuditOutput;
  try {
    output = JSON.parse(text) as AuditOutput;
  } catch {
    return { isAnswered: false, reason: "npm audit printed no JSON" };
  }
  const { vulnerabilities, message, error } = output;
  if (vulnerabilities === undefined) {
    const reason = message ?? error?.summary ?? error?.code ?? "npm audit gave no report";
    return { isAnswered: false, reason: withoutAddress(reason) };
  }
  const advisories = Object.values(vulnerabilities).map(({ name, severity, via }): Advisory => {
    const titles = via.map((each) => (typeof each === "string" ? `through ${each}` : (each.title ?? "no title")));
    return { name, severity, title: [...new Set(titles)].join("; ") };
  });
  return { isAnswered: true, advisories };
}

const TIMEOUT_ms = 60_000;

/** Queries the advisories of the installed packages. */
export function askAdvisories(root: string): Promise<AdvisoryReport> {
  return new Promise((resolve) => {
    // On Windows the command is a script, which only a shell can start.
    const isWindows = process.platform === "win32";
    const child = spawn(isWindows ? "npm.cmd" : "npm", ["audit", "--omit=dev", "--json"], {
      cwd: root,
      stdio: ["ignore", "pipe", "ignore"],
      timeout: TIMEOUT_ms,
      shell: isWindows,
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("error", ({ message }) => resolve({ isAnswered: false, reason: `npm cannot be run: ${message}` }));
    child.on("close", (_code, signal) => {
      if (signal !== null) resolve({ isAnswered: false, reason: `no answer within ${TIMEOUT_ms / 1_000} s` });
      else resolve(readAdvisories(text));
    });
  });
}
