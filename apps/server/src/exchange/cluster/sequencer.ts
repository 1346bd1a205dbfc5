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
  /** Undefined before the term begins. */
  readonly leading: () => { readonly exchange: LoggedExchange; readonly log: StreamLog } | undefined;
  readonly time: SharedTime;
  /** Whether this process still holds the lease. */
  readonly isHeld: () => boolean;
  /** Receives the error of a message that no process of this exchange can have sent. */
  readonly onFault: (error: unknown) => void;
}

/** Accepts commands of all senders in the order of arrival: each sender's in the order of their numbers, each once. */
export class Sequencer {
  readonly #options: SequencerOptions;
  /** The next expected number of each sender. */
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

  /** Answers only while it certainly leads. Without an answer the process that asked reads the end of the stream. */
  #onQuestion(message: Msg): void {
    const { time, isHeld } = this.#options;
    const leading = this.#options.leading();
    if (leading === undefined || leading.exchange.failure !== undefined || !isHeld()) return;
    if (time.hear(Number(message.string()))) message.respond(String(leading.log.takenNumber));
  }

  #onSubmission(data: Uint8Array): void {
    const { time, leading, onFault } = this.#options;
    const exchange = leading()?.exchange;
    // The term has not begun. The sender sends again what does not appear in the log.
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
   * Returns false if the command and all behind it must be sent again. An exempt command is never refused, because a
   * later one may rely on it; its sender keeps it until there is room.
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
      // The log confirms the commands that it has; the next leader accepts the others.
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
