import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import type { Hex } from "viem";
import { Prng } from "../../../../../packages/engine/src/book/testing/prng.ts";
import { makeTempDir } from "../../../../../tests/support/files.ts";
import { nodeFlags, startProcess } from "../../../../../tests/support/processes.ts";
import { waitFor } from "../../../../../tests/support/waiting.ts";
import { systemClock } from "../../kernel/clock.ts";
import { systemRandom } from "../../kernel/random.ts";
import { CHAIN_ID } from "../testing/chains.ts";
import { EmbeddedChain } from "./embedded-chain.ts";

const ROUNDS = 5;
const program = join(import.meta.dirname, "..", "testing", "sending-process.ts");

async function blockHashOf(chain: EmbeddedChain, hash: string | undefined): Promise<Hex | undefined> {
  const receipt = await chain.read((ask) => ask("eth_getTransactionReceipt", [hash]));
  return (receipt as { blockHash: Hex } | null)?.blockHash;
}

it("RUN-2: every acknowledged transaction is there after kill -9, in the very block it was in", async (t) => {
  const folder = await makeTempDir(t);
  const prng = new Prng(Date.now() % 1_000_000);
  const acknowledged: string[] = [];
  let blocksBefore = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = startProcess(process.execPath, [...nodeFlags(), program, folder], { owner: t });
    // The kill may have cut the last line short.
    const lines = () => child.output().split("\n").slice(1, -1);
    const enough = prng.between(1, 120);
    await waitFor(() => lines().length >= enough, {
      what: "acknowledged transactions",
      interval_ms: 1,
      timeout_ms: 60_000,
    });
    await child.kill("SIGKILL");
    acknowledged.push(...lines());
    const chain = await EmbeddedChain.open({ folder, chainId: CHAIN_ID, clock: systemClock, random: systemRandom });
    assert.ok(chain.tip.number >= blocksBefore + lines().length, `round ${round}: ${chain.tip.number} blocks`);
    blocksBefore = chain.tip.number;
    for (const line of acknowledged) {
      const [hash, blockHash] = line.split(" ");
      assert.equal(await blockHashOf(chain, hash), blockHash, `round ${round}: ${hash}`);
    }
    await chain.close();
  }
});
