import type { EarnSubscription, PreparedSubscription, ProductDetail } from "@bourse/api/client";
import type { ChainHands } from "../chain/contracts.ts";
import { SentBack, type Step } from "../chain/flow.ts";
import { ChainRefused } from "../chain/refusals.ts";
import { sayUnits } from "../chain/tokens.ts";
import { chainPoll, poll } from "../chain/waiting.ts";
import { heldIn } from "./amount-check.ts";

/** What the steps call; tests replace it. */
export interface SubscribeWorld {
  prepare(product_id: string, amount: string): Promise<PreparedSubscription>;
  openChain(): Promise<Pick<ChainHands, "allowance" | "approve" | "subscribe">>;
  positions(signal: AbortSignal): Promise<EarnSubscription[]>;
  /** The platform's clock, in milliseconds. */
  now(): number;
  readonly poll_seconds: number;
  /** Reports the voucher in use, for its countdown. */
  onVoucher(voucher: PreparedSubscription | undefined): void;
}

interface Wanted {
  readonly product: Pick<ProductDetail, "id">;
  readonly tokens: string;
  /** In the product before this, in whole units. */
  readonly held: bigint;
}

/** A voucher with less than this left would run out on its way to the chain. */
const MARGIN_MS = 15_000;
const LATE = "The chain has your subscription, but the exchange has not recorded it yet. Look again in a minute";

const RUN_OUT = "The voucher had expired, so a new one was requested.";
const SENT_BACK: Readonly<Record<string, readonly [to: string, reason: string]>> = {
  VoucherExpired: ["prepare", RUN_OUT],
  VoucherUsed: ["prepare", "The voucher was used already, so a new one was requested."],
  ERC20InsufficientAllowance: ["approve", "The allowance was used up meanwhile, so it is requested again."],
};

/** Interface 4.3: prepare, approve, subscribe, and then the record that the exchange makes of it. */
export function subscribeSteps(world: SubscribeWorld, { product, tokens, held }: Wanted): readonly Step[] {
  let voucher: PreparedSubscription | undefined;
  const good = (): PreparedSubscription => {
    if (voucher === undefined || voucher.deadline * 1000 - world.now() < MARGIN_MS) {
      throw new SentBack("prepare", RUN_OUT);
    }
    return voucher;
  };
  return [
    {
      id: "prepare",
      label: "Prepare",
      run: async () => {
        world.onVoucher(undefined);
        voucher = await world.prepare(product.id, tokens);
        world.onVoucher(voucher);
        return { note: `A voucher for ${sayUnits(voucher.amount)}, signed by the exchange` };
      },
    },
    {
      id: "approve",
      label: "Approve",
      run: async (tools) => {
        const { amount, contract_address } = good();
        const hands = await world.openChain();
        const spender = contract_address as `0x${string}`;
        const allowed = await hands.allowance(spender);
        if (tools.hash === undefined && allowed >= BigInt(amount)) {
          return { isSkipped: true, note: `The contract may take ${sayUnits(amount)} already` };
        }
        await hands.approve(tools, spender, BigInt(amount));
        return undefined;
      },
    },
    {
      id: "subscribe",
      label: "Subscribe",
      run: async (tools) => {
        // A transaction that was sent already is waited for, however old its voucher is.
        const used = tools.hash !== undefined && voucher !== undefined ? voucher : good();
        const hands = await world.openChain();
        try {
          await hands.subscribe(tools, used);
        } catch (error) {
          const back = error instanceof ChainRefused ? SENT_BACK[error.reason] : undefined;
          throw back === undefined ? error : new SentBack(...back);
        }
        world.onVoucher(undefined);
        return undefined;
      },
    },
    {
      id: "confirm",
      label: "Confirmed",
      run: async ({ signal }) => {
        const seen = async () => {
          const positions = await world.positions(signal);
          return heldIn(positions, product.id) > held ? positions : undefined;
        };
        const positions = await poll(seen, chainPoll(world.poll_seconds, signal, LATE));
        return { note: `Your position is ${sayUnits(heldIn(positions, product.id))} now` };
      },
    },
  ];
}
