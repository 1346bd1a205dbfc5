import type { EarnSubscription } from "@bourse/api/client";
import type { ChainHands } from "../chain/contracts.ts";
import type { Step } from "../chain/flow.ts";
import { chainPoll, poll } from "../chain/waiting.ts";
import type { Collecting } from "./words.ts";

export interface ClaimWorld {
  openChain(): Promise<Pick<ChainHands, "collect">>;
  positions(signal: AbortSignal): Promise<EarnSubscription[]>;
  readonly poll_seconds: number;
}

const LATE = "You have the tokens, but the exchange has not recorded it yet. Look again in a minute";

/** The wallet calls the contract; the exchange records it by the contract's event. */
export function claimSteps(world: ClaimWorld, position: EarnSubscription, call: Collecting): readonly Step[] {
  return [
    {
      id: "collect",
      label: call === "claim" ? "Claim on chain" : "Take back on chain",
      run: async (tools) => {
        const hands = await world.openChain();
        await hands.collect(tools, call, position.chain_product_id);
        return { note: "The tokens are in your wallet" };
      },
    },
    {
      id: "record",
      label: "Recorded by the exchange",
      run: async ({ signal }) => {
        const seen = async () => {
          const now = (await world.positions(signal)).find(({ id }) => id === position.id);
          return now !== undefined && now.nft_status !== "minted" ? now : undefined;
        };
        await poll(seen, chainPoll(world.poll_seconds, signal, LATE));
        return undefined;
      },
    },
  ];
}
