import type { Applied } from "../../exchange/host/exchange.ts";
import type { ProjectedBatch } from "../../exchange/projector/projector.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { type Outcome, outcomeOf, type Refused } from "../../wallet/outcomes.ts";
import { amountText } from "../ratios.ts";
import { type BrokerTx, brokerTx } from "../tables.ts";
import { movedBy } from "./batch-states.ts";
import { parseTakeRef } from "./payout-id.ts";

interface Answer {
  readonly outcome: Outcome;
  readonly at: Date;
}

function answersOf(applied: readonly Applied[]): Map<number, Answer> {
  const answers = new Map<number, Answer>();
  for (const one of applied) {
    const heard = one.command.kind === "pay_out" ? outcomeOf(one) : undefined;
    if (heard !== undefined) answers.set(heard.number, { outcome: heard.outcome, at: new Date(one.time_ms) });
  }
  return answers;
}

/** Why a batch is open again. */
const holdUpOf = ({ reason, limit, actual }: Refused): string =>
  reason === "fee_account_short"
    ? `fee account too small: it holds ${amountText(BigInt(limit))}, the batch comes to ${amountText(BigInt(actual))}`
    : `the exchange refuses the payout: ${reason}`;

async function store(tx: BrokerTx, ref: string, { outcome: { refused }, at }: Answer): Promise<void> {
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
 * BRK-14: stores what the engine said to payouts from the fee account: a program of the projector, in whose transaction
 * each command is seen exactly once. It changes the batch's own row only, and does not wait for the lock of the books: a
 * long settlement must not keep trades from being written.
 */
export async function projectPayouts(tx: Tx, { applied }: ProjectedBatch): Promise<void> {
  const answers = answersOf(applied);
  if (answers.size === 0) return;
  const messages = await tx
    .selectFrom("outbox")
    .select(["ref", "dispatch_seq"])
    .where("dispatch_seq", "in", [...answers.keys()].map(BigInt))
    .execute();
  for (const { ref, dispatch_seq } of messages) {
    const answer = answers.get(Number(dispatch_seq));
    if (answer !== undefined) await store(brokerTx(tx), ref, answer);
  }
}
