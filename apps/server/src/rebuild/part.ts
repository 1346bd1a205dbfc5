import type { Command } from "@bourse/engine";
import type { Db, Tx } from "../kernel/database/database.ts";
import type { AnsweredMessage } from "../kernel/engine-requests/answers.ts";

/** A command of the outside world as the log has it: its reference, what it says, and the engine's answer to it. */
export interface LoggedRequest extends AnsweredMessage {
  /** Its number among the commands of the outside world, which is its number in the outbox. */
  readonly seq: number;
  readonly command: Command;
  /** LOG-1: the parsed public details of the command, such as a row of terms. */
  readonly details: unknown;
  /** LOG-1: what the private record beside the command discloses, such as the destination of a withdrawal. */
  readonly secret: string | undefined;
}

export interface LoggedRequests {
  /** In the order of the log, each once; a command that was delivered again is not repeated. */
  readonly requests: readonly LoggedRequest[];
  /** The wallet of an account, lower case. */
  walletOf(account: number): string;
}

/** A wallet whose account has another number in the log than the database had decided, and whose opening had not been sent. */
export interface AccountMove {
  readonly from: number;
  readonly to: number;
  readonly address: string;
}

/**
 * LOG-3: a module's rows that were written before the engine got a command, and that the projections then only change: a deposit that
 * is requested, a granted bonus, a row of terms. The rebuild calls `restore` in the projector's transaction, before the projections.
 * Everything that a projection writes by itself needs no part.
 */
export interface RebuildPart {
  readonly name: string;
  /** The tables that it writes. */
  readonly tables: readonly string[];
  /**
   * Whether a batch must begin with this command, because what `restore` writes for it would change what projections write for
   * commands before it. Without this function no command needs it.
   */
  startsBatch?(command: Command): boolean;
  /** Writes the rows that are missing, leaves those that are there, and returns how many it wrote. Set-based, and without memory. */
  restore(tx: Tx, batch: LoggedRequests): Promise<number>;
  /** What could not be written as it was, a line each; called at the end. */
  findLosses?(db: Db): Promise<string[]>;
  /** Gives the rows of these wallets their account's number. Only rows of deposits can need it; others are refused before. */
  moveAccounts?(tx: Tx, moves: readonly AccountMove[]): Promise<void>;
}
