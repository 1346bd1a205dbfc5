// A process that sends transactions to an embedded chain, one after the other, and prints those that were acknowledged.
import { writeSync } from "node:fs";
import { systemClock } from "../../kernel/clock.ts";
import { systemRandom } from "../../kernel/random.ts";
import { EmbeddedChain } from "../embedded/embedded-chain.ts";
import { createEmbeddedRpc } from "../embedded/rpc-methods.ts";
import { CHAIN_ID, deployer, transfer } from "./chains.ts";

const [folder = ""] = process.argv.slice(2);
const chain = await EmbeddedChain.open({ folder, chainId: CHAIN_ID, clock: systemClock, random: systemRandom });
const rpc = createEmbeddedRpc(chain);
const first = Number(await rpc.request({ method: "eth_getTransactionCount", params: [deployer.address, "latest"] }));

const IN_FLIGHT = 5;

async function acknowledged(nonce: number): Promise<void> {
  const hash = await chain.sendRawTransaction(await transfer(nonce));
  const receipt = await rpc.request({ method: "eth_getTransactionReceipt", params: [hash] });
  writeSync(1, `${hash} ${(receipt as { blockHash: string }).blockHash}\n`);
}

writeSync(1, "ready\n");
for (let nonce = first; ; nonce += IN_FLIGHT) {
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, place) => acknowledged(nonce + place)));
}
