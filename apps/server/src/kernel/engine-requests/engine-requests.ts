import {
  type AddMarket,
  type Command,
  commitmentTo,
  disclosureText,
  type ExternalCommand,
  type MarginMode,
  type OpenAccount,
  type OutsideStamp,
  RULES_WITH_REFERENCES,
  type SetMarketRules,
  type SetMarketStatus,
} from "@bourse/engine";
import type { Database, Tx } from "../database/database.ts";
import type { JsonValue } from "../database/tables.ts";
import { Late } from "../late.ts";
import type { OutboxDispatcher } from "../outbox/dispatcher.ts";
import type { Outbox, OutboxMessage } from "../outbox/outbox.ts";
import { type Random, systemRandom } from "../random.ts";
import { within } from "../wait.ts";
import { type Answer, type AppliedCommand, answerTo } from "./answers.ts";
import { type NotedRow, type NotedTable, notesOf, type RequestNotes } from "./noted-rows.ts";

/** The topic of outbox messages whose payload is a command for the engine. */
export const COMMAND_TOPIC = "exchange";

type WithoutStamps<C extends Command> = C extends Command ? Omit<C, "time_ms" | "number" | keyof OutsideStamp> : never;

/**
 * A command that a transaction may send to the engine. The reason is for readers of the message; the engine ignores it. Settings are
 * for whoever delivers it: what an account that is opened begins with (SEC-11).
 */
export type RequestedCommand = WithoutStamps<
  ExternalCommand | OpenAccount | AddMarket | SetMarketStatus | SetMarketRules
> & {
  readonly reason?: string;
  readonly settings?: readonly AccountSetting[];
};

/** What a wallet has chosen for a market: one of the two, or both. */
export interface AccountSetting {
  readonly market: number;
  readonly leverage: number | null;
  readonly mode: MarginMode | null;
}

export interface EngineRequest extends RequestNotes {
  /** The unique reference of the request. */
  readonly ref: string;
  readonly command: RequestedCommand;
}

export interface EngineRequestsOptions {
  readonly database: Pick<Database, "db">;
  readonly outbox: Pick<Outbox, "enqueue" | "enqueueAll">;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly exchange: {
    listen(listener: (applied: AppliedCommand) => void): void;
    /** The last outbox number that the engine has applied, and the rules that hold. */
    readonly engine: { readonly state: { readonly externalNumber: number; readonly rulesVersion: number } };
  };
  /** Both reject with an error that is `Late`. */
  readonly projector: {
    waitFor(command_number: number, timeout_ms: number): Promise<void>;
    waitForAll(timeout_ms: number): Promise<void>;
  };
  /** For the salts of commitments. */
  readonly random?: Random;
  /** The default time limit. */
  readonly timeout_ms?: number;
}

/** The engine has not answered yet. The request is stored and will be carried out. */
export class AnswerLate extends Late {
  constructor(ref: string) {
    super(`the engine has not answered to ${ref} yet`);
  }
}

/** The number of remembered answers; a request reads its own within moments. */
const MAX_REMEMBERED = 10_000;
const ANSWER_TIMEOUT_ms = 5_000;
const STORED_TIMEOUT_ms = 10_000;
/** Details and secret together. A command has 65,536 bytes at most, with its other fields. */
const MAX_NOTES_bytes = 64_000;
/** Enough that no two notes have the same reference. */
const NOTE_bytes = 12;

/**
 * The one way from a database transaction to the engine and back. `tell` writes a command into the outbox within the
 * caller's transaction, so that it is sent if and only if the decision is committed, and once. After the commit `answer`
 * waits for what the engine said, and `stored` also until the projections have written it to their tables.
 */
export class EngineRequests {
  readonly #options: EngineRequestsOptions;
  readonly #recent = new Map<number, Answer>();
  /** Resolves with the next command of the outbox. */
  #next = Promise.withResolvers<true>();

  constructor(options: EngineRequestsOptions) {
    this.#options = options;
    options.exchange.listen((applied) => this.#hear(applied));
  }

  /** Sends a command; returns false if the reference was used before. */
  async tell(tx: Tx, ref: string, command: RequestedCommand, notes: RequestNotes = {}): Promise<boolean> {
    const { duplicate } = await this.#options.outbox.enqueue(tx, this.#messageOf({ ref, command, ...notes }));
    return !duplicate;
  }

  /** Sends many commands in this order; their references must be new, else the transaction fails. */
  async tellAll(tx: Tx, requests: readonly EngineRequest[]): Promise<void> {
    await this.#options.outbox.enqueueAll(
      tx,
      requests.map((request) => this.#messageOf(request)),
    );
  }

  /** LOG-3: whether settings are noted in the log: the rules must know references. */
  get isNoting(): boolean {
    return this.#options.exchange.engine.state.rulesVersion >= RULES_WITH_REFERENCES;
  }

  /**
   * LOG-3: writes rows of settings into the log, as they are after a change or, if they are gone, before it. Returns the last
   * reference; undefined if nothing is noted.
   */
  async note(tx: Tx, table: NotedTable, rows: readonly NotedRow[], isGone = false): Promise<string | undefined> {
    if (!this.isNoting) return undefined;
    const { random = systemRandom } = this.#options;
    const requests = rows.map((row): EngineRequest => {
      const ref = `note:${table.name}:${random.bytes(NOTE_bytes).toString("hex")}`;
      return { ref, command: { kind: "note" }, ...notesOf(table, row, isGone) };
    });
    await this.tellAll(tx, requests);
    return requests.at(-1)?.ref;
  }

  /** Call it after the commit if you do not wait for the answer: the requests are sent at once. */
  notify(): void {
    this.#options.dispatcher.notify();
  }

  /**
   * The answer to the request of that reference. Call it after the commit. Undefined if the engine answered before this process
   * listened: then the tables contain the answer. Rejects with an error that is `Late`.
   */
  async answer(ref: string, timeout_ms = this.#options.timeout_ms ?? ANSWER_TIMEOUT_ms): Promise<Answer | undefined> {
    const until_ms = performance.now() + timeout_ms;
    const answer = await this.#heard(ref, until_ms);
    if (answer === undefined) await this.#options.projector.waitForAll(left_ms(until_ms));
    return answer;
  }

  /** The same; resolves when the tables contain the answer and everything before it. */
  async stored(ref: string, timeout_ms = this.#options.timeout_ms ?? STORED_TIMEOUT_ms): Promise<Answer | undefined> {
    const { projector } = this.#options;
    const until_ms = performance.now() + timeout_ms;
    const answer = await this.#heard(ref, until_ms);
    if (answer === undefined) await projector.waitForAll(left_ms(until_ms));
    else await projector.waitFor(answer.command_number, left_ms(until_ms));
    return answer;
  }

  #messageOf({ ref, command, details, secret }: EngineRequest): OutboxMessage {
    const { random = systemRandom } = this.#options;
    const noted = details === undefined ? {} : { details: JSON.stringify(details) };
    const size_bytes = bytesOf(noted.details) + bytesOf(secret);
    // Found here, it fails its own request; found at the delivery, it would keep back all requests behind it.
    if (size_bytes > MAX_NOTES_bytes) throw new RangeError(`${ref} has ${size_bytes} bytes for the log, too many`);
    const payload = { ...command, ...noted, ...(secret === undefined ? {} : commitTo(secret, random)) };
    return { topic: COMMAND_TOPIC, ref, payload: payload as unknown as JsonValue };
  }

  async #heard(ref: string, until_ms: number): Promise<Answer | undefined> {
    this.notify();
    let seq: number | undefined;
    for (;;) {
      // Taken before the check, so that no command is missed in between.
      const next = this.#next.promise;
      if (seq === undefined) {
        const message = await this.#find(ref);
        // A message that is no longer stored was delivered long ago.
        if (message === undefined) return undefined;
        if (message.dispatch_seq !== null) seq = Number(message.dispatch_seq);
        if (message.delivered_at !== null) return this.#recent.get(Number(message.dispatch_seq));
      }
      const answer = seq === undefined ? undefined : this.#recent.get(seq);
      if (answer !== undefined) return answer;
      if (seq !== undefined && seq <= this.#options.exchange.engine.state.externalNumber) return undefined;
      await within(next, left_ms(until_ms), () => new AnswerLate(ref));
    }
  }

  async #find(ref: string) {
    const query = this.#options.database.db.selectFrom("outbox").select(["dispatch_seq", "delivered_at"]);
    return await query.where("ref", "=", ref).executeTakeFirst();
  }

  #hear(applied: AppliedCommand): void {
    const heard = answerTo(applied);
    if (heard === undefined) return;
    this.#recent.set(heard.seq, heard.answer);
    if (this.#recent.size > MAX_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value!);
    this.#next.resolve(true);
    this.#next = Promise.withResolvers<true>();
  }
}

/** As the log writes texts: a byte for each character, or two if one of them needs it. */
const bytesOf = (text = ""): number => text.length * (/[\u0100-\uffff]/.test(text) ? 2 : 1);

const left_ms = (until_ms: number): number => Math.max(1, until_ms - performance.now());

const SALT_bytes = 16;

function commitTo(fields: string, random: Random) {
  const salt = random.bytes(SALT_bytes).toString("hex");
  return { commitment: commitmentTo(salt, fields), disclosure: disclosureText({ salt, fields }) };
}
