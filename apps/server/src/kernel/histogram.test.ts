import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Histogram, labelText } from "./histogram.ts";
import { createMetrics } from "./metrics.ts";

describe("histograms", () => {
  it("RUN-7: buckets add up, and a value on a bound belongs to it", () => {
    const histogram = new Histogram("size", "How large", [1, 10]);
    for (const value of [0.5, 1, 2, 10, 11]) histogram.observe(value);
    assert.equal(
      histogram.text(),
      [
        "# HELP size How large",
        "# TYPE size histogram",
        'size_bucket{le="1"} 2',
        'size_bucket{le="10"} 4',
        'size_bucket{le="+Inf"} 5',
        "size_sum 24.5",
        "size_count 5",
        "",
      ].join("\n"),
    );
  });

  it("labels cannot break out of their quotes", () => {
    assert.equal(labelText({ a: 'x"y', b: "\\\n" }), 'a="x\\"y",b="\\\\\\n"');
  });
});

describe("metrics that are read at a scrape", () => {
  const linesOf = async (metrics: ReturnType<typeof createMetrics>) =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("test_"));

  it("RUN-7: show what holds at that moment, and forget labels that are no longer read", async () => {
    const metrics = createMetrics();
    let names = ["a", "b"];
    let count = 1;
    metrics.gauges("test_open", "…", ["name"], () => names.map((name) => ({ labels: { name }, value: count })));
    metrics.counter("test_done_total", "…", async () => count * 10);
    metrics.gauge("test_age", "…", () => (count === 1 ? Number.NaN : count));
    metrics.histogram("test_s", "…", [1]).observe(3);
    assert.deepEqual(await linesOf(metrics), [
      'test_open{name="a"} 1',
      'test_open{name="b"} 1',
      "test_done_total 10",
      "test_age Nan",
      'test_s_bucket{le="1"} 0',
      'test_s_bucket{le="+Inf"} 1',
      "test_s_sum 3",
      "test_s_count 1",
    ]);
    names = ["b"];
    count = 2;
    assert.deepEqual((await linesOf(metrics)).slice(0, 3), [
      'test_open{name="b"} 2',
      "test_done_total 20",
      "test_age 2",
    ]);
  });
});
