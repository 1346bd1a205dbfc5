/** Which dependencies are allowed, and why. */
import { foreignPackages, type LockedPackage, type Lockfile, nameOf, ownPackages } from "./lockfile.ts";

export interface Violation {
  readonly rule: "pin" | "integrity" | "origin" | "install-script" | "license" | "lockfile" | "stale";
  readonly where: string;
  readonly problem: string;
}

export interface Allowances {
  /** Licenses under which any package may be used. */
  readonly licenses: readonly string[];
  /** By package: another license or none, and why it is allowed. */
  readonly licenseExceptions: Readonly<Record<string, string>>;
  /** By package: what it runs when it is installed, and why that is allowed. */
  readonly installScripts: Readonly<Record<string, string>>;
}

export const ALLOWED: Allowances = {
  // All of them let the project keep its own license; none requires publishing the sources of what uses it.
  licenses: [
    "MIT",
    "Apache-2.0",
    "ISC",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "BlueOak-1.0.0",
    "Unlicense",
    "CC0-1.0",
  ],
  licenseExceptions: {
    "@fontsource-variable/inter": "OFL-1.1: a font, shipped unchanged beside the web app",
    "@fontsource-variable/jetbrains-mono": "OFL-1.1: a font, shipped unchanged beside the web app",
    "axe-core": "MPL-2.0, used unchanged: tests only",
    lightningcss: "MPL-2.0, used unchanged: build of the web app only",
    memorystream:
      "says `licenses: MIT` in the form of 2011, which the lockfile does not keep; used by the compiler of contracts alone",
  },
  installScripts: {
    bufferutil: "picks a ready-made binary; optional, the streams work without it",
    ccxt: "prints a greeting, for which it asks its code host for figures about itself",
    esbuild: "checks that the binary for this platform is there, and fetches it from the registry if not",
    secp256k1: "picks a ready-made binary; without one it works in JavaScript",
  },
};

const EXACT = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;
/** The only registry address that the lockfile may contain: the tarball of the same package and version. */
const isTarballOf = (resolved: string, path: string, version: string): boolean => {
  if (!URL.canParse(resolved)) return false;
  const { protocol, username, pathname } = new URL(resolved);
  const name = nameOf(path);
  const file = `${name.split("/").at(-1)}-${version}.tgz`;
  return protocol === "https:" && username === "" && pathname.endsWith(`/${name}/-/${file}`);
};

/** Every direct dependency must be one version and no range. */
function unpinned(lockfile: Lockfile): Violation[] {
  return ownPackages(lockfile).flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = lockfile.packages[path] ?? {};
    const named = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    return named
      .filter(([, version]) => !EXACT.test(version))
      .map(([name, version]): Violation => {
        return { rule: "pin", where: path === "" ? "the root" : path, problem: `${name} is "${version}"` };
      });
  });
}

function wrongOrigin(path: string, { version = "", integrity, resolved, inBundle }: LockedPackage): Violation[] {
  const violations: Violation[] = [];
  if (!EXACT.test(version)) violations.push({ rule: "pin", where: path, problem: `version "${version}"` });
  if (inBundle !== true && !INTEGRITY.test(integrity ?? "")) {
    violations.push({ rule: "integrity", where: path, problem: integrity ?? "there is none" });
  }
  if (resolved !== undefined && !isTarballOf(resolved, path, version)) {
    violations.push({ rule: "origin", where: path, problem: `comes from ${resolved}` });
  }
  return violations;
}

/** Of several licenses joined by OR one must be allowed, of those joined by AND all. */
export function isLicenseAllowed(license: string | undefined, allowed: readonly string[]): boolean {
  if (license === undefined) return false;
  const text = license.replace(/^\((.*)\)$/, "$1");
  if (/[()]/.test(text)) return false;
  return text.split(" OR ").some((choice) => choice.split(" AND ").every((each) => allowed.includes(each.trim())));
}

/** A package of a family by platform, such as `lightningcss-linux-x64-gnu`, is checked as its family. */
const isExcepted = (name: string, exceptions: Readonly<Record<string, string>>): boolean =>
  Object.keys(exceptions).some((each) => name === each || name.startsWith(`${each}-`));

/**
 * An exception for a package that is no longer installed must be removed, because another package could take the name.
 */
function staleAllowances(lockfile: Lockfile, { licenseExceptions, installScripts }: Allowances): Violation[] {
  const foreign = foreignPackages(lockfile);
  const names = new Set(foreign.map(([path]) => nameOf(path)));
  const scripted = new Set(foreign.filter(([, each]) => each.hasInstallScript).map(([path]) => nameOf(path)));
  return [
    ...Object.keys(licenseExceptions).filter((name) => !names.has(name)),
    ...Object.keys(installScripts).filter((name) => !scripted.has(name)),
  ].map((where) => ({ rule: "stale", where, problem: "is allowed something that it does not need any more" }));
}

/** All violations of the rules in the lockfile. */
export function judgeLockfile(lockfile: Lockfile, allowances: Allowances = ALLOWED): readonly Violation[] {
  if (lockfile.lockfileVersion !== 3) {
    return [{ rule: "lockfile", where: "package-lock.json", problem: `version ${lockfile.lockfileVersion}, not 3` }];
  }
  const ofPackages = foreignPackages(lockfile).flatMap(([path, locked]): Violation[] => {
    const violations = wrongOrigin(path, locked);
    const name = nameOf(path);
    if (locked.hasInstallScript === true && allowances.installScripts[name] === undefined) {
      violations.push({ rule: "install-script", where: path, problem: "runs a script when it is installed" });
    }
    const isFree = isLicenseAllowed(locked.license, allowances.licenses);
    if (!isFree && !isExcepted(name, allowances.licenseExceptions)) {
      violations.push({ rule: "license", where: path, problem: locked.license ?? "names no license" });
    }
    return violations;
  });
  return [...unpinned(lockfile), ...ofPackages, ...staleAllowances(lockfile, allowances)];
}
