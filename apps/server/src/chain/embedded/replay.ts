import { LogFault } from "../../kernel/journal/log-format.ts";
import { RpcError } from "../rpc-error.ts";
import { chainLogPath } from "./chain-log.ts";
import type { EvmNode } from "./node.ts";
import type { BlockRecord, GenesisRecord } from "./records.ts";

const SHOW_EVERY_ms = 2_000;

function doesNotReplay(folder: string, number: number, why: string): LogFault {
  return new LogFault(
    `block ${number} of the embedded chain cannot be made again from ${chainLogPath(folder)}: ${why}. ` +
      "Another version of the chain's node has written this log. Start that version, or move the folder away to begin " +
      "with an empty chain; what is on the chain, deposits included, is then lost",
  );
}

/** The genesis is made from the log's own values, so a different hash means a different node version. */
export async function assertSameGenesis(folder: string, node: EvmNode, genesis: GenesisRecord): Promise<void> {
  const { hash } = await node.tip();
  if (hash !== genesis.hash) throw doesNotReplay(folder, 0, `its hash is ${hash} and was ${genesis.hash}`);
}

async function hashOfReplayed(folder: string, node: EvmNode, block: BlockRecord): Promise<string> {
  try {
    return (await node.mine(block, block.transactions)).hash;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw doesNotReplay(folder, block.number, `a transaction is refused (${error.message})`);
  }
}

/** Makes all blocks again with the same inputs. Each must get its recorded hash. */
export async function replayBlocks(
  folder: string,
  node: EvmNode,
  blocks: readonly BlockRecord[],
  onProgress: (line: string) => void,
): Promise<void> {
  const started_ms = performance.now();
  let shown_ms = started_ms;
  for (const block of blocks) {
    const hash = await hashOfReplayed(folder, node, block);
    if (hash !== block.hash) {
      throw doesNotReplay(folder, block.number, `its hash is ${hash} and was ${block.hash}`);
    }
    const now_ms = performance.now();
    if (now_ms - shown_ms < SHOW_EVERY_ms) continue;
    shown_ms = now_ms;
    const perSecond = Math.round(block.number / ((now_ms - started_ms) / 1_000));
    onProgress(`replaying the chain: ${block.number} of ${blocks.length} blocks, ${perSecond} a second`);
  }
}
