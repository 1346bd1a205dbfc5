import type { Deposit } from "@bourse/api/client";
import type { ChainHands } from "../../chain/contracts.ts";
import { SentBack, type Step } from "../../chain/flow.ts";
import { ChainRefused } from "../../chain/refusals.ts";
import { sayUnits } from "../../chain/tokens.ts";
import { chainPoll, poll } from "../../chain/waiting.ts";

export interface DepositWorld {
  openChain(): Promise<Pick<ChainHands, "allowance" | "approve" | "deposit" | "contracts">>;
  /** The newest deposits of the account. */
  deposits(signal: AbortSignal): Promise<Deposit[]>;
  readonly poll_seconds: number;
}

const LATE = "The Vault has your deposit, but the exchange has not credited it yet. Look again in a minute";

/** VLT-1: approve, deposit into the Vault, and then the credit by which the exchange answers. */
export function depositSteps(world: DepositWorld, units: bigint): readonly Step[] {
  let deposited: string | undefined;
  return [
    {
      id: "approve",
      label: "Approve USDT",
      run: async (tools) => {
        const hands = await world.openChain();
        const { vault } = hands.contracts;
        if (tools.hash === undefined && (await hands.allowance(vault)) >= units) {
          return { isSkipped: true, note: `The Vault may take ${sayUnits(units)} already` };
        }
        await hands.approve(tools, vault, units);
        return undefined;
      },
    },
    {
      id: "deposit",
      label: "Deposit into the Vault",
      run: async (tools) => {
        const hands = await world.openChain();
        deposited = tools.hash;
        const sent = (hash: string) => {
          deposited = hash;
          tools.sent(hash);
        };
        try {
          await hands.deposit({ ...tools, sent }, units);
        } catch (error) {
          const isShort = error instanceof ChainRefused && error.reason === "ERC20InsufficientAllowance";
          if (!isShort) throw error;
          throw new SentBack("approve", "The allowance was used up meanwhile, so it is requested again.");
        }
        return undefined;
      },
    },
    {
      id: "credit",
      label: "Credited",
      run: async ({ signal }) => {
        const decided = async () => {
          const mine = (await world.deposits(signal)).find(({ tx_hash }) => tx_hash === deposited);
          return mine === undefined || mine.status === "requested" ? undefined : mine;
        };
        const { status, reason } = await poll(decided, chainPoll(world.poll_seconds, signal, LATE));
        if (status === "refused") {
          throw new Error(`The exchange could not credit it (${reason}). The Vault has the tokens: ask support`);
        }
        return { note: `${sayUnits(units)} are in your account` };
      },
    },
  ];
}
