import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { AccountIncome } from "@bourse/api/client";
import type { Contracts } from "../../chain/contracts.ts";
import { createFlow, type Flow, lookOf, type StepTools } from "../../chain/flow.ts";
import { ChainRefused } from "../../chain/refusals.ts";
import { depositSteps } from "./deposit-steps.ts";

/** A chain and an account in memory. */
function smallWorld(allowed: bigint) {
  const calls: string[] = [];
  const rows = [{ id: "4", amount: "250", time: 1 } as AccountIncome];
  const state = { allowed, trouble: undefined as Error | undefined };
  const world = {
    poll_seconds: 12,
    onCredited: (id: string, hash: string | undefined) => calls.push(`credited ${id} ${hash}`),
    transfers: async () => [...rows],
    openChain: async () => ({
      contracts: { vault: "0x1" } as unknown as Contracts,
      allowance: async () => state.allowed,
      approve: async (tools: StepTools, _: string, units: bigint) => {
        tools.sent("0xa");
        calls.push("approve");
        state.allowed = units;
      },
      deposit: async (tools: StepTools, units: bigint) => {
        calls.push("deposit");
        const { trouble } = state;
        state.trouble = undefined;
        if (trouble !== undefined) throw trouble;
        tools.sent("0xb");
        rows.push({ id: "5", amount: String(units / 1_000_000n), time: 2 } as AccountIncome);
      },
    }),
  };
  return { world, calls, state };
}

async function looksOf(flow: Flow): Promise<string> {
  flow.start();
  for (let turn = 0; turn < 100 && flow.state.get().phase === "running"; turn += 1) await setImmediate();
  return flow.steps.map((_, step) => lookOf(flow.state.get(), step)).join(" ");
}

describe("VLT-1: a deposit in steps", () => {
  it("is approved, deposited and credited, also when one of the same amount came before", async () => {
    const { world, calls } = smallWorld(0n);
    assert.equal(await looksOf(createFlow(depositSteps(world, 250_000_000n))), "done done done");
    assert.deepEqual(calls, ["approve", "deposit", "credited 5 0xb"]);
  });

  it("needs no approval where the allowance reaches, and asks again where it was used up", async () => {
    const { world, calls, state } = smallWorld(250_000_000n);
    state.trouble = new ChainRefused("ERC20InsufficientAllowance", "no");
    const flow = createFlow(depositSteps(world, 250_000_000n));
    assert.equal(await looksOf(flow), "skipped done done");
    assert.deepEqual(calls, ["deposit", "deposit", "credited 5 0xb"]);
  });
});
