import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { Engine, NEWEST_RULES, OLDEST_RULES, RULES_WITH_REFERENCES, State } from "@bourse/engine";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { kernelMigrations } from "../../kernel/database/kernel-migrations.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { ApiError } from "../../kernel/errors.ts";
import { journalFolder } from "../../kernel/journal/segments.ts";
import { exchangeAccountMigrations } from "../accounts/migrations.ts";
import { checkDatabase } from "../host/database-check.ts";
import { rehearseAside } from "../journal/rehearse-rules.ts";
import { snapshotFolder } from "../journal/snapshots.ts";
import { Wallets } from "../journal/wallets.ts";
import { connectOutbox, createMemoryExchange } from "../testing/memory-exchange.ts";
import { RulesAdmin } from "./rules-admin.ts";

const clock = new ManualClock(Date.UTC(2026, 5, 1));
const walletOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}`;
const ACTOR = { actor: "admin", role: "admin", ip: null } as never;

const refusedWith = (status: number, message: RegExp) => (error: Error) => {
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.status, status);
  assert.match(error.message, message);
  return true;
};

describe("raising the rules of an exchange", () => {
  let database: Database;
  let possible = NEWEST_RULES;
  const engine = new Engine(new State(OLDEST_RULES));
  const exchange = createMemoryExchange({ engine, clock });
  const wallets = new Wallets();
  exchange.listen(({ command }) => wallets.see(command, engine.state));
  let connected: ReturnType<typeof connectOutbox>;
  let rules: RulesAdmin;
  const takenUp: number[] = [];
  let obstacle: string | undefined;

  before(async () => {
    database = await openTestDatabase({ ...kernelMigrations, ...exchangeAccountMigrations });
    connected = connectOutbox({ database, clock, exchange });
    connected.dispatcher.start();
    const rehearse = () => Promise.reject(new Error("nothing is rehearsed here"));
    const knownRules = async () => possible;
    const audit = createAuditLog({ clock });
    const takeUpSettings = async () => void takenUp.push(exchange.engine.state.rulesVersion);
    const obstacleTo = (version: number) => (version === 5 ? obstacle : undefined);
    const more = { folder: "", rehearse, knownRules, takeUpSettings, obstacleTo };
    rules = new RulesAdmin({ database, clock, audit, exchange, ...connected, ...more });
    for (const number of [1, 2, 3]) await connected.directory.ensure(walletOf(number));
  });

  after(async () => {
    await connected.dispatcher.stop();
    await database.close();
  });

  it("LOG-5: an unknown version is a clear refusal, and nothing changes", async () => {
    await assert.rejects(
      rules.set({ version: NEWEST_RULES + 1 }, ACTOR),
      refusedWith(400, new RegExp(`knows rules up to version ${NEWEST_RULES}`)),
    );
    await assert.rejects(rules.set({ version: OLDEST_RULES }, ACTOR), refusedWith(409, /version 3 holds already/));
    assert.deepEqual(await rules.read(), { version: 3, newest: NEWEST_RULES, possible: NEWEST_RULES });
  });

  it("LOG-5: it is refused until every process can apply the version", async () => {
    possible = OLDEST_RULES;
    await assert.rejects(rules.set({ version: 4 }, ACTOR), refusedWith(409, /can apply rules up to version 3 only/));
    possible = NEWEST_RULES;
    assert.equal(engine.state.rulesVersion, OLDEST_RULES);
  });

  it("LOG-1, LOG-5: raised, every account commits to its wallet, and the database can be held against the log", async () => {
    const reply = await rules.set({ version: 4, reason: "the drill went well" }, ACTOR);
    assert.deepEqual(reply, {
      version: 4,
      newest: NEWEST_RULES,
      possible: NEWEST_RULES,
      dry_run: false,
      rehearsal: null,
    });
    await connected.dispatcher.idle();
    for (const account of [1, 2, 3]) {
      assert.notEqual(engine.state.accounts.commitment(account), "");
      assert.equal(wallets.of(account), walletOf(account));
    }
    await checkDatabase({ database, state: engine.state, wallets });
    const entries = await database.db.selectFrom("audit_log").select(["action", "target"]).execute();
    assert.deepEqual(entries, [{ action: "rules.version", target: "4" }]);
    await assert.rejects(rules.set({ version: 4 }, ACTOR), refusedWith(409, /version 4 holds already/));
    assert.deepEqual(takenUp, [4], "settings are noted once the rules know references");
    assert.equal(await connected.directory.ensure(walletOf(4)), 4);
    await checkDatabase({ database, state: engine.state, wallets });
  });

  it("FUT-13, LOG-5: version 5 waits until production has three price sources", async () => {
    obstacle = "PRICE_SOURCES names 1 of the 3 price sources";
    await assert.rejects(rules.set({ version: 5 }, ACTOR), refusedWith(409, /names 1 of the 3 price sources/));
    assert.equal(engine.state.rulesVersion, 4);
    obstacle = undefined;
    assert.equal((await rules.set({ version: 5 }, ACTOR)).version, 5);
  });
});

describe("a rehearsal of later rules", () => {
  async function goldenFolder(t: TestContext) {
    const golden = new URL("../journal/testing/golden/rules-3/", import.meta.url).pathname;
    const folder = await makeTempDir(t);
    cpSync(join(golden, "snapshots"), snapshotFolder(folder), { recursive: true });
    mkdirSync(journalFolder(folder));
    for (const name of readdirSync(join(golden, "journal"))) {
      cpSync(join(golden, "journal", name), join(journalFolder(folder), name.replace(".segment", ".log")));
    }
    return folder;
  }

  it("LOG-5: replays the window by both; references change nobody's money", async (t) => {
    const folder = await goldenFolder(t);
    const rehearsal = await rehearseAside({ folder, number: 900, version: RULES_WITH_REFERENCES, since_ms: 0 });
    assert.deepEqual([rehearsal.fromNumber, rehearsal.commands, rehearsal.differences], [2, 899, []]);
    assert.equal(rehearsal.feeAccount.now_micros, rehearsal.feeAccount.rehearsed_micros);
    assert.ok(rehearsal.feeAccount.now_micros > 0);
  });

  it("LOG-5: by the rules of a fair market money would have gone other ways, and the rehearsal says whose", async (t) => {
    const folder = await goldenFolder(t);
    const rehearsal = await rehearseAside({ folder, number: 900, version: NEWEST_RULES, since_ms: 0 });
    assert.deepEqual([rehearsal.fromNumber, rehearsal.commands], [2, 899]);
    assert.ok(rehearsal.differences.length > 0);
  });

  it("LOG-5: a window that begins later leaves the commands before it alone", async (t) => {
    const folder = await goldenFolder(t);
    const all = await rehearseAside({ folder, number: 900, version: NEWEST_RULES, since_ms: 0 });
    const late = await rehearseAside({ folder, number: 900, version: NEWEST_RULES, since_ms: Number.MAX_SAFE_INTEGER });
    assert.deepEqual([late.fromNumber, late.commands, late.differences], [901, 0, []]);
    assert.ok(all.commands > late.commands);
  });
});
