import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProductDetail } from "@bourse/api/client";
import { localInputOf } from "../../lib/local-time.ts";
import {
  bpsOfPercent,
  changeOfProduct,
  draftOfProduct,
  EMPTY_DRAFT,
  type ProductDraft,
  percentOfBps,
  previewOf,
  problemsOfProduct,
  renamed,
  requestOfProduct,
} from "./product-draft.ts";

const NOW_MS = Date.parse("2026-06-01T00:00:00Z");
const GOOD: ProductDraft = {
  ...EMPTY_DRAFT,
  name: " USDT 30 days ",
  rate: "12",
  quota: "1,000,000",
  min: "10",
  max: "50000.5",
  opens: localInputOf("2026-06-02T00:00:00Z"),
  closes: localInputOf("2026-06-09T00:00:00Z"),
};

const product = {
  name: "USDT 30 days",
  description: null,
  annual_rate_bps: 1200,
  duration_seconds: 2_592_000,
  total_quota: "1000000000000",
  min_amount: "10000000",
  max_amount_per_user: "50000500000",
  subscribe_start_time: "2026-06-02T00:00:00.000Z",
  subscribe_end_time: "2026-06-09T00:00:00.000Z",
} as ProductDetail;

describe("rates", () => {
  it("are whole hundredths of a per cent", () => {
    assert.equal(bpsOfPercent("12"), 1200);
    assert.equal(bpsOfPercent("12.34"), 1234);
    assert.equal(bpsOfPercent("0.01"), 1);
    assert.equal(bpsOfPercent("1000"), 100_000);
    for (const text of ["", "0", "12.345", "1000.01", "-1", "x"]) assert.equal(bpsOfPercent(text), undefined, text);
    assert.equal(percentOfBps(1234), "12.34");
    assert.equal(percentOfBps(1200), "12");
  });
});

describe("a product's draft", () => {
  it("is sent in the token's smallest unit and in UTC", () => {
    assert.deepEqual(requestOfProduct(GOOD, NOW_MS), {
      name: "USDT 30 days",
      description: null,
      annual_rate_bps: 1200,
      duration_seconds: 2_592_000,
      total_quota: "1000000000000",
      min_amount: "10000000",
      max_amount_per_user: "50000500000",
      subscribe_start_time: "2026-06-02T00:00:00.000Z",
      subscribe_end_time: "2026-06-09T00:00:00.000Z",
    });
  });

  it("names what the exchange would refuse, field by field", () => {
    const of = (change: Partial<ProductDraft>) => Object.keys(problemsOfProduct({ ...GOOD, ...change }, NOW_MS));
    assert.deepEqual(of({}), []);
    assert.deepEqual(of({ name: "  " }), ["name"]);
    assert.deepEqual(of({ rate: "12.345" }), ["rate"]);
    assert.deepEqual(of({ term: "3651" }), ["term"]);
    assert.deepEqual(of({ term: "1.5" }), ["term"]);
    assert.deepEqual(of({ quota: "0" }), ["quota"]);
    assert.deepEqual(of({ quota: "1.0000001" }), ["quota"]);
    assert.deepEqual(of({ min: "60000" }), ["min"]);
    assert.deepEqual(of({ min: "2000000", max: "3000000" }), ["min"]);
    assert.deepEqual(of({ opens: "" }), ["opens"]);
    assert.deepEqual(of({ closes: GOOD.opens }), ["closes"]);
    assert.deepEqual(
      of({ opens: localInputOf("2026-05-01T00:00:00Z"), closes: localInputOf("2026-05-02T00:00:00Z") }),
      ["closes"],
    );
    assert.equal(requestOfProduct({ ...GOOD, quota: "" }, NOW_MS), undefined);
  });

  it("says what is owed when all of the quota is taken", () => {
    const terms = requestOfProduct(GOOD, NOW_MS);
    assert.ok(terms);
    const { fullInterest, interestOfThousand, matures_ms } = previewOf(terms);
    assert.equal(fullInterest, 9_863_013_698n);
    assert.equal(interestOfThousand, 9_863_013n);
    assert.equal(new Date(matures_ms).toISOString(), "2026-07-09T00:00:00.000Z");
  });

  it("made from a product changes nothing", () => {
    const terms = requestOfProduct(draftOfProduct(product), NOW_MS);
    assert.ok(terms);
    assert.deepEqual(changeOfProduct(product, terms), { lines: [], request: {} });
  });

  it("sends and shows only what is another", () => {
    const terms = requestOfProduct({ ...draftOfProduct(product), rate: "8.5", description: "Short." }, NOW_MS);
    assert.ok(terms);
    const { lines, request } = changeOfProduct(product, terms);
    assert.deepEqual(request, { description: "Short.", annual_rate_bps: 850 });
    assert.deepEqual(lines, [
      { what: "Description", before: "none", after: "Short." },
      { what: "Rate a year", before: "12 %", after: "8.5 %" },
    ]);
  });

  it("renames a product whose time is over, and leaves its terms alone", () => {
    const draft = { ...draftOfProduct(product), name: "Old", rate: "99" };
    assert.deepEqual(changeOfProduct(product, renamed(product, draft)).request, { name: "Old" });
  });

  it("keeps terms that are no whole days", () => {
    const draft = draftOfProduct({ ...product, duration_seconds: 90 });
    assert.deepEqual([draft.term, draft.termUnit], ["90", "seconds"]);
    assert.equal(requestOfProduct(draft, NOW_MS)?.duration_seconds, 90);
  });
});
