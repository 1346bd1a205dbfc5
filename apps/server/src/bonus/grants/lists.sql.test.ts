import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { selectAfter } from "../../kernel/pages.ts";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest } from "../../testing/page-walk.ts";
import { bonusDb } from "../tables.ts";
import { batchList } from "./lists.ts";
import { GrantsPlatform, OPERATOR, strangeWallet } from "./testing/grants-platform.ts";

describe("lists of grants", () => {
  let scene: GrantsPlatform;
  const ids: string[] = [];
  before(async () => {
    scene = await GrantsPlatform.create();
    // Some at the same moment, some later: the order must not depend on the page size.
    for (let at = 0; at < 7; at += 1) {
      if (at % 3 === 2) scene.platform.realTime.advance(1);
      ids.push((await scene.grant([strangeWallet(at)], { batch_name: `Batch ${at}` })).body.grant_batch_id);
    }
  });
  after(() => scene.close());

  let added = 0;

  async function pages(path: string, name: "batches" | "lines", limit: number) {
    const all: Record<string, unknown>[] = [];
    const totals: number[] = [];
    let cursor: string | null = null;
    do {
      const query = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await scene.admin("GET", `${path}?limit=${limit}${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body[name].length <= limit);
      all.push(...body[name]);
      totals.push(body.total);
      cursor = body.next_cursor;
    } while (cursor !== null);
    return { all, totals };
  }

  it("WIRE-8: batches leave newest first, each once, on pages of any size", async () => {
    const { body } = await scene.admin("GET", "/batches");
    assert.deepEqual([body.total, body.next_cursor, body.batches.length], [7, null, 7]);
    const times = body.batches.map(({ created_at }: { created_at: string }) => created_at);
    assert.deepEqual(times, [...times].sort().reverse());
    assert.deepEqual(
      new Set(body.batches.map((batch: { grant_batch_id: string }) => batch.grant_batch_id)),
      new Set(ids),
    );
    for (const limit of [1, 2, 3, 6, 7]) {
      const { all, totals } = await pages("/batches", "batches", limit);
      assert.deepEqual(all, body.batches, `pages of ${limit}`);
      assert.deepEqual(totals, [7, ...Array(totals.length - 1).fill(-1)]);
    }
  });

  it("WIRE-8, BON-11: the pool's ledger with its wallets, newest first", async () => {
    const { all, totals } = await pages("/pool-ledger", "lines", 3);
    assert.deepEqual(totals, [7, -1, -1]);
    const numbers = all.map(({ id }) => Number(id));
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
    );
    assert.deepEqual(
      all.map(({ kind, amount, address }) => [kind, amount, address]),
      ids.map((_, at) => ["GRANT", "10.00", strangeWallet(at)]).reverse(),
    );
    for (const { command_number } of all) assert.ok(Number(command_number) > 0, "the engine has it");
  });

  it("WIRE-2, WIRE-8: limits are cut, what is malformed and cursors of others are refused", async () => {
    assert.equal((await scene.admin("GET", "/batches?limit=100000")).body.batches.length, 7);
    const { next_cursor } = (await scene.admin("GET", "/batches?limit=1")).body;
    const tampered = `${next_cursor.slice(0, -2)}${next_cursor.endsWith("AA") ? "BB" : "AA"}`;
    const bad: readonly (readonly [status: number, code: string, path: string])[] = [
      ...["/batches", "/pool-ledger"].flatMap((path) =>
        ["0", "-1", "x", "1.5", ""].map((limit) => [400, "invalid_field", `${path}?limit=${limit}`] as const),
      ),
      [400, "invalid_cursor", `/batches?cursor=${tampered}`],
      [400, "invalid_cursor", "/batches?cursor=x"],
      [400, "invalid_cursor", "/batches?cursor="],
      [400, "invalid_cursor", `/pool-ledger?cursor=${next_cursor}`],
      [400, "invalid_field", `/pool-ledger?cursor=${"x".repeat(513)}`],
      [400, "invalid_field", "/batches/1"],
      [400, "invalid_field", `/batches/${ids[0]}x`],
      [404, "batch_not_found", "/batches/3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44"],
    ];
    for (const [status, code, path] of bad) {
      const reply = await scene.admin("GET", path);
      assert.deepEqual([reply.status, reply.body.code], [status, code], path);
    }
  });

  for (const [path, olderName, id] of [
    ["/batches", "batches", "grant_batch_id"],
    ["/pool-ledger", "lines", "id"],
  ] as const) {
    it(`WIRE-8: ${path} answers items, as ${olderName} too, and is walked once while rows are added`, async () => {
      const list: ListUnderTest = {
        read: (query) => scene.admin("GET", `${path}?${query}`),
        olderName,
        idOf: (item) => item[id],
      };
      const add = () => {
        scene.platform.realTime.advance(1);
        added += 1;
        return scene.grant([strangeWallet(100 + added)]);
      };
      await assertWalksOnce(list, add, { limit: 3, isNewestFirst: true });
      await assertRefusesBadPages(list, { cursor: "invalid_cursor", limit: "invalid_field" });
    });
  }

  it("a page of batches is read by its index, however many there are", async () => {
    await sql`
      insert into bonus_batch (id, campaign_id, batch_name, grant_tier, per_address_micros, max_leverage, operator_addr,
        created_count, failed_count, created_by, created_at)
      select md5('batch:' || n)::uuid, 1, 'Batch', 'KOL', 1, 1, ${OPERATOR}, 0, 0, 'test',
        timestamptz '2026-01-01Z' + (n / 3) * interval '1 minute'
      from generate_series(1, 5000) n`.execute(scene.db);
    await sql`analyze bonus_batch`.execute(scene.db);
    const { select, order } = batchList(bonusDb(scene.platform.database));
    const place = [Date.parse("2026-01-01T10:00:00Z"), ids[0] ?? ""];
    const plan = JSON.stringify(await selectAfter(select(), order, place, true).limit(101).explain("json"));
    assert.match(plan, /bonus_batch_by_age/);
    assert.doesNotMatch(plan, /Seq Scan|"Sort"/);
  });
});
