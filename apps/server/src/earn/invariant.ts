import { formatUnits } from "@bourse/money";
import type { ChainFollower } from "../chain/index.ts";
import type { Database } from "../kernel/database/database.ts";
import type { EarnContract } from "./contract.ts";
import { principalInAll } from "./mirror-store.ts";
import { earnDb } from "./tables.ts";

export interface EarnFinding {
  readonly ok: boolean | null;
  readonly detail: string;
}

export interface EarnInvariantOptions {
  readonly database: Pick<Database, "db">;
  readonly contract: EarnContract;
  readonly follower: Pick<ChainFollower, "indexed">;
}

const MAX_TRIES = 10;
const usdt = (wei: bigint) => `${formatUnits(wei, 6)} USDT`;

/**
 * INV-5: the contract's tokens cover every principal, and the indexed state equals the contract's. Both are read as of the last
 * applied block; if blocks are applied meanwhile, the check is repeated.
 */
export function createEarnInvariant({
  database,
  contract,
  follower,
}: EarnInvariantOptions): () => Promise<EarnFinding> {
  return async () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const block = follower.indexed;
      if (block === undefined) return { ok: null, detail: "the chain was not read yet" };
      const indexed = await principalInAll(earnDb(database));
      if (follower.indexed?.hash !== block.hash) continue;
      return judge(block.number, { ...indexed, ...(await contract.totalsAt(block.number)) });
    }
    return { ok: null, detail: "the chain moves too fast to be compared with" };
  };
}

interface Sums {
  readonly balance: bigint;
  readonly totalPrincipal: bigint;
  readonly byProduct: bigint;
  readonly byPosition: bigint;
}

function judge(block: number, { balance, totalPrincipal, byProduct, byPosition }: Sums): EarnFinding {
  const problems = [
    ...(balance < totalPrincipal ? [`the contract holds ${usdt(balance)} for ${usdt(totalPrincipal)}`] : []),
    ...(byProduct === byPosition ? [] : [`products hold ${usdt(byProduct)}, positions ${usdt(byPosition)}`]),
    ...(byPosition === totalPrincipal ? [] : [`${usdt(byPosition)} indexed, ${usdt(totalPrincipal)} on chain`]),
  ];
  const detail = `the contract holds ${usdt(balance)}, principal ${usdt(totalPrincipal)}, at block ${block}`;
  return { ok: problems.length === 0, detail: problems.length === 0 ? detail : problems.join("; ") };
}
