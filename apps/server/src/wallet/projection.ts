import type { ProjectedBatch } from "../exchange/index.ts";
import type { Tx } from "../kernel/database/database.ts";
import { type AnsweredMessage, answeredMessages } from "../kernel/engine-requests/answers.ts";
import { projectFundHolds } from "./fund-holds.ts";
import type { WalletTables, WalletTx } from "./tables.ts";
import { withdrawalStates } from "./withdrawal-states.ts";

/** References of the wallet's outbox messages: the kind, then the row. */
export const depositRef = (ref: string) => `deposit:${ref}`;
export const holdRef = (withdrawal: string) => `withdrawal-hold:${withdrawal}`;
export const settleRef = (withdrawal: string) => `withdrawal-settle:${withdrawal}`;

/** LOG-1: what the log keeps of a withdrawal privately. An address has no space, so whatever is behind one is the request's id. */
export const holdSecret = (to: string, request_id: string | null) => (request_id === null ? to : `${to} ${request_id}`);

export function readHoldSecret(secret: string): { readonly to: string; readonly request_id: string | null } {
  const split = secret.indexOf(" ");
  if (split < 0) return { to: secret, request_id: null };
  return { to: secret.slice(0, split), request_id: secret.slice(split + 1) };
}

const WALLET_KINDS: ReadonlySet<string> = new Set(["deposit", "hold_withdrawal", "settle_withdrawal"]);

async function store(tx: WalletTx, { ref, refused, at }: AnsweredMessage): Promise<void> {
  const split = ref.indexOf(":");
  const [kind, key] = [ref.slice(0, split), ref.slice(split + 1)];
  const reason = refused?.reason ?? null;
  if (kind === "deposit") {
    const status = refused === undefined ? "credited" : "refused";
    await tx.updateTable("deposit").set({ status, reason, updated_at: at }).where("ref", "=", key).execute();
  } else if (kind === "withdrawal-hold") {
    const status = withdrawalStates.next("requested", refused === undefined ? "held" : "refused");
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

/** The projection that stores the engine's answers to deposits and withdrawals, and what is held when the fund's cap strikes (VLT-4). */
export async function projectWallet(tx: Tx, { applied }: ProjectedBatch): Promise<void> {
  await projectFundHolds(tx, applied);
  const walletTx = tx.$extendTables<WalletTables>() as WalletTx;
  for (const answer of await answeredMessages(tx, applied, WALLET_KINDS)) await store(walletTx, answer);
}
