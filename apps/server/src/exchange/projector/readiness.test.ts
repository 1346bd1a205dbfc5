import assert from "node:assert/strict";
import { it } from "node:test";
import { ManualClock } from "../../kernel/clock.ts";
import type { ProjectorStatus } from "./projector.ts";
import { projectorCheck } from "./readiness.ts";

it("RUN-7: the projector is ready unless it gave up or has failed for a while", async () => {
  const clock = new ManualClock(1_000_000);
  let status: ProjectorStatus = {
    cursor: 12,
    lastHeard: 15,
    lag_commands: 3,
    lag_ms: 7,
    isSpilled: false,
    failing_since: null,
    lastError: null,
    fault: null,
  };
  const check = projectorCheck({ status: () => status }, clock);
  assert.equal(await check.run(), "12 commands written, 3 to go");
  status = { ...status, failing_since: new Date(clock.now()), lastError: "no connection" };
  assert.equal(await check.run(), "12 commands written, 3 to go");
  clock.advance(10_001);
  await assert.rejects(check.run(), /nothing was written since 1970-01-01T00:16:40.000Z: no connection/);
  status = { ...status, failing_since: null, fault: "the cursor moved" };
  await assert.rejects(check.run(), /the cursor moved/);
});
