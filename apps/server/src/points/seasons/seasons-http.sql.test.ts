import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import type { AdminPointsSeason, OwnPoints, PointsSeason, SeasonAllocation } from "@bourse/api";
import { sql } from "kysely";
import { accepted } from "../../broker/partners/testing/scene.ts";
import { TradingFloor } from "../../broker/settlement/testing/floor.ts";
import { DAY_ms, Epochs } from "../epochs.ts";
import { pointsDb, SCOPES, type Scope } from "../tables.ts";
import { walletOf } from "../testing/points-books.ts";

const BASE = "/api/v1/points";
const ADMIN = `${BASE}/admin/seasons`;
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
/** The test platform's time is the Monday on which epoch 22 begins. */
const epochs = new Epochs(Date.UTC(2026, 0, 5));

const sha256 = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

describe("seasons over HTTP", () => {
  let floor: TradingFloor;
  let admin: string;
  let trader: Awaited<ReturnType<TradingFloor["scene"]["visitor"]>>;

  before(async () => {
    floor = await TradingFloor.open();
    admin = (await platform().adminSignIn()).access_token;
    trader = await floor.scene.visitor();
    await floor.fund(trader);
    await floor.take(trader);
    accepted(await platform().get("/api/v1/account/trades", trader.token));
  });
  after(() => floor.close());

  const platform = () => floor.scene.platform;
  const send = (method: "POST" | "PUT", url: string, payload?: object, token: string | undefined = admin) =>
    platform().call({
      method,
      url,
      headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
      ...(payload === undefined ? {} : { payload }),
    });
  const draft = (change: object = {}) => ({
    label: "Season",
    start_epoch: 30,
    end_epoch: 31,
    user_pool_tokens: 1000,
    mm_pool_tokens: "500",
    ...change,
  });
  const create = async (change: object): Promise<AdminPointsSeason> =>
    accepted(await send("POST", ADMIN, draft(change)));
  const list = async (): Promise<PointsSeason[]> => accepted(await platform().get(`${BASE}/seasons`));
  const adminList = async (): Promise<AdminPointsSeason[]> => accepted(await platform().get(ADMIN, admin));
  /** Tokens do not live as long as the clock is moved. */
  const moveTo = async (now: number) => {
    accepted(await platform().post("/api/v1/dev/clock", { now }));
    admin = (await platform().adminSignIn()).access_token;
  };
  const fingerprint = async () => {
    const { rows } = await sql<{ digest: string }>`
      select md5(concat((select json_agg(s order by season_no) from points_season s)::text,
        (select json_agg(t order by scope, period, address) from points_total t)::text,
        (select count(*) from audit_log)::text)) as digest`.execute(platform().database.db);
    return rows[0]!.digest;
  };
  const refused = async (method: "POST" | "PUT", url: string, payload: object, status: number, code: string) => {
    const before_ = await fingerprint();
    const reply = await send(method, url, payload);
    assert.deepEqual(
      [reply.statusCode, reply.json().code],
      [status, code],
      `${JSON.stringify(payload)}: ${reply.body}`,
    );
    assert.equal(await fingerprint(), before_, "a refused request has changed something");
  };
  const lastAudit = async () => {
    const { rows } = await sql<{ action: string; role: string; target: string; before: object; after: object }>`
      select action, role, target, before, after from audit_log order by seq desc limit 1`.execute(
      platform().database.db,
    );
    return rows[0]!;
  };
  let running: AdminPointsSeason;
  let future: AdminPointsSeason;

  it("PTS-6: a season that begins in the current epoch is active, with what was scored in it so far", async () => {
    assert.deepEqual(await list(), []);
    running = await create({ label: " First ", start_epoch: 21, end_epoch: 22 });
    assert.deepEqual([running.status, running.season_no, running.label], ["active", 1, "First"]);
    assert.deepEqual(
      [running.snapshot_at, running.distribution_at],
      ["2026-06-08T00:00:00.000Z", "2026-06-11T00:00:00.000Z"],
    );
    const totalsOf = (scope: Scope) =>
      pointsDb(platform().database)
        .selectFrom("points_total")
        .select(["address", "points_micros", "last_ms"])
        .where("scope", "=", SCOPES[scope])
        .orderBy("address")
        .execute();
    const totals = await totalsOf("season");
    assert.ok(totals.length >= 2);
    assert.deepEqual(totals, await totalsOf("epoch"));
    await floor.take(trader);
    const me: OwnPoints = accepted(await platform().get(`${BASE}/me`, trader.token));
    assert.deepEqual([me.points_season, me.points_epoch, me.season_id], ["2000", "2000", running.season_id]);
    const { action, role, target } = await lastAudit();
    assert.deepEqual([action, role, target], ["points.season.create", "admin", running.season_id]);
  });

  it("interface 2.13: the public list has exactly these fields and the root, by number", async () => {
    future = await create({ start_epoch: 24, end_epoch: 25, season_no: 7 });
    assert.equal(future.status, "pending");
    const all = await list();
    assert.deepEqual(
      all.map(({ season_no }) => season_no),
      [1, 7],
    );
    assert.deepEqual(all[1], {
      season_id: future.season_id,
      season_no: 7,
      label: "Season",
      start_epoch: 24,
      end_epoch: 25,
      user_pool_tokens: 1000,
      mm_pool_tokens: 500,
      status: "pending",
      snapshot_at: "2026-06-29T00:00:00.000Z",
      snapshot_taken_at: null,
      distribution_at: "2026-07-02T00:00:00.000Z",
      root: null,
    });
    const forAdmins: AdminPointsSeason[] = accepted(await platform().get(ADMIN, admin));
    assert.deepEqual(forAdmins, [running, future]);
  });

  it("PTS-6: bad input of a new season is 400, and nothing changes", async () => {
    const bad: object[] = [
      { label: undefined },
      { label: "" },
      { label: " \n " },
      { label: "x".repeat(81) },
      { label: "a\u202eb" },
      { label: 5 },
      { start_epoch: 0 },
      { start_epoch: 1.5 },
      { start_epoch: "30" },
      { end_epoch: 10_001 },
      { end_epoch: 29 },
      { start_epoch: 1, end_epoch: 21 },
      { user_pool_tokens: -1 },
      { user_pool_tokens: 1.5 },
      { user_pool_tokens: "1e3" },
      { user_pool_tokens: "1.000001" },
      { user_pool_tokens: "" },
      { mm_pool_tokens: "1000000000000001" },
      { mm_pool_tokens: null },
      { mm_pool_tokens: undefined },
      { distribution_at: "tomorrow" },
      { distribution_at: 1_780_272_000_000 },
      { distribution_at: "2026-02-30T00:00:00Z" },
      { distribution_at: new Date(epochs.end_ms(31) - 1).toISOString() },
      { distribution_at: new Date(epochs.end_ms(31) + 366 * DAY_ms).toISOString() },
      { season_no: 0 },
      { season_no: "3" },
    ];
    for (const change of bad) {
      const reply = await send("POST", ADMIN, draft(change));
      assert.equal(reply.statusCode, 400, `${JSON.stringify(change)}: ${reply.body}`);
    }
    await refused("POST", ADMIN, draft({ label: "" }), 400, "INVALID_FIELD");
    await refused("POST", ADMIN, draft({ label: undefined }), 400, "FIELD_REQUIRED");
    assert.equal((await list()).length, 2);
  });

  it("PTS-6: overlapping epochs and a number that is taken are 409", async () => {
    for (const [start_epoch, end_epoch] of [
      [22, 22],
      [22, 30],
      [25, 26],
      [23, 24],
      [1, 40],
    ]) {
      await refused("POST", ADMIN, draft({ start_epoch, end_epoch }), 409, "SEASON_OVERLAPS");
    }
    await refused("POST", ADMIN, draft({ season_no: 7 }), 409, "SEASON_NUMBER_TAKEN");
    await refused("PUT", `${ADMIN}/${future.season_id}`, { start_epoch: 22 }, 409, "SEASON_OVERLAPS");
    await refused("PUT", `${ADMIN}/${future.season_id}`, { season_no: 1 }, 409, "SEASON_NUMBER_TAKEN");
  });

  it("PTS-6: of many who ask for the same epochs at once one gets them", async () => {
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, at) => send("POST", ADMIN, draft({ start_epoch: 40, end_epoch: 40 + at }))),
    );
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409, 409, 409]);
  });

  it("PTS-6: a pending season can be changed in everything, and its distribution moves with its end", async () => {
    const put = async (change: object): Promise<AdminPointsSeason> =>
      accepted(await send("PUT", `${ADMIN}/${future.season_id}`, change));
    let now = await put({ end_epoch: 26 });
    assert.deepEqual([now.snapshot_at, now.distribution_at], ["2026-07-06T00:00:00.000Z", "2026-07-09T00:00:00.000Z"]);
    now = await put({
      start_epoch: 23,
      season_no: 2,
      user_pool_tokens: "2000.0",
      label: "Second",
      distribution_at: "2026-07-07T02:00:00+02:00",
    });
    assert.deepEqual(
      [now.start_epoch, now.season_no, now.user_pool_tokens, now.label, now.distribution_at],
      [23, 2, 2000, "Second", "2026-07-07T00:00:00.000Z"],
    );
    const { action, before: was, after: is } = await lastAudit();
    assert.equal(action, "points.season.change");
    assert.deepEqual(
      [was, is].map((side) => (side as PointsSeason).season_no),
      [7, 2],
    );
    await refused("PUT", `${ADMIN}/${future.season_id}`, {}, 400, "INVALID_FIELD");
    await refused("PUT", `${ADMIN}/${future.season_id}`, { end_epoch: 22 }, 400, "INVALID_FIELD");
    await refused(
      "PUT",
      `${ADMIN}/${future.season_id}`,
      { distribution_at: "2026-07-05T00:00:00Z" },
      400,
      "INVALID_FIELD",
    );
    await refused(
      "PUT",
      `${ADMIN}/${future.season_id}`,
      { end_epoch: 27, distribution_at: now.distribution_at },
      400,
      "INVALID_FIELD",
    );
    await refused("PUT", `${ADMIN}/${UNKNOWN}`, { label: "x" }, 404, "SEASON_NOT_FOUND");
    await refused("PUT", `${ADMIN}/nothing`, { label: "x" }, 400, "INVALID_FIELD");
    future = await put({ end_epoch: 23 });
  });

  it("PTS-6: of an active season the start is fixed; values that are sent again change nothing", async () => {
    const url = `${ADMIN}/${running.season_id}`;
    await refused("PUT", url, { start_epoch: 20 }, 409, "INVALID_STATE");
    await refused("PUT", url, { season_no: 9 }, 409, "INVALID_STATE");
    await refused("PUT", url, { end_epoch: 21 }, 400, "INVALID_FIELD");
    const changed: AdminPointsSeason = accepted(
      await send("PUT", url, { start_epoch: 21, season_no: 1, user_pool_tokens: 1_000_000, mm_pool_tokens: 0 }),
    );
    assert.deepEqual([changed.user_pool_tokens, changed.mm_pool_tokens], [1_000_000, 0]);
  });

  it("PTS-6: before the snapshot there is no allocation and nothing to complete", async () => {
    const path = (id: string, address: string) => `${BASE}/seasons/${id}/allocation/${address}`;
    for (const [id, address, status, code] of [
      [running.season_id, trader.address, 409, "SEASON_NOT_SNAPSHOTTED"],
      [UNKNOWN, trader.address, 404, "SEASON_NOT_FOUND"],
      ["1", trader.address, 400, "INVALID_FIELD"],
      [running.season_id, "0x12", 400, "INVALID_ADDRESS"],
      [running.season_id, `${trader.address}0`, 400, "INVALID_ADDRESS"],
    ] as const) {
      const reply = await platform().get(path(id, address));
      assert.deepEqual([reply.statusCode, reply.json().code], [status, code]);
    }
    await refused("POST", `${ADMIN}/${running.season_id}/complete`, {}, 409, "INVALID_STATE");
    await refused("POST", `${ADMIN}/${UNKNOWN}/complete`, {}, 404, "SEASON_NOT_FOUND");
  });

  it("PTS-2: a clock that is moved far meets every step of every season at its own moment", async () => {
    await moveTo(epochs.end_ms(22) + 4 * DAY_ms);
    const [first, second] = await adminList();
    assert.deepEqual([first!.status, second!.status], ["distributing", "active"]);
    assert.equal(first!.snapshot_taken_at, first!.snapshot_at);
    assert.equal(first!.distribution_started_at, first!.distribution_at);
    const { rows } = await sql<{ target: string; action: string; at: Date }>`
      select target, action, at from audit_log where actor = 'system' and action like 'points.season.%' order by seq`.execute(
      platform().database.db,
    );
    assert.deepEqual(
      rows.map(({ target, action, at }) => [target, action.split(".").at(-1), at.toISOString()]),
      [
        [running.season_id, "snapshot", "2026-06-08T00:00:00.000Z"],
        [future.season_id, "active", "2026-06-08T00:00:00.000Z"],
        [running.season_id, "distributing", "2026-06-11T00:00:00.000Z"],
      ],
    );
  });

  it("PTS-5, PTS-6: every token of the pool is given, and a proof leads to the published root", async () => {
    const [season] = await list();
    const rows = await pointsDb(platform().database)
      .selectFrom("points_allocation")
      .selectAll()
      .where("season_no", "=", 1)
      .execute();
    assert.equal(
      rows.reduce((sum, { user_tokens }) => sum + user_tokens, 0n),
      1_000_000n,
    );
    for (const { address } of rows) {
      const proof: SeasonAllocation = accepted(
        await platform().get(`${BASE}/seasons/${season!.season_id}/allocation/${address}`),
      );
      let node = sha256(Buffer.from([0]), Buffer.from(proof.leaf_text));
      assert.equal(proof.leaf, `0x${node.toString("hex")}`);
      for (const { position, hash } of proof.siblings) {
        const sibling = Buffer.from(hash.slice(2), "hex");
        node = sha256(Buffer.from([1]), ...(position === "left" ? [sibling, node] : [node, sibling]));
      }
      assert.equal(`0x${node.toString("hex")}`, season!.root);
      assert.equal(proof.root, season!.root);
    }
    const mine: SeasonAllocation = accepted(
      await platform().get(`${BASE}/seasons/${season!.season_id.toUpperCase()}/allocation/${trader.address}`),
    );
    assert.deepEqual([mine.points, mine.level, mine.weight, mine.status], ["2000.000000", 1, 8, "distributing"]);
    const absent = await platform().get(`${BASE}/seasons/${season!.season_id}/allocation/${walletOf(1)}`);
    assert.deepEqual([absent.statusCode, absent.json().code], [404, "ALLOCATION_NOT_FOUND"]);
  });

  it("PTS-2, PTS-6: what can be changed after the snapshot, and the end that an admin gives it", async () => {
    const url = `${ADMIN}/${running.season_id}`;
    accepted(await send("PUT", url, { label: "Still named" }));
    await refused("PUT", url, { distribution_at: "2027-01-01T00:00:00Z" }, 409, "INVALID_STATE");
    await refused("PUT", url, { user_pool_tokens: 5 }, 409, "INVALID_STATE");
    const done: AdminPointsSeason = accepted(await send("POST", `${url}/complete`));
    assert.deepEqual([done.status, done.completed_at], ["completed", new Date(platform().clock.now()).toISOString()]);
    assert.equal((await lastAudit()).action, "points.season.complete");
    const before_ = await fingerprint();
    assert.deepEqual(accepted(await send("POST", `${url}/complete`)), done, "repeated it changes nothing");
    assert.equal(await fingerprint(), before_);
    accepted(await send("PUT", url, { label: "Done" }));
    await refused("PUT", url, { end_epoch: 50 }, 409, "INVALID_STATE");
  });

  it("PTS-6: in the snapshot the distribution can be moved, not into the past", async () => {
    const end_ms = epochs.end_ms(23);
    await moveTo(end_ms + 3_600_000);
    const url = `${ADMIN}/${future.season_id}`;
    await refused("PUT", url, { distribution_at: new Date(end_ms + 60_000).toISOString() }, 400, "INVALID_FIELD");
    await refused("PUT", url, { end_epoch: 24 }, 409, "INVALID_STATE");
    const soon = new Date(end_ms + 7_200_000).toISOString();
    const moved: AdminPointsSeason = accepted(await send("PUT", url, { distribution_at: soon }));
    assert.deepEqual([moved.status, moved.distribution_at, moved.leaf_count], ["snapshot", soon, 0]);
    await moveTo(end_ms + 3 * 3_600_000);
    const now = (await adminList()).find(({ season_id }) => season_id === future.season_id);
    assert.deepEqual([now!.status, now!.distribution_started_at], ["distributing", soon]);
  });
});
