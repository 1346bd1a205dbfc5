import type { ProjectedBatch } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { type AnsweredMessage, answeredMessages, type Refused } from "../../kernel/engine-requests/answers.ts";
import { amountText } from "../ratios.ts";
import { type BrokerTx, brokerTx } from "../tables.ts";
import { movedBy } from "./batch-states.ts";
import { parseTakeRef } from "./payout-id.ts";

const PAYOUT_KINDS: ReadonlySet<string> = new Set(["pay_out"]);

/** Why a batch is open again. */
const holdUpOf = ({ reason, limit, actual }: Refused): string =>
  reason === "fee_account_short"
    ? `fee account too small: it holds ${amountText(BigInt(limit))}, the batch comes to ${amountText(BigInt(actual))}`
    : `the exchange refuses the payout: ${reason}`;

async function store(tx: BrokerTx, { ref, refused, at }: AnsweredMessage): Promise<void> {
  const take = parseTakeRef(ref);
  if (take === undefined) return;
  const change =
    refused === undefined
      ? { status: movedBy("paying", "taken"), is_taken: true }
      : { status: movedBy("paying", "refused"), way: null, hold_up: holdUpOf(refused) };
  await tx
    .updateTable("payout_batch")
    .set({ ...change, updated_at: at })
    .where("id", "=", take.id)
    .where("attempt", "=", take.attempt)
    .where("status", "=", "paying")
    .where("is_taken", "=", false)
    .execute();
}

/**
 * BRK-14: a projection that stores the engine's answers to payouts from the fee account. It changes the batch's own row
 * only and does not wait for REBATE_BOOKS: a long settlement must not delay the writing of trades.
 */
export async function projectPayouts(tx: Tx, { applied }: ProjectedBatch): Promise<void> {
  for (const answer of await answeredMessages(tx, applied, PAYOUT_KINDS)) await store(brokerTx(tx), answer);
}
