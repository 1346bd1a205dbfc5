import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestDurations } from "./request-durations.ts";

test("RUN-7: durations come out as a cumulative histogram per method, route and status", () => {
  const durations = new RequestDurations();
  for (const took_s of [0.0005, 0.001, 0.003, 7]) durations.observe("GET", "/a", 200, took_s);
  durations.observe("GET", "/a", 404, 0.2);
  const lines = durations.text().split("\n");
  const value = (start: string) =>
    lines
      .find((line) => line.startsWith(start))
      ?.split(" ")
      .at(-1);
  const name = "bourse_http_request_duration_seconds";
  const labels = 'method="GET",route="/a",status="200"';
  assert.equal(value(`${name}_bucket{le="0.001",${labels}}`), "2");
  assert.equal(value(`${name}_bucket{le="0.0025",${labels}}`), "2");
  assert.equal(value(`${name}_bucket{le="0.005",${labels}}`), "3");
  assert.equal(value(`${name}_bucket{le="5",${labels}}`), "3");
  assert.equal(value(`${name}_bucket{le="+Inf",${labels}}`), "4");
  assert.equal(value(`${name}_count{${labels}}`), "4");
  assert.equal(value(`${name}_sum{${labels}}`), String(0.0005 + 0.001 + 0.003 + 7));
  assert.equal(value(`${name}_count{method="GET",route="/a",status="404"}`), "1");
  assert.ok(lines.includes(`# TYPE ${name} histogram`));
});
