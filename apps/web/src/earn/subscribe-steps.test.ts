import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { EarnSubscription, PreparedSubscription } from "@bourse/api/client";
import { createFlow, type Flow, lookOf, type StepTools } from "../chain/flow.ts";
import { ChainRefused } from "../chain/refusals.ts";
import { type SubscribeWorld, subscribeSteps } from "./subscribe-steps.ts";

const MINUTE_MS = 60_000;
const CONTRACT = `0x${"11".repeat(20)}`;

/** An exchange and a chain in memory, whose misfortunes a test chooses. */
class SmallWorld implements SubscribeWorld {
  readonly calls: string[] = [];
  readonly poll_seconds = 12;
  now_ms = 1_000_000_000;
  allowed = 0n;
  principal = 0n;
  /** Thrown once by the call of that name. */
  readonly troubles = new Map<string, Error>();
  onCall: (name: string) => void = () => undefined;

  now = () => this.now_ms;
  onVoucher = () => undefined;

  #called(name: string): void {
    this.calls.push(name);
    this.onCall(name);
    const trouble = this.troubles.get(name);
    this.troubles.delete(name);
    if (trouble !== undefined) throw trouble;
  }

  prepare = async (_: string, tokens: string): Promise<PreparedSubscription> => {
    this.#called("prepare");
    const deadline = this.now_ms / 1000 + 30 * 60;
    const amount = String(BigInt(tokens) * 1_000_000n);
    return { chain_product_id: 1, amount, deadline, signature: "0x", contract_address: CONTRACT, user_address: "0x" };
  };

  openChain = async () => ({
    allowance: async () => this.allowed,
    approve: async (tools: StepTools, _: string, units: bigint) => {
      tools.sent("0xa");
      this.#called("approve");
      this.allowed = units;
    },
    subscribe: async (tools: StepTools, voucher: PreparedSubscription) => {
      if (tools.hash === undefined) tools.sent("0xb");
      this.#called(tools.hash === undefined ? "subscribe" : "wait");
      this.principal += BigInt(voucher.amount);
    },
  });

  positions = async (): Promise<EarnSubscription[]> => {
    this.#called("positions");
    return [{ product_id: "p", nft_status: "minted", principal: String(this.principal) } as EarnSubscription];
  };
}

const begin = (world: SmallWorld, held = 0n) =>
  createFlow(subscribeSteps(world, { product: { id: "p" }, tokens: "100", held }));

async function settled(flow: Flow): Promise<string> {
  for (let turn = 0; turn < 100 && flow.state.get().phase === "running"; turn += 1) await setImmediate();
  const state = flow.state.get();
  return flow.steps.map((_, step) => lookOf(state, step)).join(" ");
}

describe("a subscription in steps", () => {
  it("is prepared, approved, subscribed and confirmed", async () => {
    const world = new SmallWorld();
    const flow = begin(world);
    flow.start();
    assert.equal(await settled(flow), "done done done done");
    assert.deepEqual(world.calls, ["prepare", "approve", "subscribe", "positions"]);
    assert.deepEqual([flow.state.get().marks[1]?.hash, flow.state.get().marks[2]?.hash], ["0xa", "0xb"]);
  });

  it("needs no approval where the allowance reaches", async () => {
    const world = new SmallWorld();
    world.allowed = 100_000_000n;
    const flow = begin(world);
    flow.start();
    assert.equal(await settled(flow), "done skipped done done");
    assert.ok(!world.calls.includes("approve"));
  });

  for (const [failing, looks, again] of [
    ["prepare", "failed waiting waiting waiting", ["prepare", "approve", "subscribe", "positions"]],
    ["approve", "done failed waiting waiting", ["approve", "subscribe", "positions"]],
    ["subscribe", "done done failed waiting", ["wait", "positions"]],
    ["positions", "done done done failed", ["positions"]],
  ] as const) {
    it(`goes on at the very step when ${failing} has failed`, async () => {
      const world = new SmallWorld();
      world.troubles.set(failing, new Error("no"));
      const flow = begin(world);
      flow.start();
      assert.equal(await settled(flow), looks);
      world.calls.length = 0;
      flow.retry();
      assert.match(await settled(flow), /^(done ?){4}$/);
      assert.deepEqual(world.calls, again);
    });
  }

  it("asks for a new voucher when the old one runs out before it is used", async () => {
    const world = new SmallWorld();
    const flow = begin(world);
    world.onCall = (name) => {
      if (name === "approve") world.now_ms += 30 * MINUTE_MS;
    };
    flow.start();
    assert.match(await settled(flow), /^done skipped done done$/);
    assert.deepEqual(world.calls, ["prepare", "approve", "prepare", "subscribe", "positions"]);
    assert.match(flow.state.get().reason ?? "", /new one was requested/);
  });

  it("does again what the contract says is not good any more", async () => {
    for (const [reason, calls] of [
      ["VoucherExpired", ["prepare", "approve", "subscribe", "prepare", "subscribe", "positions"]],
      ["ERC20InsufficientAllowance", ["prepare", "approve", "subscribe", "approve", "subscribe", "positions"]],
    ] as const) {
      const world = new SmallWorld();
      world.troubles.set("subscribe", new ChainRefused(reason, "no"));
      if (reason === "ERC20InsufficientAllowance") {
        world.onCall = (name) => {
          if (name === "subscribe" && world.calls.filter((each) => each === name).length === 1) world.allowed = 0n;
        };
      }
      const flow = begin(world);
      flow.start();
      await settled(flow);
      assert.equal(flow.state.get().phase, "done");
      assert.deepEqual(world.calls, calls, reason);
    }
  });

  it("is confirmed only by a position that has grown", async () => {
    const world = new SmallWorld();
    world.principal = 50_000_000n;
    const flow = begin(world, 50_000_000n);
    flow.start();
    await settled(flow);
    assert.equal(flow.state.get().marks[3]?.note, "Your position is 150.00 USDT now");
  });
});
