import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isSevere, readAdvisories } from "./audit/advisories.ts";
import { type LockedPackage, type Lockfile, neededBy } from "./audit/lockfile.ts";
import { ALLOWED, isLicenseAllowed, judgeLockfile } from "./audit/rules.ts";

const real = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as Lockfile;
const GOOD: LockedPackage = { version: "1.2.3", license: "MIT", integrity: `sha512-${"A".repeat(86)}==` };
const NOTHING_BY_NAME = { ...ALLOWED, licenseExceptions: {}, installScripts: {} };

const lockfileOf = (packages: Readonly<Record<string, LockedPackage>>): Lockfile => ({ lockfileVersion: 3, packages });
const rulesBrokenBy = (locked: LockedPackage, path = "node_modules/one") =>
  judgeLockfile(lockfileOf({ [path]: locked }), NOTHING_BY_NAME).map(({ rule }) => rule);

describe("the audit of dependencies", () => {
  it("SEC-9: the project's own lockfile keeps every rule", () => {
    assert.ok(Object.keys(real.packages).length > 300);
    assert.deepEqual(judgeLockfile(real), []);
  });

  it("a good package is fine, each fault is named", () => {
    assert.deepEqual(rulesBrokenBy(GOOD), []);
    const { integrity: _, ...unsealed } = GOOD;
    const faults: readonly [string, LockedPackage][] = [
      ["integrity", unsealed],
      ["integrity", { ...GOOD, integrity: "sha1-AAAA" }],
      ["pin", { ...GOOD, version: "latest" }],
      ["origin", { ...GOOD, resolved: "git+ssh://git@example.test/one.git#abc" }],
      ["origin", { ...GOOD, resolved: "http://packages.example/one/-/one-1.2.3.tgz" }],
      ["origin", { ...GOOD, resolved: "https://user@packages.example/one/-/one-1.2.3.tgz" }],
      ["origin", { ...GOOD, resolved: "https://packages.example/two/-/two-1.2.3.tgz" }],
      ["origin", { ...GOOD, resolved: "https://packages.example/one/-/one-1.2.4.tgz" }],
      ["origin", { ...GOOD, resolved: "file:../one" }],
      ["install-script", { ...GOOD, hasInstallScript: true }],
      ["license", { ...GOOD, license: "GPL-3.0-only" }],
      ["license", { ...GOOD, license: "MIT AND GPL-3.0-only" }],
      ["license", { ...GOOD, license: "SEE LICENSE IN LICENSE" }],
    ];
    for (const [rule, locked] of faults) assert.deepEqual(rulesBrokenBy(locked), [rule], JSON.stringify(locked));
    const { license: __, ...unnamed } = GOOD;
    assert.deepEqual(rulesBrokenBy(unnamed), ["license"]);
    assert.deepEqual(rulesBrokenBy({ ...GOOD, resolved: "https://packages.example/one/-/one-1.2.3.tgz" }), []);
  });

  it("what is bundled is covered by the package it lies in", () => {
    const { integrity: _, ...unsealed } = GOOD;
    assert.deepEqual(rulesBrokenBy({ ...unsealed, inBundle: true }, "node_modules/one/node_modules/two"), []);
  });

  it("ranges in the project's own packages are refused, in every list", () => {
    for (const version of ["^1.2.3", "~1.2.3", "*", "latest", ">=1", "1.x", "github:one/two", "file:../one"]) {
      for (const list of ["dependencies", "devDependencies", "optionalDependencies"]) {
        const lockfile = lockfileOf({ "": {}, "apps/server": { [list]: { one: version } }, "node_modules/one": GOOD });
        const rules = judgeLockfile(lockfile, NOTHING_BY_NAME).map(({ rule }) => rule);
        assert.deepEqual(rules, ["pin"], `${version} in ${list}`);
      }
    }
  });

  it("what is allowed by name and is gone must be taken off the list", () => {
    const allowed = {
      licenses: ["MIT"],
      licenseExceptions: { gone: "a font" },
      installScripts: { one: "picks a file" },
    };
    const stale = judgeLockfile(lockfileOf({ "node_modules/one": GOOD }), allowed);
    assert.deepEqual(
      stale.map(({ rule, where }) => [rule, where]),
      [
        ["stale", "gone"],
        ["stale", "one"],
      ],
    );
    const used = lockfileOf({
      "node_modules/gone-linux-x64": { ...GOOD, license: "OFL-1.1" },
      "node_modules/gone": { ...GOOD, license: "OFL-1.1" },
      "node_modules/one": { ...GOOD, hasInstallScript: true },
    });
    assert.deepEqual(judgeLockfile(used, allowed), []);
  });

  it("of licenses joined by OR one is enough, of those joined by AND all are needed", () => {
    const allowed = ["MIT", "Apache-2.0"];
    for (const good of ["MIT", "(MIT OR GPL-3.0-only)", "GPL-3.0-only OR Apache-2.0", "MIT AND Apache-2.0"]) {
      assert.equal(isLicenseAllowed(good, allowed), true, good);
    }
    for (const bad of [undefined, "", "GPL-3.0-only", "MIT AND X", "(MIT OR X) AND Y", "mit"]) {
      assert.equal(isLicenseAllowed(bad, allowed), false, bad);
    }
  });

  it("what a workspace needs is found where it would be loaded from", () => {
    const lockfile = lockfileOf({
      "apps/server": { dependencies: { one: "1.2.3", "@own/kit": "1.0.0" } },
      "packages/kit": { dependencies: { three: "1.2.3" } },
      "node_modules/@own/kit": { link: true, resolved: "packages/kit" },
      "node_modules/one": { ...GOOD, dependencies: { two: "1" } },
      "node_modules/one/node_modules/two": { ...GOOD, dependencies: { three: "1" } },
      "node_modules/two": GOOD,
      "node_modules/three": GOOD,
      "node_modules/unused": GOOD,
    });
    const needed = [...neededBy(lockfile, "apps/server")].sort();
    assert.deepEqual(needed, ["node_modules/one", "node_modules/one/node_modules/two", "node_modules/three"]);
    assert.ok(neededBy(real, "apps/server").has("node_modules/fastify"));
    assert.ok(!neededBy(real, "apps/server").has("node_modules/playwright-core"));
  });

  it("reads what the registry knows, and says so where it does not answer", () => {
    const via = [{ title: "reads beyond the end" }, "two"];
    const text = JSON.stringify({ vulnerabilities: { one: { name: "one", severity: "high", via } } });
    const report = readAdvisories(text);
    assert.ok(report.isAnswered);
    assert.deepEqual(report.advisories, [
      { name: "one", severity: "high", title: "reads beyond the end; through two" },
    ]);
    assert.deepEqual(report.advisories.map(isSevere), [true]);
    assert.deepEqual(readAdvisories('{"vulnerabilities":{}}'), { isAnswered: true, advisories: [] });
    for (const silent of ["", "<html>", "{}", '{"message":"405 - POST https://packages.example/x"}']) {
      const { isAnswered } = readAdvisories(silent);
      assert.equal(isAnswered, false, silent);
    }
    const refused = readAdvisories('{"message":"405 - POST https://packages.example/x"}');
    assert.deepEqual(refused, { isAnswered: false, reason: "405 - POST the registry" });
  });

  it("the command prints its tables and ends well offline, and refuses what it does not know", async () => {
    const script = fileURLToPath(new URL("audit.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, script, "--offline"]);
    for (const text of ["needed by the server", "Apache-2.0", "secp256k1", "not asked for", "Nothing is against"]) {
      assert.ok(stdout.includes(text), `${text} is missing in:\n${stdout}`);
    }
    const wrong = promisify(execFile)(process.execPath, [...process.execArgv, script, "--nonsense"]);
    await assert.rejects(wrong, { code: 2 });
  });
});
