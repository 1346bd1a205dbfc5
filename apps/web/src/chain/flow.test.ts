import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  ANSWERS,
  beginning,
  createFlow,
  type FlowEvent,
  type FlowState,
  flowAfter,
  lookOf,
  type Phase,
  SentBack,
  type Step,
  type StepTools,
} from "./flow.ts";

const EVENTS: readonly FlowEvent[] = [
  { kind: "started" },
  { kind: "sent", hash: "0x1" },
  { kind: "passed" },
  { kind: "failed", error: new Error("no") },
  { kind: "sent_back", to: 0, reason: "it has run out" },
  { kind: "retried" },
  { kind: "cleared" },
];
const STATES: Readonly<Record<Phase, FlowState>> = {
  ready: beginning(3),
  running: { ...beginning(3), phase: "running", at: 1, marks: { 0: { note: "made" } } },
  failed: { ...beginning(3), phase: "failed", at: 1, marks: { 0: { note: "made" } }, error: new Error("no") },
  done: { ...beginning(3), phase: "done", at: 2 },
};
/** Phase and step after each event, by phase: the events in the order above. */
const EXPECTED: Readonly<Record<Phase, readonly string[]>> = {
  ready: ["running 0", "ready 0", "ready 0", "ready 0", "ready 0", "ready 0", "ready 0"],
  running: ["running 1", "running 1", "running 2", "failed 1", "running 0", "running 1", "ready 0"],
  failed: ["failed 1", "failed 1", "failed 1", "failed 1", "failed 1", "running 1", "ready 0"],
  done: ["done 2", "done 2", "done 2", "done 2", "done 2", "done 2", "ready 0"],
};

describe("the table of a flow", () => {
  it("has an answer for every phase and event", () => {
    for (const [phase, state] of Object.entries(STATES) as [Phase, FlowState][]) {
      assert.deepEqual(
        EVENTS.map((event) => flowAfter(state, event)).map((next) => `${next.phase} ${next.at}`),
        EXPECTED[phase],
        phase,
      );
      assert.deepEqual(
        Object.keys(ANSWERS[phase]),
        EVENTS.map(({ kind }) => kind),
      );
    }
  });

  it("is over after the last step", () => {
    const last = flowAfter({ ...STATES.running, at: 2 }, { kind: "passed", note: "seen" });
    assert.deepEqual([last.phase, last.marks[2]], ["done", { note: "seen" }]);
  });

  it("forgets what has run out and keeps what came before it", () => {
    const state = { ...STATES.running, at: 2, marks: { 0: { note: "a" }, 1: { hash: "0x1" } } };
    const back = flowAfter(state, { kind: "sent_back", to: 1, reason: "again" });
    assert.deepEqual([back.at, back.marks, back.reason], [1, { 0: { note: "a" } }, "again"]);
  });

  it("forgets a failure when it goes on, and keeps what was sent", () => {
    const failed = { ...STATES.failed, marks: { 1: { hash: "0x2" } } };
    const next = flowAfter(failed, { kind: "retried" });
    assert.deepEqual([next.error, next.marks[1]?.hash], [undefined, "0x2"]);
  });

  it("says how each step looks", () => {
    const looks = (state: FlowState) => [0, 1, 2].map((step) => lookOf(state, step)).join(" ");
    assert.equal(looks(STATES.ready), "waiting waiting waiting");
    assert.equal(looks(STATES.running), "done running waiting");
    assert.equal(looks({ ...STATES.running, marks: { 0: { isSkipped: true } } }), "skipped running waiting");
    assert.equal(looks(STATES.failed), "done failed waiting");
    assert.equal(looks(STATES.done), "done done done");
  });
});

/** Steps that do what a test says, and note in which order they were run. */
function scripted(behaviours: Readonly<Record<string, (tools: StepTools, attempt: number) => Promise<void> | void>>) {
  const ran: string[] = [];
  const steps: Step[] = Object.entries(behaviours).map(([id, behave]) => ({
    id,
    label: id,
    run: async (tools) => {
      ran.push(id);
      await behave(tools, ran.filter((each) => each === id).length);
      return undefined;
    },
  }));
  return { flow: createFlow(steps), ran };
}

async function settled(flow: ReturnType<typeof createFlow>): Promise<void> {
  for (let turn = 0; turn < 50 && flow.state.get().phase === "running"; turn += 1) await setImmediate();
}

describe("a flow that runs", () => {
  it("goes on at the step that failed, which knows what it has sent already", async () => {
    const seen: (string | undefined)[] = [];
    const { flow, ran } = scripted({
      prepare: () => undefined,
      send: ({ hash, sent }, attempt) => {
        seen.push(hash);
        sent("0xabc");
        if (attempt === 1) throw new Error("the connection broke");
      },
    });
    flow.start();
    flow.start();
    await settled(flow);
    assert.equal(flow.state.get().phase, "failed");
    flow.retry();
    await settled(flow);
    assert.equal(flow.state.get().phase, "done");
    assert.deepEqual(ran, ["prepare", "send", "send"]);
    assert.deepEqual(seen, [undefined, "0xabc"]);
  });

  it("does earlier steps again when what they made has run out", async () => {
    const { flow, ran } = scripted({
      prepare: () => undefined,
      approve: () => undefined,
      send: (_, attempt) => {
        if (attempt === 1) throw new SentBack("prepare", "the voucher has run out");
      },
    });
    flow.start();
    await settled(flow);
    assert.deepEqual(ran, ["prepare", "approve", "send", "prepare", "approve", "send"]);
    assert.deepEqual([flow.state.get().phase, flow.state.get().reason], ["done", "the voucher has run out"]);
  });

  it("hears nothing any more of what was cleared", async () => {
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { flow, ran } = scripted({ send: () => held, after: () => undefined });
    flow.start();
    flow.clear();
    letGo();
    await setImmediate();
    assert.deepEqual([flow.state.get(), ran], [beginning(2), ["send"]]);
  });
});
