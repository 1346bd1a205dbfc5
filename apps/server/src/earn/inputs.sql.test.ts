import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { ProductDetail } from "@bourse/api";
import { DAY_ms } from "../kernel/dates.ts";
import { testWallet } from "../testing/test-platform.ts";
import { accepted, assertRefused, EarnScene, isoAfter, productBody, USDT } from "./testing/scene.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const HOSTILE_IDS = ["nonsense", "0", "-1", "1.5", "9".repeat(30), `${UNKNOWN}0`, "%27%20or%201%3D1", "%F0%9F%98%80"];

describe("what is sent to earn", () => {
  let scene: EarnScene;
  let product: ProductDetail;
  let token: string;
  let otherToken: string;
  const alice = testWallet(301);

  before(async () => {
    scene = await EarnScene.open();
    await scene.give(alice, 1_000n * USDT);
    product = await scene.product({ subscribe_start_time: isoAfter(0) });
    await scene.invest(alice, product.id, "455");
    token = await scene.token(alice);
    otherToken = await scene.token(testWallet(302));
  });
  after(() => scene.close());

  const get = (url: string, by?: string) => scene.platform.get(url, by);
  /** A digest of everything that a refused request must not change. */
  async function fingerprint(): Promise<string> {
    const db = scene.platform.database.db.$extendTables<Record<string, Record<string, unknown>>>();
    const tables = ["earn_product", "earn_action", "earn_reservation", "earn_subscription", "chain_transaction"];
    const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
    const audit = await db.selectFrom("audit_log").selectAll().where("action", "like", "earn.%").execute();
    return JSON.stringify([rows, audit.length], (_key, value) => (typeof value === "bigint" ? String(value) : value));
  }
  async function refusesUnchanged(call: () => ReturnType<EarnScene["admin"]>, status: number, code: string) {
    const before = await fingerprint();
    assertRefused(await call(), status, code);
    assert.equal(await fingerprint(), before);
  }

  describe("GET /earn/products", () => {
    it("WIRE-4b: shows every field of a product", async () => {
      const list = accepted<{ products: ProductDetail[] }>(await get("/earn/products?status=subscribing"));
      assert.deepEqual(
        list.products.find(({ id }) => id === product.id),
        {
          id: product.id,
          chain_product_id: 1,
          name: "USDT 30 days",
          description: "Fixed term",
          annual_rate: "12.00",
          period_rate: "0.9863",
          annual_rate_bps: 1_200,
          period_rate_bps: 99,
          duration_seconds: 2_592_000,
          total_quota: "10000000000",
          subscribed_amount: "455000000",
          available_quota: "9545000000",
          reserved_amount: "0",
          subscription_rate: "4.55",
          min_amount: "10000000",
          max_amount_per_user: "5000000000",
          status: "subscribing",
          subscriber_count: 1,
          subscribe_start_time: isoAfter(0),
          subscribe_end_time: isoAfter(DAY_ms),
          settle_time: isoAfter(31 * DAY_ms),
          is_subscribing: true,
          is_sold_out: false,
          time_remaining_seconds: 86_400,
          settlement_delayed: false,
        },
      );
    });

    it("WIRE-2: pages, newest first; above the maximum the page size is cut", async () => {
      const next = await scene.product({ name: "next", subscribe_start_time: isoAfter(1_000) });
      const [first, second] = [
        accepted<Record<string, unknown>>(await get("/earn/products?page_size=1")),
        accepted<Record<string, unknown>>(await get("/earn/products?page_size=1&page=2")),
      ];
      const ids = (page: Record<string, unknown>) => (page["products"] as ProductDetail[]).map(({ id }) => id);
      assert.deepEqual([first["total"], first["page"], first["page_size"]], [2, 1, 1]);
      assert.deepEqual([...ids(first), ...ids(second)].sort(), [next.id, product.id].sort());
      assert.deepEqual(ids(accepted(await get("/earn/products?page=3&page_size=1"))), []);
      assert.deepEqual(ids(accepted(await get("/earn/products?page=1000000000&page_size=100"))), []);
      const cut = accepted<Record<string, unknown>>(await get("/earn/products?page_size=5000"));
      assert.deepEqual([cut["page_size"], (cut["products"] as unknown[]).length], [100, 2]);
      const usual = accepted<Record<string, unknown>>(await get("/earn/products"));
      assert.deepEqual([usual["page"], usual["page_size"]], [1, 20]);
      const created = await scene.read(next.id);
      assert.deepEqual(
        [created.status, created.is_subscribing, created.time_remaining_seconds],
        ["created", false, null],
      );
      assert.deepEqual(ids(accepted(await get("/earn/products?status=created"))), [next.id]);
      assert.deepEqual(accepted<Record<string, unknown>>(await get("/earn/products?status=ended"))["total"], 0);
    });

    const bad = [
      ...["", "0", "-1", "1.5", "x", "1e3", "%00", "9".repeat(20), "1000000001"].map((value) => `page=${value}`),
      ...["", "0", "-1", "1.5", "x", "%F0%9F%98%80", "' or 1=1"].map((value) => `page_size=${encodeURI(value)}`),
      ...["", "open", "SUBSCRIBING", "created,ended", "%00"].map((value) => `status=${value}`),
      "page=1&page=2",
      "status=created&status=ended",
    ];
    for (const query of bad) {
      it(`?${query} is refused`, async () => assertRefused(await get(`/earn/products?${query}`), 400, "BAD_REQUEST"));
    }
  });

  describe("GET /earn/products/:id", () => {
    it("takes the UUID or the number on chain", async () => {
      for (const id of [product.id, product.id.toUpperCase(), "1"]) {
        assert.equal(accepted<ProductDetail>(await get(`/earn/products/${id}`)).id, product.id);
      }
    });
    for (const id of [UNKNOWN, "999", ...HOSTILE_IDS]) {
      for (const path of ["", "/solvency"]) {
        it(`${id.slice(0, 40)}${path} is PRODUCT_NOT_FOUND`, async () => {
          assertRefused(await get(`/earn/products/${id}${path}`), 404, "PRODUCT_NOT_FOUND");
        });
      }
    }
  });

  describe("GET /earn/subscriptions", () => {
    it("ERN-10: shows every field of the own position, and nothing of others'", async () => {
      const [row] = await scene.subscriptions(alice);
      const { id, subscribe_tx_hash, ...rest } = row!;
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.match(subscribe_tx_hash, /^0x[0-9a-f]{64}$/);
      assert.deepEqual(rest, {
        product_id: product.id,
        chain_product_id: 1,
        user_address: alice.address.toLowerCase(),
        principal: "455000000",
        interest: "4487671",
        total_return: "459487671",
        nft_token_id: "1",
        nft_status: "minted",
        status: "active",
        subscribed_at: isoAfter(0),
        claimable_at: product.settle_time,
        claimed: false,
        claim_tx_hash: null,
        claimed_at: null,
        refund_tx_hash: null,
        refunded_at: null,
      });
      assert.deepEqual(accepted(await get(`/earn/subscriptions/${id}`, token)), row);
      assertRefused(await get(`/earn/subscriptions/${id}`, otherToken), 404, "SUBSCRIPTION_NOT_FOUND");
      assert.equal(accepted<{ total: number }>(await get("/earn/subscriptions", otherToken)).total, 0);
      assertRefused(await get(`/earn/subscriptions/${id}`), 401, "UNAUTHORIZED");
      assertRefused(await get("/earn/subscriptions"), 401, "UNAUTHORIZED");
    });
    for (const id of [UNKNOWN, ...HOSTILE_IDS]) {
      it(`${id.slice(0, 40)} is SUBSCRIPTION_NOT_FOUND`, async () => {
        assertRefused(await get(`/earn/subscriptions/${id}`, token), 404, "SUBSCRIPTION_NOT_FOUND");
      });
    }
    for (const query of ["page=0", "page=x", "page_size=0", "page_size=-3", "page=1&page=1"]) {
      it(`?${query} is refused`, async () => {
        assertRefused(await get(`/earn/subscriptions?${query}`, token), 400, "BAD_REQUEST");
      });
    }
  });

  describe("POST and PUT /api/v1/earn/admin/products", () => {
    const badTerms: Readonly<Record<string, readonly unknown[]>> = {
      name: ["", "   ", "x".repeat(101), "a\u0000b", "a\nb", "a\u202eb", "\ud800"],
      description: ["x".repeat(2_001), "a\u0000b"],
      annual_rate_bps: [0, -1, 100_001, "0", "12.5", "x", "", "1e3"],
      duration_seconds: [0, -1, 315_360_001, "", "x", "1.5"],
      total_quota: ["0", "-1", "1.5", "x", "", "1e3", "0x10", `1${"0".repeat(31)}`, 0, -5, "9999999"],
      min_amount: ["0", "-1", "1.5", "x", "", 0, "5000000001", "10000000001"],
      max_amount_per_user: ["0", "-1", "1.5", "x", "", "9999999"],
      subscribe_start_time: ["", "x", "2026-13-01T00:00:00Z", "2026-06-31T00:00:00Z", "1700000000", isoAfter(DAY_ms)],
      subscribe_end_time: ["", "x", isoAfter(-1_000), "2026-06-01", "2026-06-01T12:00:00", isoAfter(0)],
    };
    for (const [field, values] of Object.entries(badTerms)) {
      for (const value of values) {
        const shown = JSON.stringify(value).slice(0, 30);
        it(`WIRE-4: a product with ${field} ${shown} is refused`, () =>
          refusesUnchanged(() => scene.admin("POST", "", productBody({ [field]: value })), 400, "INVALID_TERMS"));
      }
    }
    const required = Object.keys(productBody()).filter((name) => name !== "description");
    for (const field of required) {
      for (const value of [undefined, null, true, {}, []]) {
        it(`WIRE-4: ${field} ${JSON.stringify(value)} is no request`, () =>
          refusesUnchanged(() => scene.admin("POST", "", productBody({ [field]: value })), 400, "BAD_REQUEST"));
      }
    }
    for (const [field, value] of [
      ["reason", "a\u0000b"],
      ["reason", "x".repeat(501)],
      ["request_id", ""],
      ["request_id", "a b"],
      ["request_id", "x".repeat(65)],
      ["total_quota", 1.5],
      ["total_quota", "1".repeat(41)],
    ] as const) {
      it(`${field} ${JSON.stringify(value).slice(0, 20)} is no request`, () =>
        refusesUnchanged(() => scene.admin("POST", "", productBody({ [field]: value })), 400, "BAD_REQUEST"));
    }

    it("WIRE-2: amounts and rates may be numbers or strings, and fractions of seconds are dropped", async () => {
      const made = await scene.product({
        annual_rate_bps: "850",
        duration_seconds: "86400",
        total_quota: 2_000_000_000,
        min_amount: 1,
        max_amount_per_user: "3000000000",
        subscribe_start_time: "2026-06-02T14:00:00.999+02:00",
        subscribe_end_time: "2026-06-03T12:00:00.5Z",
        description: null,
      });
      assert.deepEqual(
        [made.annual_rate, made.duration_seconds, made.total_quota, made.min_amount, made.max_amount_per_user],
        ["8.50", 86_400, "2000000000", "1", "3000000000"],
      );
      assert.deepEqual(
        [made.subscribe_start_time, made.subscribe_end_time, made.settle_time, made.description],
        ["2026-06-02T12:00:00.000Z", "2026-06-03T12:00:00.000Z", "2026-06-04T12:00:00.000Z", null],
      );
      const { terms } = await scene.onChain(made.chain_product_id);
      assert.equal(terms.maxAmountPerUser, 2_000_000_000n, "no more than the quota can be held");
    });

    const actions = [
      ["PUT", "", { name: "x" }],
      ["POST", "/cancel", {}],
      ["POST", "/fund", { amount: "1" }],
    ] as const;
    for (const [method, path, body] of actions) {
      it(`${method} …/:id${path}: unknown is 404, malformed is 400`, async () => {
        for (const id of [UNKNOWN, "999"]) {
          await refusesUnchanged(() => scene.admin(method, `/${id}${path}`, body), 404, "PRODUCT_NOT_FOUND");
        }
        for (const id of HOSTILE_IDS) {
          await refusesUnchanged(() => scene.admin(method, `/${id}${path}`, body), 400, "BAD_REQUEST");
        }
      });
    }

    it("PUT needs something to change, and of the right kind", async () => {
      const put = (body: object) => () => scene.admin("PUT", `/${product.id}`, body);
      for (const body of [{}, { reason: "none" }, { settle_time: isoAfter(0) }, { name: 5 }, { total_quota: {} }]) {
        await refusesUnchanged(put(body), 400, "BAD_REQUEST");
      }
      await refusesUnchanged(put({ name: "" }), 400, "INVALID_TERMS");
      await refusesUnchanged(put({ annual_rate_bps: 1_300 }), 409, "INVALID_STATE");
      await refusesUnchanged(put({ subscribe_end_time: isoAfter(-5) }), 400, "INVALID_TERMS");
    });

    it("fund takes a positive whole amount, and only until the product is settled or cancelled", async () => {
      const fund = (id: string, body: object) => () => scene.admin("POST", `/${id}/fund`, body);
      for (const amount of ["0", "-1", "1.5", "x", "", "1e3", 0, -1, `1${"0".repeat(31)}`]) {
        await refusesUnchanged(fund(product.id, { amount }), 400, "INVALID_TERMS");
      }
      for (const amount of [undefined, null, 1.5, true, {}, [], "1".repeat(41)]) {
        await refusesUnchanged(fund(product.id, { amount }), 400, "BAD_REQUEST");
      }
      const { id } = await scene.product({ name: "to be cancelled" });
      accepted(await scene.admin("POST", `/${id}/cancel`, { reason: "not wanted" }));
      await refusesUnchanged(fund(id, { amount: "1" }), 409, "INVALID_STATE");
      await refusesUnchanged(() => scene.admin("POST", `/${id}/cancel`, {}), 409, "INVALID_STATE");
      await refusesUnchanged(() => scene.admin("PUT", `/${id}`, { annual_rate_bps: 5 }), 409, "INVALID_STATE");
    });

    it("SEC-6: nobody but an admin", async () => {
      const url = "/api/v1/earn/admin/products";
      assertRefused(await scene.platform.post(url, productBody()), 401, "UNAUTHORIZED");
      assert.equal((await scene.platform.post(url, productBody(), token)).statusCode, 403);
      assert.equal((await scene.platform.post(url, productBody(), await scene.platform.bdToken())).statusCode, 403);
    });
  });
});
