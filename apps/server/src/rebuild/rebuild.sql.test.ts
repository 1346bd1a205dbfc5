import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { Prng } from "../../../../packages/engine/src/book/testing/prng.ts";
import { migrations } from "../compose/migrations.ts";
import { DatabaseMismatch } from "../exchange/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { openTestDatabase } from "../kernel/database/testing.ts";
import { RebuildFault } from "./fault.ts";
import { unclassified } from "./tables.ts";
import { walletOf } from "./testing/audit.ts";
import { rowDigests } from "./testing/row-digests.ts";
import { copyTables, type TableCopy } from "./testing/table-copies.ts";
import { type Moment, World } from "./testing/world.ts";

const IS_LONG = process.env["TEST_DEPTH"] === "long";
/** Thousands of cuts: `REBUILD_SEEDS=1000`. */
const SEEDS = Number(process.env["REBUILD_SEEDS"] ?? (IS_LONG ? 10 : 2));
const CUTS = 4;
const MOST_WORLDS = 2;

describe("a database that is rebuilt from the log", () => {
  let database: Database;
  let empty: TableCopy;

  before(async () => {
    database = await openTestDatabase(migrations);
    empty = await copyTables(database.db);
  });
  after(() => database.close());

  async function newWorld(seed: number): Promise<World> {
    const world = new World(database, seed);
    await world.begin(empty);
    return world;
  }

  it("LOG-3: every table is known to come from the log, from the chain, or to be lost", async () => {
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace`.execute(
      database.db,
    );
    assert.ok(rows.length > 60, "the query finds the tables");
    assert.deepEqual(unclassified(rows.map(({ name }) => name)), []);
  });

  it("LOG-3: has the rows of one that was never lost, from nothing and from any earlier copy; a second run writes nothing", async () => {
    const world = await newWorld(1);
    await world.live(140, { trades: true, copies: IS_LONG ? 20 : 4 });
    await world.settle();
    // Of these messages none has a reason, which only the database would know.
    const messages = () =>
      database.db.selectFrom("outbox").select(["dispatch_seq", "ref", "payload"]).orderBy("ref").execute();
    const [whole, told] = [await rowDigests(database.db), await messages()];
    const filled = Object.values(whole).filter((digest) => !digest.startsWith("0:"));
    assert.ok(filled.length > 14, JSON.stringify(whole));
    for (const copy of [empty, ...world.moments.map((moment) => moment.copy)]) {
      await world.loseDatabase(copy);
      await assert.rejects(world.restart(), (error: Error) => /"npm run rebuild"/.test(error.message));
      assert.equal(await world.rebuild(), true);
      assert.deepEqual(await rowDigests(database.db), whole);
      assert.deepEqual(await messages(), told);
      assert.equal(await world.rebuild(), false);
      await world.restart();
      await world.sync();
      assert.deepEqual(await rowDigests(database.db), whole, "the chain has nothing that the log lacks");
    }
  });

  it("LOG-3: that was interrupted is not served, and the next run goes on", async () => {
    const world = await newWorld(3);
    await world.live(80);
    await world.settle();
    const whole = await rowDigests(database.db);
    for (let batches = 1; ; batches += 1) {
      await world.loseDatabase(empty);
      let left = batches;
      const restore = async () => {
        left -= 1;
        if (left === 0) throw new Error("the machine is gone");
        return 0;
      };
      const isDone = await world.rebuild({ name: "crash", tables: [], restore }).catch((error: Error) => {
        assert.match(error.message, /the machine is gone/);
        return false;
      });
      if (isDone) return assert.ok(batches > 3, `${batches} batches`);
      await assert.rejects(world.restart(), DatabaseMismatch);
      await world.rebuild();
      assert.deepEqual(await rowDigests(database.db), whole);
    }
  });

  /** As an operator would: what a start or the rebuild refuses is mended as its line says. */
  async function comeBack(world: World, { isLost }: Pick<Moment, "isLost">): Promise<void> {
    try {
      return await world.restart();
    } catch (error) {
      assert.ok(error instanceof DatabaseMismatch, String(error));
      if (/npm run restore/.test(error.message)) {
        assert.ok(isLost, error.message);
        await world.loseAll(empty);
      }
    }
    try {
      await world.rebuild();
    } catch (error) {
      assert.ok(error instanceof RebuildFault, String(error));
      assert.match(error.message, isLost ? /empty database|older than the database/ : /empty database/);
      if (isLost) await world.loseAll(empty);
      else await world.loseDatabase(empty);
      await world.rebuild();
    }
    await world.restart();
  }

  it("LOG-2, LOG-3: wherever database and log were cut, every wallet has its own money, each deposit once, each payment once", async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const prng = new Prng(seed);
      const world = await newWorld(seed);
      for (let cut = 0; cut < CUTS; cut += 1) {
        await world.live(prng.between(10, 60));
        await world.keepMoment();
        const moment = prng.pick(world.moments);
        if (prng.isIn(30))
          await world.loseLog(
            prng.between(Math.min(moment.commands, world.records.length), world.records.length),
            moment,
          );
        else if (prng.isIn(15)) await world.loseLog(prng.between(3, world.records.length), moment);
        await world.loseDatabase(moment.copy);
        await comeBack(world, moment);
        await world.settle();
        world.assertMoney();
        await world.assertTables();
      }
    }
  });

  /** Whether a start with this defect leaves a wallet with too much or too little, in any of some worlds. */
  async function isNoticed(defect: (world: World, moment: Moment) => Promise<void>): Promise<boolean> {
    for (let seed = 1; seed <= MOST_WORLDS; seed += 1) {
      const prng = new Prng(seed);
      const world = await newWorld(seed);
      for (let cut = 0; cut < CUTS; cut += 1) {
        await world.live(prng.between(10, 60));
        await world.keepMoment();
        const moment = prng.pick(world.moments);
        await world.loseDatabase(moment.copy);
        try {
          await defect(world, moment);
          await world.settle();
          world.assertMoney();
          await world.assertTables();
        } catch (error) {
          if (error instanceof assert.AssertionError) return true;
          break;
        }
      }
    }
    return false;
  }

  /** Two deposits have numbers and wait; the database is set back, and the log gets other messages under these numbers. */
  async function usedNumbers(): Promise<{ world: World; moment: Moment }> {
    const world = await newWorld(7);
    const [first, second, third] = [1, 2, 3].map(walletOf) as [string, string, string];
    world.vault.deposit(first, 5_000_000);
    await world.settle();
    await world.keepMoment();
    world.vault.deposit(first, 5_555_000_000);
    world.vault.deposit(second, 7_000_000);
    await world.sync();
    await world.number();
    await world.keepMoment();
    const [earlier, moment] = world.moments as [Moment, Moment];
    await world.loseDatabase(earlier.copy);
    await world.restart();
    for (const wallet of [third, walletOf(4), walletOf(5)]) await world.decide(wallet);
    await world.number();
    await world.deliver();
    await world.loseDatabase(moment.copy);
    return { world, moment };
  }

  it("LOG-3: a deposit whose number the log has used is sent under another one, to the account that its wallet has now", async () => {
    const { world } = await usedNumbers();
    await assert.rejects(world.restart(), /Account 2 has another wallet in the database than in the log/);
    await world.rebuild();
    await world.restart();
    const { rows } = await sql<{ account: number; address: string }>`
      select account, address from exchange_account order by account`.execute(database.db);
    assert.deepEqual(
      rows.map(({ address }) => address),
      [1, 3, 4, 5, 2].map(walletOf),
    );
    await world.settle();
    world.assertMoney();
    await world.assertTables();
  });

  it("LOG-2, LOG-3: planted bugs are noticed: no check, a check of numbers without references, messages taken over without their references", async () => {
    assert.ok(await isNoticed((world) => world.restart("none")), "no check");
    const { world: numbered } = await usedNumbers();
    await numbered.restart("numbers");
    await numbered.settle();
    assert.throws(() => numbered.assertMoney(), /what wallet 1 owns/, "a check of numbers");
    const withoutReferences = async (world: World) => {
      await world.loseDatabase(empty);
      await world.rebuild();
      await sql`update outbox set ref = 'taken over:' || dispatch_seq`.execute(database.db);
      await sql`delete from deposit`.execute(database.db);
      await world.restart("none");
    };
    assert.ok(await isNoticed(withoutReferences), "messages without their references");
  });
});
