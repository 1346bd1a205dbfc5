import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { type Command, NEWEST_RULES, OLDEST_RULES, stateHash } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { LogReader } from "../../kernel/journal/log-reader.ts";
import { journalFolder, listSegments } from "../../kernel/journal/segments.ts";
import { LoggedExchange } from "../host/logged-exchange.ts";
import { recover } from "./recovery.ts";
import { replaySegments } from "./replay.ts";
import { engineFromNewest, snapshotFolder } from "./snapshots.ts";

interface Expected {
  readonly commands: number;
  readonly hashes: Readonly<Record<string, string>>;
  readonly accounts: number;
}

/**
 * LOG-6: data folders as each released rules version has written them, those of version 3 by release 0.1.0. They never change;
 * a new version gets a folder of its own. Segments are kept under a name that no rule for log files hides.
 */
const GOLDEN = new URL("testing/golden/", import.meta.url).pathname;
const VERSIONS = readdirSync(GOLDEN).map((name) => Number(name.replace("rules-", "")));

async function copyOf(t: TestContext, version: number) {
  const golden = join(GOLDEN, `rules-${version}`);
  const folder = await makeTempDir(t);
  cpSync(join(golden, "snapshots"), snapshotFolder(folder), { recursive: true });
  mkdirSync(journalFolder(folder));
  for (const name of readdirSync(join(golden, "journal"))) {
    cpSync(join(golden, "journal", name), join(journalFolder(folder), name.replace(".segment", ".log")));
  }
  return { folder, expected: JSON.parse(readFileSync(join(golden, "expected.json"), "utf8")) as Expected };
}

const chainOf = (path: string) => {
  const reader = new LogReader(path);
  reader.close();
  return reader.header;
};

async function openExchange(folder: string) {
  const { engine, log } = await recover({ folder, projectedNumber: Number.POSITIVE_INFINITY });
  const onFailure = (error: unknown) => assert.fail(String(error));
  const clock = new ManualClock(engine.state.time_ms);
  return new LoggedExchange({ engine, log, clock, maxCommandsWaiting: 1_000, onFailure });
}

const raise = (number: number) =>
  ({ kind: "set_rules_version", number, version: NEWEST_RULES, reference: "rules:4" }) as const;

describe("logs of released versions", () => {
  it("LOG-6: there is one for each version that this release knows", () => {
    const known = Array.from({ length: NEWEST_RULES - OLDEST_RULES + 1 }, (_, place) => OLDEST_RULES + place);
    assert.deepEqual(VERSIONS.toSorted(), known);
  });

  for (const version of VERSIONS) {
    it(`LOG-6: a log of rules version ${version} leads to its recorded hashes`, async (t) => {
      const { folder, expected } = await copyOf(t, version);
      rmSync(snapshotFolder(folder), { recursive: true });
      const engine = engineFromNewest(folder, Number.POSITIVE_INFINITY, () => assert.fail());
      let compared = 0;
      for (const _ of replaySegments(folder, engine, expected.commands)) {
        const hash = expected.hashes[engine.state.commandNumber];
        if (hash === undefined) continue;
        assert.equal(stateHash(engine.state), hash);
        compared += 1;
      }
      assert.equal(compared, 9);
      assert.equal(engine.state.rulesVersion, version);
      assert.equal(engine.state.accounts.count, expected.accounts);
    });

    it(`LOG-6: a snapshot of rules version ${version} and the log behind it lead to the same`, async (t) => {
      const { folder, expected } = await copyOf(t, version);
      const { engine, log, snapshotNumber } = await recover({ folder, projectedNumber: Number.POSITIVE_INFINITY });
      await log.close();
      assert.equal(snapshotNumber, 500);
      assert.equal(stateHash(engine.state), expected.hashes[expected.commands]);
    });

    it(`LOG-6: a folder of rules version ${version} goes on in its own format until it is upgraded`, async (t) => {
      const { folder } = await copyOf(t, version);
      const exchange = await openExchange(folder);
      await exchange.submit({ kind: "advance_time" });
      await exchange.close();
      const headers = listSegments(folder).map(({ path }) => chainOf(path));
      assert.deepEqual(new Set(headers.map(({ rulesVersion }) => rulesVersion)), new Set([version]));
      assert.equal(
        headers.every(({ chain }) => (chain === undefined) === (version === 3)),
        true,
      );
    });
  }
});

describe("a log whose rules are raised", () => {
  it("LOG-5, LOG-6: the new format begins behind the command, its chain with the hash of the state", async (t) => {
    const { folder, expected } = await copyOf(t, 3);
    const exchange = await openExchange(folder);
    const { state } = exchange.engine;
    const later: Command["kind"][] = [];
    exchange.listen(({ command }) => later.push(command.kind));
    const raised = exchange.submit(raise(state.externalNumber + 1));
    // Asked for in the same turn, and logged by the new rules all the same.
    const behind = [exchange.submit({ kind: "advance_time" }), exchange.submit({ kind: "advance_time" })];
    assert.deepEqual((await raised).events, [{ kind: "rules_version_set", version: NEWEST_RULES, previous: 3 }]);
    await Promise.all(behind);
    assert.deepEqual(later, ["set_rules_version", "advance_time", "advance_time"]);
    await exchange.close();
    const last = listSegments(folder).at(-1)!;
    assert.equal(last.firstNumber, expected.commands + 2);
    const { rulesVersion, chain } = chainOf(last.path);
    assert.equal(rulesVersion, NEWEST_RULES);
    const replayed = engineFromNewest(folder, 0, () => assert.fail());
    for (const _ of replaySegments(folder, replayed, expected.commands + 1));
    assert.equal(chain?.toString("hex"), stateHash(replayed.state));
    const again = await openExchange(folder);
    assert.equal(stateHash(again.engine.state), stateHash(exchange.engine.state));
    await again.close();
  });

  it("LOG-5: a crash right behind the command loses nothing, and the next start begins the new format", async (t) => {
    const { folder, expected } = await copyOf(t, 3);
    const exchange = await openExchange(folder);
    await exchange.submit(raise(exchange.engine.state.externalNumber + 1));
    await exchange.close();
    assert.ok(listSegments(folder).every(({ firstNumber }) => firstNumber <= expected.commands + 1));
    const again = await openExchange(folder);
    assert.equal(again.engine.state.rulesVersion, NEWEST_RULES);
    await again.submit({ kind: "advance_time" });
    await again.close();
    assert.equal(listSegments(folder).at(-1)!.firstNumber, expected.commands + 2);
    await (await openExchange(folder)).close();
  });

  it("PRF-1: a segment of another exchange does not continue the log", async (t) => {
    const [one, other] = [await copyOf(t, 3), await copyOf(t, 3)];
    for (const [{ folder }, count] of [
      [one, 1],
      [other, 2],
    ] as const) {
      const exchange = await openExchange(folder);
      const { state } = exchange.engine;
      if (count === 1)
        await exchange.submit({ kind: "deposit", account: 1, number: state.externalNumber + 1, amount_micros: 5_555 });
      else await exchange.submit({ kind: "advance_time" });
      await exchange.submit(raise(state.externalNumber + 1));
      await exchange.submit({ kind: "advance_time" });
      await exchange.close();
    }
    const path = (folder: string) => listSegments(folder).at(-1)!.path;
    cpSync(path(other.folder), path(one.folder));
    rmSync(snapshotFolder(one.folder), { recursive: true });
    await assert.rejects(recover({ folder: one.folder, projectedNumber: 0 }), (error: Error) => {
      assert.ok(error instanceof LogFault);
      assert.match(error.message, /does not continue the log: it belongs to another exchange, or was altered/);
      return true;
    });
  });
});
