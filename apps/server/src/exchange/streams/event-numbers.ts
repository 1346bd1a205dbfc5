import type { ShownFact } from "./private-facts.ts";

/**
 * The numbers of private events begin at the command number times this. So they continue after a restart, and a command
 * that is replayed gives its events the same numbers. No account has this many events of one command; if one had, they
 * would continue into the numbers of the next command.
 */
const SEQS_PER_COMMAND = 16_384;

/**
 * Events of a command begin at this offset. The numbers below it are for events between two commands, which are not in
 * the log, so that a rebuilt event never has one of their numbers.
 */
const EVENTS_FROM = 2_048;

/** Balances and positions that are sent after a rebuild have numbers above all events of the command. */
const REBUILT_STATES_FROM = 8_192;

/** No event of this command or an earlier one has a higher number. */
export const lastSeqOf = (commandNumber: number) => commandNumber * SEQS_PER_COMMAND + SEQS_PER_COMMAND - 1;

/** The command that an event belongs to or follows. */
export const commandOfSeq = (seq: number) => Math.floor(seq / SEQS_PER_COMMAND);

/**
 * The end of an order that a conditional order produced ends both. The conditional order's FINISHED event gets the odd
 * number after the order's even one, so that all other numbers are the same whether or not a process still knows the
 * trigger.
 */
const isCompanion = (fact: ShownFact) => fact.kind === "conditional" && fact.order.status === "FINISHED";

/** The last number of each account. */
export class EventNumbers {
  readonly #last = new Map<number, number>();

  /** Undefined if the account has no event yet. */
  last(account: number): number | undefined {
    return this.#last.get(account);
  }

  next(account: number, commandNumber: number, fact: ShownFact): number {
    const min = commandNumber * SEQS_PER_COMMAND + EVENTS_FROM;
    return isCompanion(fact) ? this.#take(account, min + 1, 1) : this.#take(account, min, 2);
  }

  /** For an event without a command: above all numbers of the account, and above `last`. */
  nextBehind(account: number, last: number): number {
    return this.#take(account, last + 1, 2);
  }

  nextRebuiltState(account: number, commandNumber: number): number {
    return this.#take(account, commandNumber * SEQS_PER_COMMAND + REBUILT_STATES_FROM, 2);
  }

  #take(account: number, min: number, step: 1 | 2): number {
    const last = this.#last.get(account);
    const after = last === undefined ? 0 : last + step - (last % step);
    const seq = Math.max(min, after);
    this.#last.set(account, seq);
    return seq;
  }
}
