/** A process that crashes at a chosen call: from then on it reaches neither the database nor the chain. */
import type { KyselyPlugin } from "kysely";
import { createChainClient } from "../../../chain/client.ts";
import { createEmbeddedRpc } from "../../../chain/embedded/rpc-methods.ts";
import { Operator } from "../../../chain/operator/operator.ts";
import { CHAIN_ID } from "../../../chain/testing/chains.ts";
import { referralContractOn } from "../../../referral/contract.ts";
import { RebateSync } from "../../../referral/rebate-sync.ts";
import { OPERATOR_KEY } from "../../../referral/testing/referral-scene.ts";
import type { PayoutPaymentsOptions } from "../payments.ts";
import type { PaymentBench } from "./payment-bench.ts";

export interface MortalProcess {
  readonly options: PayoutPaymentsOptions;
  /** The number of calls to the database and the chain so far. */
  readonly asked: () => number;
  readonly isDead: () => boolean;
}

export function mortalProcess(bench: PaymentBench, lifetime: number): MortalProcess {
  let asked = 0;
  const live = () => {
    asked += 1;
    if (asked > lifetime) throw new Error("the process is dead");
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      live();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { clock, chain, contracts } = bench.scene;
  const database = { db: bench.database.db.withPlugin(plugin) };
  const rpc = createEmbeddedRpc(chain);
  const client = createChainClient({
    kind: "embedded",
    chainId: CHAIN_ID,
    confirmations: 0,
    request: async (request) => {
      live();
      return await rpc.request(request);
    },
  });
  const operator = new Operator({ client, database, clock, key: OPERATOR_KEY });
  const contract = referralContractOn(client, contracts.referral);
  const rebates = new RebateSync({ database, clock, client, operator, contract, addresses: contracts });
  return {
    options: { ...bench.options(), database, client, operator, rebates },
    asked: () => asked,
    isDead: () => asked > lifetime,
  };
}
