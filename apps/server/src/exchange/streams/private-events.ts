import type { Clock } from "../../kernel/clock.ts";
import type { PrivateChannel, PrivateFact } from "./private-facts.ts";

/** FUT-18: how long private events can be asked for. */
const KEPT_ms = 24 * 3_600_000;
/** Sequence numbers of a command: they go on after a restart, because the numbers of commands do. */
const SEQS_PER_COMMAND = 4_096;
const MOST_PER_ANSWER = 1_000;

export interface KeptEvent {
  readonly seq: number;
  readonly fact: PrivateFact;
}

export interface PrivateEvent {
  readonly seq: number;
  readonly channel: PrivateChannel;
  readonly time_ms: number;
  readonly data: unknown;
}

export interface PrivateEventsAnswer {
  /** Oldest first. */
  readonly events: readonly PrivateEvent[];
  /** Of the account's last event, whether or not it is among them. */
  readonly last_seq: number;
  /** False: events after the number asked for are no longer kept, so begin anew from the present state. */
  readonly isComplete: boolean;
  readonly hasMore: boolean;
}

export interface PrivateEventsOptions {
  readonly clock: Clock;
  /** Commands that were applied before the start. */
  readonly commandNumber: number;
  readonly render: (fact: PrivateFact) => unknown;
  readonly mostPerAccount?: number;
  readonly mostOfAll?: number;
}

/** Oldest first; the places before `start` have been given up and are cut off now and then. */
class Queue<Item> {
  #items: Item[] = [];
  #start = 0;

  get length(): number {
    return this.#items.length - this.#start;
  }

  at(place: number): Item | undefined {
    return this.#items[this.#start + place];
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  shift(): Item | undefined {
    const item = this.#items[this.#start];
    if (item === undefined) return undefined;
    this.#start += 1;
    if (this.#start > 64 && this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return item;
  }
}

class AccountEvents {
  readonly kept = new Queue<KeptEvent>();
  lastSeq: number;
  /** Events up to here are not kept. */
  floor: number;

  constructor(seq: number) {
    this.lastSeq = seq;
    this.floor = seq;
  }

  drop(): void {
    const event = this.kept.shift();
    if (event !== undefined) this.floor = event.seq;
  }
}

/**
 * The private events of the last day, per account with rising numbers, for clients that were away for a while. Bounded
 * per account and in all; what has to give way is the oldest.
 */
export class PrivateEvents {
  readonly #options: PrivateEventsOptions;
  readonly #mostPerAccount: number;
  readonly #mostOfAll: number;
  readonly #startSeq: number;
  readonly #accounts = new Map<number, AccountEvents>();
  /** Whose event it is, in the order in which they came; an account's own surplus may have left before its turn. */
  readonly #order = new Queue<{ readonly account: number; readonly seq: number }>();

  constructor(options: PrivateEventsOptions) {
    this.#options = options;
    this.#mostPerAccount = options.mostPerAccount ?? 10_000;
    this.#mostOfAll = options.mostOfAll ?? 200_000;
    this.#startSeq = options.commandNumber * SEQS_PER_COMMAND;
  }

  /** Answers the event's number. */
  add(account: number, commandNumber: number, fact: PrivateFact): number {
    const own = this.#of(account);
    const seq = Math.max(own.lastSeq + 1, commandNumber * SEQS_PER_COMMAND);
    own.lastSeq = seq;
    own.kept.push({ seq, fact });
    this.#order.push({ account, seq });
    if (own.kept.length > this.#mostPerAccount) own.drop();
    while (this.#order.length > this.#mostOfAll || this.#isOver(fact.time_ms)) this.#dropOldest();
    return seq;
  }

  lastSeq(account: number): number {
    return this.#accounts.get(account)?.lastSeq ?? this.#startSeq;
  }

  /** What happened to an account after an event. */
  after(account: number, seq: number, limit = MOST_PER_ANSWER): PrivateEventsAnswer {
    const own = this.#accounts.get(account);
    if (own === undefined) {
      return { events: [], last_seq: this.#startSeq, isComplete: seq >= this.#startSeq, hasMore: false };
    }
    const now_ms = this.#options.clock.now();
    while (own.kept.length > 0 && own.kept.at(0)!.fact.time_ms <= now_ms - KEPT_ms) own.drop();
    const first = placeAfter(own.kept, seq);
    const count = Math.max(0, Math.min(limit, MOST_PER_ANSWER, own.kept.length - first));
    const events = Array.from({ length: count }, (_, place) => this.#told(own.kept.at(first + place)!));
    const hasMore = first + count < own.kept.length;
    return { events, last_seq: own.lastSeq, isComplete: seq >= own.floor, hasMore };
  }

  #told({ seq, fact }: KeptEvent): PrivateEvent {
    return { seq, channel: fact.channel, time_ms: fact.time_ms, data: this.#options.render(fact) };
  }

  #of(account: number): AccountEvents {
    let own = this.#accounts.get(account);
    if (own === undefined) {
      own = new AccountEvents(this.#startSeq);
      this.#accounts.set(account, own);
    }
    return own;
  }

  #isOver(now_ms: number): boolean {
    const oldest = this.#order.at(0);
    if (oldest === undefined) return false;
    const event = this.#accounts.get(oldest.account)!.kept.at(0);
    return event === undefined || event.seq > oldest.seq || event.fact.time_ms <= now_ms - KEPT_ms;
  }

  #dropOldest(): void {
    const oldest = this.#order.shift();
    if (oldest === undefined) return;
    const own = this.#accounts.get(oldest.account)!;
    if (own.kept.at(0)?.seq === oldest.seq) own.drop();
  }
}

function placeAfter(events: Queue<KeptEvent>, seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (events.at(middle)!.seq <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
