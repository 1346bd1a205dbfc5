import type { ShownFact } from "./private-facts.ts";

/**
 * Numbers of private events: the number of the command times this, and on from there. So they go on after a restart, and
 * a command that is applied again gives its events the numbers they had. No account has so many events of one command;
 * should one have more, they run on into the numbers of the next.
 */
const SEQS_PER_COMMAND = 16_384;

/**
 * Events of a command begin here. The numbers before it are for what is told between two commands and is in no log: an
 * event that is made anew never meets one of them.
 */
const EVENTS_FROM = 2_048;

/** Balances and positions that are told anew after a rebuild stand behind everything that was told of the command before. */
const REBUILT_STATES_FROM = 8_192;

/** No event of the command, or of one before it, has a higher number. */
export const lastSeqOf = (commandNumber: number) => commandNumber * SEQS_PER_COMMAND + SEQS_PER_COMMAND - 1;

/** The command that an event belongs to, or follows. */
export const commandOfSeq = (seq: number) => Math.floor(seq / SEQS_PER_COMMAND);

/**
 * An order that was produced by a conditional order ends both. That the latter is FINISHED is told under the odd number
 * behind the order's even one: whether or not a process still knows of the trigger, all other numbers stay the same.
 */
const isCompanion = (fact: ShownFact) => fact.kind === "conditional" && fact.order.status === "FINISHED";

/** The last number of each account. */
export class EventNumbers {
  readonly #last = new Map<number, number>();

  /** Undefined where it has had none yet. */
  last(account: number): number | undefined {
    return this.#last.get(account);
  }

  next(account: number, commandNumber: number, fact: ShownFact): number {
    const least = commandNumber * SEQS_PER_COMMAND + EVENTS_FROM;
    return isCompanion(fact) ? this.#take(account, least + 1, 1) : this.#take(account, least, 2);
  }

  /** For what belongs to no command: behind all that the account was told, and behind `last`. */
  nextBehind(account: number, last: number): number {
    return this.#take(account, last + 1, 2);
  }

  nextRebuiltState(account: number, commandNumber: number): number {
    return this.#take(account, commandNumber * SEQS_PER_COMMAND + REBUILT_STATES_FROM, 2);
  }

  #take(account: number, least: number, step: 1 | 2): number {
    const last = this.#last.get(account);
    const after = last === undefined ? 0 : last + step - (last % step);
    const seq = Math.max(least, after);
    this.#last.set(account, seq);
    return seq;
  }
}
