import type { Msg, Subscription } from "@nats-io/transport-node";
import { type Clock, MovableClock } from "../../kernel/clock.ts";
import { ExchangeOverloaded, OutcomeUnknown } from "../host/exchange.ts";
import type { LoggedExchange } from "../host/logged-exchange.ts";
import type { NatsLink } from "./nats-link.ts";
import type { StreamLog } from "./stream-log.ts";
import { type Answer, commandOf, decodeSubmission, type SubmittedCommand } from "./submissions.ts";

export interface SequencerOptions {
  readonly link: NatsLink;
  readonly term: number;
  /** Undefined until the term has begun. */
  readonly leading: () => { readonly exchange: LoggedExchange; readonly log: StreamLog } | undefined;
  readonly clock: Clock;
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
    const leading = this.#options.leading();
    if (leading === undefined || leading.exchange.failure !== undefined || !this.#options.isHeld()) return;
    message.respond(String(leading.log.sentNumber));
  }

  #onSubmission(data: Uint8Array): void {
    const { clock, leading, onFault } = this.#options;
    const exchange = leading()?.exchange;
    // The term has not begun: the sender sends again what is not in the log.
    if (exchange === undefined) return;
    try {
      const { sender, now_ms, oldest, commands } = decodeSubmission(data);
      if (clock instanceof MovableClock) clock.advanceTo(now_ms);
      const next = Math.max(this.#next.get(sender) ?? oldest, oldest);
      const first = commands[0];
      if (first === undefined) return;
      if (first.request > next) {
        this.#answer(sender, { kind: "again", from: next });
        return;
      }
      this.#next.set(sender, next);
      for (const command of commands) if (command.request >= next) this.#take(exchange, sender, command);
    } catch (error) {
      onFault(error);
    }
  }

  #take(exchange: LoggedExchange, sender: number, { request, isExempt, bytes }: SubmittedCommand): void {
    const { time_ms: _, ...command } = commandOf(bytes);
    this.#next.set(sender, request + 1);
    const submitting = exchange.submit(command, isExempt, { sender, request });
    // Those that were taken are answered by the log.
    submitting.catch((error: unknown) => {
      if (error instanceof OutcomeUnknown) return;
      const kind = error instanceof ExchangeOverloaded ? "overloaded" : "unavailable";
      this.#answer(sender, { kind, request });
    });
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
