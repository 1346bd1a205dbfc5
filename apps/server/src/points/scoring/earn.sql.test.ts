import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms, dayNumberOf } from "../../kernel/dates.ts";
import { Scheduler } from "../../kernel/jobs/scheduler.ts";
import { createJobStore } from "../../kernel/jobs/store.ts";
import { dayStart_ms } from "../epochs.ts";
import type { HeldPrincipal } from "../options.ts";
import { EarnScoring, earnJob } from "./earn.ts";
import { EPOCHS, GENESIS_ms, INVITERS, ScoringBooks, walletOfAccount } from "./testing/scoring-books.ts";

const DAY = dayNumberOf(Date.UTC(2026, 5, 2));
const idOf = (number: number) => `00000000-0000-8000-a000-${number.toString().padStart(12, "0")}`;
const position = (number: number, usdt: number, address = walletOfAccount(number)): HeldPrincipal => ({
  subscription_id: idOf(number),
  address,
  principal_micros: BigInt(Math.round(usdt * 1_000_000)),
});

describe("PTS-3: points of earn positions", () => {
  let database: TestDatabase;
  let books: ScoringBooks;
  let held: HeldPrincipal[] = [];
  let askedFor_ms: number[] = [];
  let isChainRead = true;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = await new ScoringBooks(database).open();
  });
  after(() => database.close());
  beforeEach(async () => {
    await books.clear();
    [held, askedFor_ms, isChainRead] = [[], [], true];
  });

  const scoringOn = (on: Pick<Database, "db">) =>
    new EarnScoring({
      database: on,
      epochs: EPOCHS,
      inviters: INVITERS,
      engineRequests: { isNoting: false, tellAll: async () => {} },
      follower: { isPast: async () => isChainRead },
      principalsAt: async (_tx: Tx, at_ms: number) => {
        askedFor_ms.push(at_ms);
        return held;
      },
    });
  const score = (day = DAY) => scoringOn(database).score(day, async () => undefined);

  it("a point a day for each 100 USDT, at the midnight that begins the day", async () => {
    held = [position(1, 100), position(2, 12_345.678901), position(3, 0.000099)];
    const season = await books.season(22, 22);
    assert.deepEqual(await score(), { date: "2026-06-02", positions: 3, scored_before: 0, lines: 2 });
    assert.deepEqual(askedFor_ms, [dayStart_ms(DAY)]);
    const [first, second] = await books.lines();
    const { id: _id, ...line } = second!;
    assert.equal(first!.points_micros, 1_000_000n);
    assert.deepEqual(line, {
      address: walletOfAccount(2),
      source: "earn",
      points_micros: 123_456_789n,
      rule_version: 1,
      time_ms: BigInt(dayStart_ms(DAY)),
      day: DAY,
      market: null,
      trade: null,
      side: null,
      subscription_id: idOf(2),
      invitee: null,
      base_micros: 12_345_678_901n,
    });
    const totals = await books.totals();
    for (const key of [`day ${DAY}`, "epoch 22", `season ${season}`]) {
      assert.deepEqual(totals.get(`${key} ${walletOfAccount(2)}`), [123_456_789n, BigInt(dayStart_ms(DAY))]);
    }
    assert.equal(totals.size, 6);
  });

  it("PTS-1: Monday's midnight is of the epoch and the season that begin with it", async () => {
    const [first, second] = [await books.season(21, 21), await books.season(22, 22)];
    held = [position(1, 100)];
    const monday = dayNumberOf(EPOCHS.start_ms(22));
    await score(monday - 1);
    await score(monday);
    const keys = [...(await books.totals()).keys()].filter((key) => !key.startsWith("day")).sort();
    const address = walletOfAccount(1);
    assert.deepEqual(keys, [
      `epoch 21 ${address}`,
      `epoch 22 ${address}`,
      `season ${first} ${address}`,
      `season ${second} ${address}`,
    ]);
  });

  it("the inviter gets its tenth: the broker, else nobody here; market makers neither score nor are rewarded", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const customer = await books.broker.customer(kol, { ratio: 0.1 });
    const other = await books.broker.kol({ rate: 0.4 });
    const ofOther = await books.broker.customer(other, { ratio: 0.1 });
    const maker = await books.broker.customer(kol, { ratio: 0.1 });
    await books.makers(other.wallet, maker.wallet);
    held = [
      position(1, 1_000, customer.wallet),
      position(2, 1_000, ofOther.wallet),
      position(3, 1_000, maker.wallet),
      position(4, 1_000),
    ];
    await score();
    assert.deepEqual(await books.shortLines(), [
      [customer.wallet, "earn", 10_000_000n],
      [kol.wallet, "referral", 1_000_000n],
      [ofOther.wallet, "earn", 10_000_000n],
      [walletOfAccount(4), "earn", 10_000_000n],
    ]);
    const referral = (await books.lines())[1]!;
    assert.deepEqual(
      [referral.subscription_id, referral.invitee, referral.base_micros, referral.trade],
      [idOf(1), customer.wallet, 10_000_000n, null],
    );
  });

  it("done again it adds nothing; positions that were not there are added", async () => {
    const kol = await books.broker.kol({ rate: 0.4 });
    const customer = await books.broker.customer(kol, { ratio: 0.1 });
    held = [position(1, 100, customer.wallet), position(2, 100)];
    await score();
    const before_ = [await books.lines(), await books.totals()];
    assert.deepEqual(await score(), { date: "2026-06-02", positions: 2, scored_before: 2, lines: 0 });
    assert.deepEqual([await books.lines(), await books.totals()], before_);
    // A second position of the same wallet.
    held = [...held, position(3, 100, walletOfAccount(2))];
    assert.deepEqual(await score(), { date: "2026-06-02", positions: 3, scored_before: 2, lines: 1 });
    assert.equal((await books.totals()).get(`day ${DAY} ${walletOfAccount(2)}`)?.[0], 2_000_000n);
    assert.equal((await score(DAY + 1)).lines, 4, "another day is another day");
  });

  it("several at once score each position once", async () => {
    held = Array.from({ length: 30 }, (_, place) => position(place + 1, 100));
    const reports = await Promise.all([score(), score(), score(), score()]);
    assert.equal(
      reports.reduce((sum, { lines }) => sum + lines, 0),
      30,
    );
    assert.equal((await books.lines()).length, 30);
  });

  it("nothing before the genesis, and no position is asked for", async () => {
    held = [position(1, 100)];
    const day = dayNumberOf(GENESIS_ms) - 1;
    isChainRead = false;
    assert.equal((await score(day)).lines, 0);
    assert.deepEqual(askedFor_ms, []);
    isChainRead = true;
    assert.equal((await score(day + 1)).lines, 1);
  });

  it("a chain that is behind: nothing is scored, and it fails so that it is tried again", async () => {
    held = [position(1, 100)];
    isChainRead = false;
    await assert.rejects(score(), /chain's events up to 2026-06-02 00:00 UTC are not all confirmed/);
    assert.deepEqual([askedFor_ms, await books.lines()], [[], []]);
  });

  it("one position or thousands: the same number of statements", async () => {
    const count = async (positions: number) => {
      await books.clear();
      held = Array.from({ length: positions }, (_, place) =>
        position(place, 100 + place, walletOfAccount(place + 20_000)),
      );
      let statements = 0;
      const db = database.db.withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const report = await scoringOn({ db }).score(DAY, async () => undefined);
      assert.equal(report.lines, positions);
      return statements;
    };
    const one = await count(1);
    assert.ok(one <= 6, `${one} statements`);
    assert.equal(await count(6_000), one);
  });

  describe("the job points-earn", () => {
    const START_ms = Date.UTC(2026, 5, 1, 12);

    async function open(scoring = scoringOn(database)) {
      await database.db.deleteFrom("job_state").execute();
      const clock = new ManualClock(START_ms);
      const store = createJobStore(database.db);
      const onBookkeepingError = (_name: string, error: unknown) => assert.fail(String(error));
      const scheduler = new Scheduler({ clock, store, jobs: [earnJob(scoring)], onBookkeepingError });
      await scheduler.start();
      return { clock, scheduler };
    }
    const watermark = async () => (await createJobStore(database.db).load()).get("points-earn")!.watermark_ms;
    const days = async () => (await books.lines()).map(({ day }) => day);

    it("midnights that were missed are scored one by one, each as of its own time", async (t) => {
      held = [position(1, 100)];
      const { clock, scheduler } = await open();
      t.after(() => scheduler.stop());
      const reports = await scheduler.advance(clock, START_ms + 3 * DAY_ms);
      assert.deepEqual(
        reports.map(({ due_ms, error }) => [due_ms, error]),
        [0, 1, 2].map((later) => [dayStart_ms(DAY + later), undefined]),
      );
      assert.deepEqual(
        askedFor_ms,
        [0, 1, 2].map((later) => dayStart_ms(DAY + later)),
      );
      assert.deepEqual(await days(), [DAY, DAY + 1, DAY + 2]);
      assert.equal(await watermark(), dayStart_ms(DAY + 2));
    });

    it("by hand it scores the midnight of the current day, and the schedule does not score it again", async (t) => {
      held = [position(1, 100)];
      const { clock, scheduler } = await open();
      t.after(() => scheduler.stop());
      const by_hand = await scheduler.runNow("points-earn");
      assert.deepEqual(by_hand.result, { date: "2026-06-01", positions: 1, scored_before: 0, lines: 1 });
      assert.equal(await watermark(), START_ms, "by hand the watermark stays");
      await scheduler.advance(clock, START_ms + DAY_ms);
      const again = await scheduler.runNow("points-earn");
      assert.deepEqual(again.result, { date: "2026-06-02", positions: 1, scored_before: 1, lines: 0 });
      assert.deepEqual(await days(), [DAY - 1, DAY]);
    });

    it("points and watermark are one: a run that dies at its end has done nothing, and is repeated", async (t) => {
      held = [position(1, 100)];
      const scoring = scoringOn(database);
      let dies = true;
      const mortal = {
        score: (day: number, atEnd: (tx: Tx) => Promise<void>) =>
          scoring.score(day, async (tx) => {
            await atEnd(tx);
            if (dies) throw new Error("pulled the plug");
          }),
      } as EarnScoring;
      const { clock, scheduler } = await open(mortal);
      t.after(() => scheduler.stop());
      const [report] = await scheduler.advance(clock, dayStart_ms(DAY));
      assert.equal(report?.error, "pulled the plug");
      assert.deepEqual([await days(), await watermark()], [[], START_ms]);
      dies = false;
      const [repeated] = await scheduler.advance(clock, dayStart_ms(DAY) + 1_000);
      assert.deepEqual([repeated?.error, repeated?.due_ms], [undefined, dayStart_ms(DAY)]);
      assert.deepEqual([await days(), await watermark()], [[DAY], dayStart_ms(DAY)]);
    });
  });
});
