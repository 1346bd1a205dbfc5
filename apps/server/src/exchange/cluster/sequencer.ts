import type { Msg, Subscription } from "@nats-io/transport-node";
import type { NatsLink } from "../../kernel/nats/link.ts";
import { ExchangeUnavailable, OutcomeUnknown } from "../host/exchange.ts";
import type { LoggedExchange } from "../host/logged-exchange.ts";
import type { SharedTime } from "./shared-time.ts";
import type { StreamLog } from "./stream-log.ts";
import { type Answer, commandOf, decodeSubmission, type SubmittedCommand } from "./submissions.ts";

export interface SequencerOptions {
  readonly link: NatsLink;
  readonly term: number;
  /** Undefined until the term has begun. */
  readonly leading: () => { readonly exchange: LoggedExchange; readonly log: StreamLog } | undefined;
  readonly time: SharedTime;
  /** Whether nobody else can lead. */
  readonly isHeld: () => boolean;
  /** A message that nobody of this exchange can have sent. */
  readonly onFault: (error: unknown) => void;
}

/** Takes the commands of all senders in the order of their arrival, each sender's in the order of its numbers, each once. */
export class Sequencer {
  readonly #options: SequencerOptions;
  /** By sender the number that comes next. */
  readonly #next = new Map<number, number>();
  readonly #answers = new Map<number, Answer[]>();
  readonly #subscriptions: Subscription[];

  constructor(options: SequencerOptions) {
    this.#options = options;
    const { connection, names } = options.link;
    const take = (error: Error | null, message: Msg) => {
      if (error === null) this.#onSubmission(message.data);
    };
    this.#subscriptions = [
      connection.subscribe(names.submissions(options.term), { callback: take }),
      connection.subscribe(names.progress(options.term), { callback: (_error, message) => this.#onQuestion(message) }),
    ];
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
  }

  /** Only who leads for certain may say how far the log is; whoever asks hears nothing else and asks the stream. */
  #onQuestion(message: Msg): void {
    const { time, isHeld } = this.#options;
    const leading = this.#options.leading();
    if (leading === undefined || leading.exchange.failure !== undefined || !isHeld()) return;
    if (time.hear(Number(message.string()))) message.respond(String(leading.log.takenNumber));
  }

  #onSubmission(data: Uint8Array): void {
    const { time, leading, onFault } = this.#options;
    const exchange = leading()?.exchange;
    // The term has not begun: the sender sends again what is not in the log.
    if (exchange === undefined) return;
    try {
      const { sender, now_ms, oldest, commands } = decodeSubmission(data);
      time.hear(now_ms);
      const next = Math.max(this.#next.get(sender) ?? oldest, oldest);
      const first = commands[0];
      if (first === undefined) return;
      if (first.request > next) {
        this.#answer(sender, { kind: "again", from: next });
        return;
      }
      this.#next.set(sender, next);
      for (const command of commands) {
        if (command.request >= next && !this.#take(exchange, sender, command)) return;
      }
    } catch (error) {
      onFault(error);
    }
  }

  /**
   * False where the command, and all behind it, has to come again. Those that are exempt are never refused, since one of
   * them may rely on the one before: they wait with their sender until there is room.
   */
  #take(exchange: LoggedExchange, sender: number, { request, isExempt, bytes }: SubmittedCommand): boolean {
    if (!exchange.hasRoom(isExempt)) {
      if (isExempt) return false;
      this.#next.set(sender, request + 1);
      this.#answer(sender, { kind: "overloaded", request });
      return true;
    }
    const { time_ms: _, ...command } = commandOf(bytes);
    this.#next.set(sender, request + 1);
    exchange.submit(command, isExempt, { sender, request }).catch((error: unknown) => {
      // The log answers those that were taken, and the next term takes those that were not.
      if (error instanceof OutcomeUnknown || error instanceof ExchangeUnavailable) return;
      this.#options.onFault(error);
    });
    return true;
  }

  #answer(sender: number, answer: Answer): void {
    const waiting = this.#answers.get(sender);
    if (waiting !== undefined) {
      waiting.push(answer);
      return;
    }
    this.#answers.set(sender, [answer]);
    const { connection, names } = this.#options.link;
    queueMicrotask(() => {
      connection.publish(names.sender(sender), JSON.stringify(this.#answers.get(sender)));
      this.#answers.delete(sender);
    });
  }
}
