import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Deposit } from "@bourse/api/client";
import type { Contracts } from "../../chain/contracts.ts";
import { createFlow, type Flow, lookOf, type StepTools } from "../../chain/flow.ts";
import { ChainRefused } from "../../chain/refusals.ts";
import { depositSteps } from "./deposit-steps.ts";

/** A chain and an account in memory, on which somebody has deposited before. */
function smallWorld({ allowed = 0n, status = "credited" as Deposit["status"] }) {
  const calls: string[] = [];
  const rows = [{ tx_hash: "0xold", status: "credited", reason: null } as Deposit];
  const state = { allowed, trouble: undefined as Error | undefined };
  const world = {
    poll_seconds: 12,
    deposits: async () => [...rows],
    openChain: async () => ({
      contracts: { vault: "0x1" } as unknown as Contracts,
      allowance: async () => state.allowed,
      approve: async (tools: StepTools, _: string, units: bigint) => {
        tools.sent("0xa");
        calls.push("approve");
        state.allowed = units;
      },
      deposit: async (tools: StepTools) => {
        calls.push(tools.hash === undefined ? "deposit" : "wait");
        const { trouble } = state;
        state.trouble = undefined;
        if (trouble instanceof ChainRefused) throw trouble;
        if (tools.hash === undefined) tools.sent("0xb");
        if (trouble !== undefined) throw trouble;
        rows.push({ tx_hash: "0xb", status, reason: "balance_limit" } as Deposit);
      },
    }),
  };
  return { flow: createFlow(depositSteps(world, 250_000_000n)), calls, state };
}

async function settled(flow: Flow): Promise<string> {
  for (let turn = 0; turn < 100 && flow.state.get().phase === "running"; turn += 1) await setImmediate();
  return flow.steps.map((_, step) => lookOf(flow.state.get(), step)).join(" ");
}

describe("VLT-1: a deposit in steps", () => {
  it("is approved, deposited and credited", async () => {
    const { flow, calls } = smallWorld({});
    flow.start();
    assert.equal(await settled(flow), "done done done");
    assert.deepEqual(calls, ["approve", "deposit"]);
  });

  it("needs no approval where the allowance reaches, and asks again where it was used up", async () => {
    const { flow, calls, state } = smallWorld({ allowed: 250_000_000n });
    state.trouble = new ChainRefused("ERC20InsufficientAllowance", "no");
    flow.start();
    assert.equal(await settled(flow), "skipped done done");
    assert.deepEqual(calls, ["deposit", "deposit"]);
  });

  it("is not sent twice when its receipt was lost, and is still recognised", async () => {
    const { flow, calls, state } = smallWorld({});
    state.trouble = new Error("the connection broke");
    flow.start();
    assert.equal(await settled(flow), "done failed waiting");
    flow.retry();
    assert.equal(await settled(flow), "done done done");
    assert.deepEqual(calls, ["approve", "deposit", "wait"]);
  });

  it("says so when the exchange cannot credit it", async () => {
    const { flow } = smallWorld({ status: "refused" });
    flow.start();
    assert.equal(await settled(flow), "done done failed");
    assert.match(String(flow.state.get().error), /balance_limit.*ask support/);
  });
});
