import type { Command, EngineEvent, EventOf } from "@bourse/engine";
import type { Tx } from "../database/database.ts";

/** A command that the engine has applied, with its events. */
export interface AppliedCommand {
  readonly number: number;
  readonly time_ms: number;
  readonly command: Command;
  readonly events: readonly EngineEvent[];
}

export type Refused = Pick<EventOf<"refused">, "reason" | "limit" | "actual">;

/** The engine's answer to a request. */
export interface Answer {
  /** Undefined if the command was accepted. */
  readonly refused: Refused | undefined;
  /** The number of the command in the engine's log. */
  readonly command_number: number;
}

/** The engine's answer to the message of that reference, with its time. */
export interface AnsweredMessage extends Answer {
  readonly ref: string;
  readonly at: Date;
  /** All events of the command. */
  readonly events: readonly EngineEvent[];
}

/**
 * The outbox number of a command and the answer to it. Undefined for other commands, and for a command that was delivered again
 * after a crash: it was answered the first time.
 */
export function answerTo({ number, command, events }: AppliedCommand): { seq: number; answer: Answer } | undefined {
  const { number: seq } = command as { readonly number?: number };
  // What the command's time has ended comes before either of them.
  if (seq === undefined || events.some(({ kind }) => kind === "ignored")) return undefined;
  const refused = events.find((event) => event.kind === "refused");
  return { seq, answer: { refused, command_number: number } };
}

/**
 * The messages behind commands of these kinds, recognised by the number under which they were delivered: for projections,
 * which see each command exactly once.
 */
export async function answeredMessages(
  tx: Tx,
  applied: readonly AppliedCommand[],
  kinds: ReadonlySet<string>,
): Promise<AnsweredMessage[]> {
  const answers = new Map<number, Omit<AnsweredMessage, "ref">>();
  for (const one of applied) {
    const heard = kinds.has(one.command.kind) ? answerTo(one) : undefined;
    if (heard !== undefined) answers.set(heard.seq, { ...heard.answer, at: new Date(one.time_ms), events: one.events });
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
