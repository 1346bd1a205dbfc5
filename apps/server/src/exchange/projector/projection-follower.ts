import type { Database } from "../../kernel/database/database.ts";
import type { Applied } from "../host/exchange.ts";
import { readCursor } from "./cursor.ts";
import { type PendingOrder, pendingOrderIn } from "./pending-order.ts";
import { LastEvents, ProjectionWaiters } from "./waiting.ts";

/** On the bus: how far the tables are. */
export const PROJECTED_TOPIC = "projected";

export interface ProjectionFollowerOptions {
  readonly database: Pick<Database, "db">;
  /** How far the tables were when this process began to follow the log. */
  readonly cursor: number;
  readonly onError: (error: unknown) => void;
  readonly mostPending?: number;
}

const READ_TIMEOUT_ms = 1_000;
/** Beyond it what is not written yet is let go: whoever asks for it waits for the tables. */
const MAX_PENDING = 100_000;
const LOOK_EVERY_ms = 100;

/** How far the tables are, and what they lack, in a process that does not write them. */
export class ProjectionFollower {
  readonly #options: ProjectionFollowerOptions;
  readonly #lastEvents = new LastEvents();
  readonly #waiters = new ProjectionWaiters();
  #pending: Applied[] = [];
  #cursor: number;
  #lastHeard: number;
  /** The last one that was let go. */
  #letGo = 0;
  #isLooking = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProjectionFollowerOptions) {
    this.#options = options;
    this.#cursor = options.cursor;
    this.#lastHeard = options.cursor;
  }

  get cursor(): number {
    return this.#cursor;
  }

  /** Looks for itself as well: what is told may get lost. */
  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_ms);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** For `exchange.listen`. */
  readonly hear = (applied: Applied): void => {
    this.#lastHeard = applied.number;
    this.#lastEvents.hear(applied);
    this.#pending.push(applied);
    if (this.#pending.length <= (this.#options.mostPending ?? MAX_PENDING)) return;
    const gone = this.#pending.splice(0, this.#pending.length >> 1);
    this.#letGo = gone.at(-1)!.number;
  };

  /** The tables are told to hold everything up to this command. */
  moved(cursor: number): void {
    if (cursor <= this.#cursor) return;
    this.#cursor = cursor;
    const first = this.#pending[0]?.number ?? cursor + 1;
    if (first <= cursor) this.#pending.splice(0, cursor - first + 1);
    this.#waiters.reached(cursor);
  }

  waitFor(number: number, timeout_ms = READ_TIMEOUT_ms): Promise<void> {
    return number <= this.#cursor ? Promise.resolve() : this.#waiters.wait(number, timeout_ms);
  }

  waitForAccount(account: number, timeout_ms?: number): Promise<void> {
    return this.waitFor(this.#lastEvents.of(account), timeout_ms);
  }

  waitForAll(timeout_ms?: number): Promise<void> {
    return this.waitFor(this.#lastHeard, timeout_ms);
  }

  /** What was heard behind a command; undefined if some of it was let go. */
  since(cursor: number): readonly Applied[] | undefined {
    const first = this.#pending[0]?.number ?? this.#lastHeard + 1;
    return first > cursor + 1 ? undefined : this.#pending.slice(cursor + 1 - first);
  }

  get isSpilled(): boolean {
    return this.#letGo > this.#cursor;
  }

  pendingOrder(account: number, order: number): PendingOrder | undefined {
    return pendingOrderIn(this.#pending, account, order);
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#waiters.count === 0) return;
    this.#isLooking = true;
    try {
      this.moved((await readCursor(this.#options.database.db)).command_number);
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isLooking = false;
    }
  }
}
