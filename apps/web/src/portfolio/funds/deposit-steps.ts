import type { AccountIncome } from "@bourse/api/client";
import type { ChainHands } from "../../chain/contracts.ts";
import { SentBack, type Step } from "../../chain/flow.ts";
import { ChainRefused } from "../../chain/refusals.ts";
import { sayUnits, tokensOf } from "../../chain/tokens.ts";
import { chainPoll, poll } from "../../chain/waiting.ts";
import { creditAfter, newestTransfer } from "./movements.ts";

export interface DepositWorld {
  openChain(): Promise<Pick<ChainHands, "allowance" | "approve" | "deposit" | "contracts">>;
  /** The newest transfers of the account. */
  transfers(signal: AbortSignal): Promise<AccountIncome[]>;
  readonly poll_seconds: number;
  /** Tells which transfer of the account the transaction became. */
  onCredited(transferId: string, hash: string | undefined): void;
}

const LATE = "The Vault has your deposit, but the exchange has not credited it yet. It will; look again in a minute";

/** VLT-1: approve, deposit into the Vault, and then the credit by which the exchange answers. */
export function depositSteps(world: DepositWorld, units: bigint): readonly Step[] {
  let before: bigint | undefined;
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
        before ??= newestTransfer(await world.transfers(tools.signal));
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
          throw new SentBack("approve", "The allowance had been used up meanwhile, so it is asked for again.");
        }
        return undefined;
      },
    },
    {
      id: "credit",
      label: "Credited",
      run: async ({ signal }) => {
        const seen = async () => creditAfter(await world.transfers(signal), before ?? -1n, tokensOf(units));
        const { id } = await poll(seen, chainPoll(world.poll_seconds, signal, LATE));
        world.onCredited(id, deposited);
        return { note: `${sayUnits(units)} are in your account` };
      },
    },
  ];
}
