import type { Address, Hex } from "viem";
import { isOpen } from "./status.ts";
import type { TransactionRow } from "./tables.ts";

export interface OperatorCall {
  /** Identifies the transaction for ever; a second call with the same reference is the same transaction. */
  readonly ref: string;
  readonly to: Address;
  readonly data?: Hex;
  readonly value_wei?: bigint;
}

/**
 * The outcome of a call. `not_sent`: certainly nothing happened, and nothing will. `unknown`: it may be mined or not, and stays
 * watched; ask again. A rejection also means `unknown`.
 */
export type OperatorOutcome =
  | {
      readonly state: "confirmed" | "reverted";
      readonly hash: Hex;
      readonly blockNumber: number;
      readonly blockHash: Hex;
    }
  | { readonly state: "unknown"; readonly hash: Hex; readonly reason: string | null }
  | { readonly state: "not_sent"; readonly reason: string; readonly cause?: unknown };

export function outcomeOf(row: TransactionRow): OperatorOutcome {
  const hash = row.hash as Hex;
  if (isOpen(row.status)) return { state: "unknown", hash, reason: row.last_error };
  if (row.status === "superseded") {
    return { state: "not_sent", reason: `nonce ${row.nonce} was used by another transaction of the same wallet` };
  }
  const state = row.status === "confirmed" ? "confirmed" : "reverted";
  return { state, hash, blockNumber: Number(row.block_number), blockHash: row.block_hash as Hex };
}

/** The caller used a reference for two different calls. */
export class ReferenceConflict extends Error {
  constructor(ref: string) {
    super(`the reference ${ref} was used for another transaction`);
    this.name = "ReferenceConflict";
  }
}

/** A reference means one call only: a different call under it is an error of the caller that must not go unnoticed. */
export function outcomeOfSame(
  row: TransactionRow,
  { ref, to, data = "0x", value_wei = 0n }: OperatorCall,
): OperatorOutcome {
  const isSame =
    row.to_address === to.toLowerCase() && row.data === data.toLowerCase() && BigInt(row.value_wei) === value_wei;
  if (!isSame) throw new ReferenceConflict(ref);
  return outcomeOf(row);
}
