import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { BonusControl, type ControlRequest } from "./control.ts";
import { type BonusBench, benchWallet, createBonusBench } from "./testing/bonus-bench.ts";

const USDT = 1_000_000n;
const ACTOR = { actor: "test", role: "admin" };

describe("answers that come late", () => {
  let bench: BonusBench;
  before(async () => {
    bench = await createBonusBench();
  });
  after(() => bench.close());

  const asking = (request: Partial<ControlRequest>): ControlRequest => ({
    action: "freeze",
    address: benchWallet(1),
    reason: "test",
    operator_addr: benchWallet(9),
    request_id: "late",
    ...request,
  });
  const messages = () => bench.count("outbox");

  it("BON-4: 503 while the engine is silent; the same request then answers what came of it, and is sent once", async () => {
    await bench.grant([benchWallet(1)], 10n * USDT);
    await bench.dispatcher.stop();
    const hasty = new BonusControl({ ...bench, engineRequests: new EngineRequests({ ...bench, timeout_ms: 30 }) });
    const before_ = await messages();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await assert.rejects(hasty.act(asking({}), ACTOR), { status: 503, code: "not_ready" });
    }
    assert.equal(await messages(), before_ + 1);
    bench.dispatcher.start();
    const answer = await bench.control.act(asking({}), ACTOR);
    assert.deepEqual([answer.status, answer.replayed], ["frozen", true]);
    const { audit_id, ...rest } = await bench.control.act(asking({}), ACTOR);
    assert.deepEqual({ audit_id, ...rest }, answer);
    assert.equal(await messages(), before_ + 1);
  });

  it("BON-4: a process that died after the decision: the next one finds the answer by the same request", async () => {
    await bench.grant([benchWallet(2)], 10n * USDT);
    const request = asking({ action: "recall", address: benchWallet(2), request_id: "dies" });
    // Crashes before it answers the caller; the decision is in the database.
    const dispatcher = {
      notify: () => {
        throw new Error("the process is dead");
      },
    };
    const dying = new BonusControl({ ...bench, engineRequests: new EngineRequests({ ...bench, dispatcher }) });
    await assert.rejects(dying.act(request, ACTOR), /the process is dead/);
    await bench.settle();
    // A process that was not running when the engine answered.
    const heir = new BonusControl({ ...bench, engineRequests: new EngineRequests({ ...bench, timeout_ms: 2_000 }) });
    const answer = await heir.act(request, ACTOR);
    assert.deepEqual([answer.status, answer.recalled_amount, answer.replayed], ["recalled", "10.00", true]);
    const { granted_micros, returned_micros } = await bench.pool();
    assert.deepEqual([granted_micros, returned_micros], [20n * USDT, 10n * USDT]);
  });

  it("BON-10: a bonus that ended on the way to the engine: 404, stored like every answer", async () => {
    await bench.grant([benchWallet(3)], 10n * USDT);
    const recall = asking({ action: "recall", address: benchWallet(3), request_id: "first" });
    const freeze = asking({ action: "freeze", address: benchWallet(3), request_id: "second" });
    await bench.dispatcher.stop();
    const hasty = new BonusControl({ ...bench, engineRequests: new EngineRequests({ ...bench, timeout_ms: 10 }) });
    await assert.rejects(hasty.act(recall, ACTOR), { status: 503 });
    await assert.rejects(hasty.act(freeze, ACTOR), { status: 503 });
    bench.dispatcher.start();
    assert.equal((await bench.control.act(recall, ACTOR)).status, "recalled");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await assert.rejects(bench.control.act(freeze, ACTOR), { status: 404, code: "no_bonus" });
    }
  });
});
