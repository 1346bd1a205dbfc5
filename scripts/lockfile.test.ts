import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  /** Bundled in its parent package, whose integrity covers it. */
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lockfile = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const installed = Object.entries(lockfile.packages).filter(([path]) => path.startsWith("node_modules/"));

// Adding a dependency to an installed tree, or one that the registry has only in part, leaves gaps that break `npm ci`
// on other machines.
it("RUN-1: the lockfile pins every package for every platform, and names no host", () => {
  assert.ok(installed.length > 50);
  for (const [path, { version, integrity, resolved, link, inBundle, optionalDependencies = {} }] of installed) {
    if (link || inBundle) continue;
    assert.ok(version && integrity, `${path} has no version or integrity: generate the lockfile again`);
    assert.equal(resolved, undefined, `${path} names where it came from`);
    for (const name of Object.keys(optionalDependencies)) {
      assert.ok(
        lockfile.packages[`node_modules/${name}`],
        `${name}, which ${path} uses on some platform, is not there`,
      );
    }
  }
});
