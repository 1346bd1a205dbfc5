import type { Applied } from "../exchange/host/exchange.ts";
import type { ProjectedBatch } from "../exchange/projector/projector.ts";
import type { Tx } from "../kernel/database/database.ts";
import { outcomeOf, type Refused } from "./outcomes.ts";
import type { WalletTables, WalletTx } from "./tables.ts";
import { withdrawalMoves } from "./withdrawal-states.ts";

/** Outbox messages of the wallet: what they ask for, then which row they belong to. */
export const depositRef = (ref: string) => `deposit:${ref}`;
export const holdRef = (withdrawal: string) => `withdrawal-hold:${withdrawal}`;
export const settleRef = (withdrawal: string) => `withdrawal-settle:${withdrawal}`;

interface Answer {
  readonly number: number;
  readonly refused: Refused | undefined;
  readonly at: Date;
}

const WALLET_KINDS: ReadonlySet<string> = new Set(["deposit", "hold_withdrawal", "settle_withdrawal"]);

function answersOf(batch: readonly Applied[]): Map<number, Answer> {
  const answers = new Map<number, Answer>();
  for (const applied of batch) {
    if (!WALLET_KINDS.has(applied.command.kind)) continue;
    const heard = outcomeOf(applied);
    if (heard === undefined) continue;
    const { number, outcome } = heard;
    answers.set(number, { number, refused: outcome.refused, at: new Date(applied.time_ms) });
  }
  return answers;
}

async function store(tx: WalletTx, message: string, { refused, at }: Answer): Promise<void> {
  const split = message.indexOf(":");
  const [kind, key] = [message.slice(0, split), message.slice(split + 1)];
  const reason = refused?.reason ?? null;
  if (kind === "deposit") {
    const status = refused === undefined ? "credited" : "refused";
    await tx.updateTable("deposit").set({ status, reason, updated_at: at }).where("ref", "=", key).execute();
  } else if (kind === "withdrawal-hold") {
    const status = withdrawalMoves.requested[refused === undefined ? "held" : "refused"];
    await tx
      .updateTable("withdrawal")
      .set({ status, reason, updated_at: at })
      .where("id", "=", key)
      .where("status", "=", "requested")
      .execute();
  } else if (kind === "withdrawal-settle" && refused !== undefined) {
    const hold_up = `the engine refuses to settle it: ${reason}`;
    await tx.updateTable("withdrawal").set({ hold_up, updated_at: at }).where("id", "=", key).execute();
  }
}

/**
 * Stores what the engine said to deposits and withdrawals: a program of the projector, in whose transaction each command
 * is seen exactly once. Messages are recognised by the number under which they were delivered.
 */
export async function projectWallet(tx: Tx, { applied }: ProjectedBatch): Promise<void> {
  const answers = answersOf(applied);
  if (answers.size === 0) return;
  const messages = await tx
    .selectFrom("outbox")
    .select(["ref", "dispatch_seq"])
    .where("dispatch_seq", "in", [...answers.keys()].map(BigInt))
    .execute();
  const walletTx = tx.$extendTables<WalletTables>() as WalletTx;
  for (const { ref, dispatch_seq } of messages) await store(walletTx, ref, answers.get(Number(dispatch_seq))!);
}
