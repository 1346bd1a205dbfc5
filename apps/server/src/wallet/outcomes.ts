import type { EventOf } from "@bourse/engine";
import type { Applied, Exchange } from "../exchange/host/exchange.ts";
import type { Database, Tx } from "../kernel/database/database.ts";

export type Refused = Pick<EventOf<"refused">, "reason" | "limit" | "actual">;

/** What the engine said to a command of the outbox: undefined where it was done. */
export interface Outcome {
  readonly refused: Refused | undefined;
}

/** How many outcomes are remembered; a request asks for its own within moments. */
const MOST_REMEMBERED = 10_000;

/**
 * The number that the dispatcher gave a command of the outbox, and what came of it. Undefined for any other command, and
 * for one that was delivered again after a crash: its outcome was the first one.
 */
export function outcomeOf({ command, events }: Applied): { number: number; outcome: Outcome } | undefined {
  const { number } = command as { readonly number?: number };
  const [first] = events;
  if (number === undefined || first?.kind === "ignored") return undefined;
  return { number, outcome: { refused: first?.kind === "refused" ? first : undefined } };
}

/** What the engine said to a message of the outbox, and when. */
export interface AnsweredMessage extends Outcome {
  readonly ref: string;
  readonly at: Date;
  /** All that the command has brought about. */
  readonly events: Applied["events"];
}

/**
 * The messages behind commands of these kinds, recognised by the number under which they were delivered: for programs of
 * the projector, which see each command exactly once.
 */
export async function answeredMessages(
  tx: Tx,
  applied: readonly Applied[],
  kinds: ReadonlySet<string>,
): Promise<AnsweredMessage[]> {
  const answers = new Map<number, Omit<AnsweredMessage, "ref">>();
  for (const one of applied) {
    const heard = kinds.has(one.command.kind) ? outcomeOf(one) : undefined;
    if (heard !== undefined)
      answers.set(heard.number, { ...heard.outcome, at: new Date(one.time_ms), events: one.events });
  }
  if (answers.size === 0) return [];
  const messages = await tx
    .selectFrom("outbox")
    .select(["ref", "dispatch_seq"])
    .where("dispatch_seq", "in", [...answers.keys()].map(BigInt))
    .execute();
  return messages.flatMap(({ ref, dispatch_seq }) => {
    const answer = answers.get(Number(dispatch_seq));
    return answer === undefined ? [] : [{ ref, ...answer }];
  });
}

/** Lets whoever wrote a message to the outbox wait for the engine's answer to it. */
export class OutboxOutcomes {
  readonly #database: Pick<Database, "db">;
  readonly #exchange: Exchange;
  readonly #recent = new Map<number, Outcome>();
  /** Resolved with the next command of the outbox. */
  #next = Promise.withResolvers<true>();

  constructor({ database, exchange }: { readonly database: Pick<Database, "db">; readonly exchange: Exchange }) {
    this.#database = database;
    this.#exchange = exchange;
    exchange.listen((applied) => this.#hear(applied));
  }

  /**
   * The answer to the message of that name. Undefined where it does not come in time, and where it came before this
   * process began: then the database knows it, or will once the projector has come so far.
   */
  async wait(ref: string, timeout_ms: number): Promise<Outcome | undefined> {
    const late = Promise.withResolvers<false>();
    const timer = setTimeout(() => late.resolve(false), timeout_ms);
    try {
      let number: number | undefined;
      for (;;) {
        // Taken before looking, so that nothing can happen unnoticed in between.
        const next = this.#next.promise;
        number ??= await this.#numberOf(ref);
        const outcome = number === undefined ? undefined : this.#recent.get(number);
        if (outcome !== undefined) return outcome;
        if (number !== undefined && number <= this.#exchange.engine.state.externalNumber) return undefined;
        if (!(await Promise.race([next, late.promise]))) return undefined;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async #numberOf(ref: string): Promise<number | undefined> {
    const query = this.#database.db.selectFrom("outbox").select("dispatch_seq").where("ref", "=", ref);
    const row = await query.executeTakeFirst();
    return row === undefined || row.dispatch_seq === null ? undefined : Number(row.dispatch_seq);
  }

  #hear(applied: Applied): void {
    const heard = outcomeOf(applied);
    if (heard === undefined) return;
    this.#recent.set(heard.number, heard.outcome);
    if (this.#recent.size > MOST_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value!);
    this.#next.resolve(true);
    this.#next = Promise.withResolvers<true>();
  }
}
