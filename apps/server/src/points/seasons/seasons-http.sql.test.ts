import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { AdminPointsSeason, OwnPoints, SeasonAllocation } from "@bourse/api";
import { sql } from "kysely";
import { accepted, assertRefused } from "../../broker/partners/testing/scene.ts";
import { TradingFloor } from "../../broker/settlement/testing/floor.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { Epochs } from "../epochs.ts";
import { pointsDb, SCOPES, type Scope } from "../tables.ts";
import { walletOf } from "../testing/points-books.ts";
import { ADMIN_SEASONS, POINTS, SeasonScene, UNKNOWN_ID } from "../testing/season-scene.ts";

const SCRIPT = new URL("../../../../../scripts/verify-allocation.mjs", import.meta.url).pathname;
/** The test platform's clock starts on the Monday on which epoch 22 begins. */
const epochs = new Epochs(Date.UTC(2026, 0, 5));

const sha256 = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

const verify = (allocation: object, ...options: string[]) => {
  const input = JSON.stringify(allocation);
  return spawnSync(process.execPath, [SCRIPT, "-", ...options], { input, encoding: "utf8" });
};

describe("the life of a season", () => {
  let floor: TradingFloor;
  let scene: SeasonScene;
  let trader: Awaited<ReturnType<TradingFloor["scene"]["visitor"]>>;
  let running: AdminPointsSeason;
  let future: AdminPointsSeason;

  before(async () => {
    floor = await TradingFloor.open();
    scene = await SeasonScene.on(floor.scene.platform);
    trader = await floor.scene.visitor();
    await floor.fund(trader);
    await floor.take(trader);
    accepted(await platform().get("/api/v1/account/trades", trader.token));
  });
  after(() => floor.close());

  const platform = () => floor.scene.platform;
  const allocationOf = (season_id: string, address: string) =>
    platform().get(`${POINTS}/seasons/${season_id}/allocation/${address}`);

  it("PTS-6: a season that begins in the current epoch is active, with what was scored in it so far", async () => {
    running = await scene.create({ start_epoch: 21, end_epoch: 22, user_pool_tokens: 1_000_000 });
    future = await scene.create({ start_epoch: 23, end_epoch: 23 });
    assert.deepEqual([running.status, running.season_no, future.status, future.season_no], ["active", 1, "pending", 2]);
    const { action, role, target } = await scene.lastAudit();
    assert.deepEqual([action, role, target], ["points.season.create", "admin", future.season_id]);
    const totalsOf = (scope: Scope) =>
      pointsDb(platform().database)
        .selectFrom("points_total")
        .select(["address", "points_micros", "last_ms"])
        .where("scope", "=", SCOPES[scope])
        .orderBy("address")
        .execute();
    const totals = await totalsOf("season");
    assert.equal(totals.length, 2);
    assert.deepEqual(totals, await totalsOf("epoch"));
    await floor.take(trader);
    const me: OwnPoints = accepted(await platform().get(`${POINTS}/me`, trader.token));
    assert.deepEqual([me.points_season, me.points_epoch, me.season_id], ["2000", "2000", running.season_id]);
  });

  it("PTS-6: before the snapshot there is no allocation and nothing to complete", async () => {
    for (const [id, address, status, code] of [
      [running.season_id, trader.address, 409, "SEASON_NOT_SNAPSHOTTED"],
      [UNKNOWN_ID, trader.address, 404, "SEASON_NOT_FOUND"],
      ["1", trader.address, 400, "INVALID_FIELD"],
      [running.season_id, "0x12", 400, "INVALID_ADDRESS"],
      [running.season_id, `${trader.address}0`, 400, "INVALID_ADDRESS"],
    ] as const) {
      assertRefused(await allocationOf(id, address), status, code);
    }
    await scene.refuses("POST", `${ADMIN_SEASONS}/${running.season_id}/complete`, {}, 409, "INVALID_STATE");
    await scene.refuses("POST", `${ADMIN_SEASONS}/${UNKNOWN_ID}/complete`, {}, 404, "SEASON_NOT_FOUND");
  });

  it("PTS-2: a clock that is moved far meets every step of every season at its own moment", async () => {
    await scene.moveTo(epochs.end_ms(22) + 4 * DAY_ms);
    const [first, second] = await scene.adminList();
    assert.deepEqual([first!.status, second!.status], ["distributing", "active"]);
    assert.equal(first!.snapshot_taken_at, first!.snapshot_at);
    assert.equal(first!.distribution_started_at, first!.distribution_at);
    const { rows } = await sql<{ target: string; action: string; at: Date }>`
      select target, action, at from audit_log where actor = 'system' and action like 'points.season.%'
      order by seq`.execute(platform().database.db);
    assert.deepEqual(
      rows.map(({ target, action, at }) => [target, action.split(".").at(-1), at.toISOString()]),
      [
        [running.season_id, "snapshot", "2026-06-08T00:00:00.000Z"],
        [future.season_id, "active", "2026-06-08T00:00:00.000Z"],
        [running.season_id, "distributing", "2026-06-11T00:00:00.000Z"],
      ],
    );
  });

  it("PTS-5, PTS-6: every token of the pool is given, and each proof leads to the published root", async () => {
    const [season] = await scene.list();
    const rows = await pointsDb(platform().database).selectFrom("points_allocation").selectAll().execute();
    assert.equal(rows.length, 2);
    assert.equal(
      rows.reduce((sum, { user_tokens }) => sum + user_tokens, 0n),
      1_000_000n,
    );
    for (const { address } of rows) {
      const proof: SeasonAllocation = accepted(await allocationOf(season!.season_id, address));
      let node = sha256(Buffer.from([0]), Buffer.from(proof.leaf_text));
      assert.equal(proof.leaf, `0x${node.toString("hex")}`);
      for (const { position, hash } of proof.siblings) {
        const sibling = Buffer.from(hash.slice(2), "hex");
        node = sha256(Buffer.from([1]), ...(position === "left" ? [sibling, node] : [node, sibling]));
      }
      assert.deepEqual([`0x${node.toString("hex")}`, proof.root], [season!.root, season!.root]);
    }
    assertRefused(await allocationOf(season!.season_id, walletOf(1)), 404, "ALLOCATION_NOT_FOUND");
  });

  it("PTS-6: the script for everybody agrees with what is true and with nothing else", async () => {
    const [season] = await scene.list();
    const mine: SeasonAllocation = accepted(await allocationOf(season!.season_id.toUpperCase(), trader.address));
    assert.deepEqual([mine.points, mine.level, mine.weight, mine.status], ["2000.000000", 1, 8, "distributing"]);
    const good = verify(mine, "--root", season!.root!);
    assert.deepEqual([good.status, good.stdout.trim().split("\n").at(-1)], [0, "VALID"], good.stdout);
    for (const forged of [
      { ...mine, user_tokens: mine.user_tokens + 1, tokens: mine.tokens + 1 },
      { ...mine, tokens: mine.tokens + 1 },
      { ...mine, siblings: [] },
      { ...mine, points: undefined },
    ]) {
      assert.equal(verify(forged).status, 1);
    }
    assert.equal(verify(mine, "--root", `0x${"0".repeat(64)}`).status, 1);
  });

  it("PTS-2, PTS-6: what can be changed after the snapshot, and the end that an admin gives it", async () => {
    const url = `${ADMIN_SEASONS}/${running.season_id}`;
    await scene.change(running, { label: "Still named" });
    await scene.refuses("PUT", url, { distribution_at: "2027-01-01T00:00:00Z" }, 409, "INVALID_STATE");
    await scene.refuses("PUT", url, { user_pool_tokens: 5 }, 409, "INVALID_STATE");
    const done = await scene.complete(running);
    assert.deepEqual([done.status, done.completed_at], ["completed", new Date(platform().clock.now()).toISOString()]);
    assert.equal((await scene.lastAudit()).action, "points.season.complete");
    const before_ = await scene.fingerprint();
    assert.deepEqual(await scene.complete(running), done, "repeated it changes nothing");
    assert.equal(await scene.fingerprint(), before_);
    await scene.change(running, { label: "Done" });
    await scene.refuses("PUT", url, { end_epoch: 50 }, 409, "INVALID_STATE");
  });

  it("PTS-6: in the snapshot the distribution can be moved, not into the past", async () => {
    const end_ms = epochs.end_ms(23);
    await scene.moveTo(end_ms + 3_600_000);
    const url = `${ADMIN_SEASONS}/${future.season_id}`;
    const past = new Date(end_ms + 60_000).toISOString();
    await scene.refuses("PUT", url, { distribution_at: past }, 400, "INVALID_FIELD");
    await scene.refuses("PUT", url, { end_epoch: 24 }, 409, "INVALID_STATE");
    const soon = new Date(end_ms + 7_200_000).toISOString();
    const moved = await scene.change(future, { distribution_at: soon });
    assert.deepEqual([moved.status, moved.distribution_at, moved.leaf_count], ["snapshot", soon, 0]);
    await scene.moveTo(end_ms + 3 * 3_600_000);
    const now = (await scene.adminList()).find(({ season_id }) => season_id === future.season_id);
    assert.deepEqual([now!.status, now!.distribution_started_at], ["distributing", soon]);
  });
});
