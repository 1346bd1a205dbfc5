import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertRefusesBadPages, assertWalksOnce, type ListUnderTest, readListPage } from "../testing/page-walk.ts";
import { createTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly type?: string; readonly deprecated?: boolean }>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly schema: { readonly deprecated?: boolean } }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly "application/json"?: { schema: Schema } } }>
  >;
}

/** Lists whose shape `interface.md` or `decisions.md` gives, settings that are written as they are read, and reports. */
const OTHER_SHAPES = [
  "/api/v1/admin/invariants",
  "/api/v1/account/fee-info",
  "/api/v1/bonus/admin/accounts/{address}",
  "/api/v1/bonus/admin/reconcile-report",
  "/api/v1/bonus/admin/risk",
  "/api/v1/broker/admin/config/tier-thresholds",
  "/api/v1/broker/admin/rebate/payout-list",
  "/api/v1/broker/leaderboard",
  "/api/v1/broker/overview",
  "/api/v1/broker/performance",
  "/api/v1/broker/rebate-records/{id}/explain",
  "/api/v1/broker/rebate-records/{id}/proof",
  "/api/v1/broker/referral-info",
  "/api/v1/broker/settlements/{period}/root",
  "/api/v1/broker/what-if",
  "/api/v1/dev/personas",
  "/api/v1/points/admin/levels",
  "/api/v1/points/admin/makers",
  "/api/v1/points/admin/rules",
  "/api/v1/points/leaderboard/daily",
  "/api/v1/points/leaderboard/epoch",
  "/api/v1/points/seasons/{id}/allocation/{address}",
  "/api/v1/unified/account",
];

describe("our own lists", () => {
  let platform: TestPlatform;
  let admin: string;

  before(async () => {
    platform = await createTestPlatform();
    admin = (await platform.adminSignIn()).access_token;
  });
  after(() => platform.close());

  const listAt = (path: string, olderName: string, id: string): ListUnderTest => ({
    async read(query) {
      const reply = await platform.get(`${path}?${query}`, admin);
      return { status: reply.statusCode, body: reply.json() };
    },
    olderName,
    idOf: (item) => item[id],
  });
  const flipSwitch = async () => {
    const body = { paused: false, reason: "a test" };
    const reply = await platform.call({
      method: "PUT",
      url: "/api/v1/admin/switches/withdrawals",
      headers: { host: "127.0.0.1:8080", authorization: `Bearer ${admin}` },
      payload: body,
    });
    assert.equal(reply.statusCode, 200, reply.body);
  };

  it("WIRE-8: every list has items and next_cursor; what it is called otherwise is deprecated", () => {
    const { paths = {} } = platform.app.swagger() as unknown as { paths?: Record<string, { get?: Operation }> };
    const other: string[] = [];
    for (const [path, { get }] of Object.entries(paths)) {
      const { properties = {} } = get?.responses["200"]?.content?.["application/json"]?.schema ?? {};
      const arrays = Object.entries(properties).filter(([, { type }]) => type === "array");
      if (!path.startsWith("/api/v1/") || arrays.length === 0) continue;
      if (!("next_cursor" in properties)) {
        other.push(path);
        continue;
      }
      const current = arrays.filter(([, { deprecated }]) => deprecated !== true).map(([name]) => name);
      assert.ok(current.includes("items"), path);
      assert.deepEqual(
        current.filter((name) => name !== "items" && name !== "transactions"),
        [],
        path,
      );
    }
    assert.deepEqual(other.sort(), OTHER_SHAPES.toSorted());
    const { parameters = [] } = paths["/api/v1/admin/audit-log"]?.get ?? {};
    assert.equal(parameters.find(({ name }) => name === "before")?.schema.deprecated, true);
  });

  it("SEC-8, WIRE-8: the audit log answers items, as entries too, and is walked once while entries are added", async () => {
    for (let count = 0; count < 4; count += 1) await flipSwitch();
    const list = listAt("/api/v1/admin/audit-log", "entries", "seq");
    for (const [filter, limit] of [
      ["", 1],
      ["", 3],
      ["action=switch.withdrawals&", 2],
    ] as const) {
      await assertWalksOnce(list, flipSwitch, { filter, limit, isNewestFirst: true });
    }
    await assertRefusesBadPages(list, { cursor: "INVALID_CURSOR", limit: "BAD_REQUEST" });
  });

  it("WIRE-8: the audit log is still paged by before, and a cursor holds for its filter alone", async () => {
    const list = listAt("/api/v1/admin/audit-log", "entries", "seq");
    const seqs = (await readListPage(list, "limit=500")).items.map(list.idOf);
    const walked: unknown[] = [];
    let before = "";
    do {
      const page = (await readListPage(list, `limit=3${before}`)) as {
        items: readonly object[];
        next_before?: unknown;
      };
      walked.push(...page.items.map((item) => list.idOf(item as never)));
      before = page.next_before === null ? "" : `&before=${page.next_before}`;
    } while (before !== "");
    assert.deepEqual(walked, seqs);
    const { next_cursor } = await readListPage(list, "limit=1");
    for (const [query, code] of [
      [`action=switch.withdrawals&cursor=${next_cursor}`, "INVALID_CURSOR"],
      [`before=3&cursor=${next_cursor}`, "BAD_REQUEST"],
      ["before=0", "BAD_REQUEST"],
    ] as const) {
      const { status, body } = await list.read(query);
      assert.deepEqual([status, (body as { code: string }).code], [400, code], query);
    }
  });

  for (const [path, olderName] of [
    ["/api/v1/admin/jobs", "jobs"],
    ["/api/v1/admin/markets", "markets"],
    ["/api/v1/admin/risk/fund", "items"],
    ["/api/v1/admin/prices", "prices"],
  ] as const) {
    it(`WIRE-8: ${path} is whole in one reply, with the fields of a list`, async () => {
      const { items, total, next_cursor } = await readListPage(listAt(path, olderName, "name"), "");
      assert.ok(items.length > 0);
      assert.deepEqual([total, next_cursor], [items.length, null]);
    });
  }
});
