import type { ResolvedWindow } from "../../kernel/windows.ts";

/*
 * What the wallet interface reads. Deposits and withdrawals belong to a module that stands above this one, which passes them in.
 */

export type DepositState = "requested" | "credited" | "refused";
export type WithdrawalState = "requested" | "in_review" | "sent" | "confirmed" | "rejected";

export interface TransferQuery<State> extends Pick<ResolvedWindow, "from_ms" | "to_ms"> {
  /** Undefined means all. */
  readonly states: readonly State[] | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface DepositQuery extends TransferQuery<DepositState> {
  readonly transactionHash: string | undefined;
}

export interface WithdrawalQuery extends TransferQuery<WithdrawalState> {
  readonly requestId: string | undefined;
  readonly ids: readonly string[] | undefined;
}

interface TransferRecord<State> {
  readonly id: string;
  readonly amount_micros: bigint;
  readonly state: State;
  readonly transactionHash: string | null;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export type DepositRecord = TransferRecord<DepositState>;

export interface WithdrawalRecord extends TransferRecord<WithdrawalState> {
  readonly to: string;
  readonly requestId: string | null;
  /** Why it was rejected. */
  readonly reason: string | null;
}

/** The transfers of a wallet, newest first. */
export interface Transfers {
  deposits(address: string, query: DepositQuery): Promise<readonly DepositRecord[]>;
  withdrawals(address: string, query: WithdrawalQuery): Promise<readonly WithdrawalRecord[]>;
}

/** Where money comes in and goes out. */
export interface MoneyGate {
  readonly chainId: number;
  /** Blocks that must pass before a transfer counts. */
  readonly confirmations: number;
  readonly vault: string;
  readonly token: string;
  readonly smallest_micros: bigint;
  readonly largest_micros: bigint;
  areWithdrawalsPaused(): Promise<boolean>;
}
