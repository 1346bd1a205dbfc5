import type { ChainClient } from "./client.ts";
import { blockAt } from "./indexer/block-range.ts";
import { ChainFault, type Indexer } from "./indexer/indexer.ts";

/**
 * Makes a check whether the chain is the one that the database knows. A chain that was reset would accept old transactions of the
 * operator again. The embedded chain cannot change while the process runs, so it is checked once.
 */
export function createSameChainCheck(client: ChainClient, indexer: Pick<Indexer, "cursor">): () => Promise<void> {
  let isSure = false;
  return async () => {
    if (isSure) return;
    const cursor = await indexer.cursor();
    if (cursor === undefined) return;
    const genesis = await blockAt(client, 0);
    if (genesis?.hash !== cursor.genesisHash) {
      throw new ChainFault("the chain was reset: nothing is sent to it");
    }
    isSure = client.kind === "embedded";
  };
}
