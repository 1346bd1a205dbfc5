import type { Applied } from "../host/exchange.ts";
import type { SubmittedCommand } from "./submissions.ts";

/** A command that this process has submitted and that has not appeared in the log. */
export interface PendingCommand extends SubmittedCommand {
  readonly taken_ms: number;
  /** Whether it has been sent, so that the leader may have it. */
  isSent: boolean;
  readonly resolve: (applied: Applied) => void;
  readonly reject: (error: Error) => void;
}

/** The commands this process has submitted, by request number. */
export class PendingCommands {
  readonly #byRequest = new Map<number, PendingCommand>();
  #lastRequest = 0;

  get count(): number {
    return this.#byRequest.size;
  }

  /** The lowest pending request number, or the next one if none is pending. */
  get oldest(): number {
    const { value } = this.#byRequest.keys().next();
    return value ?? this.#lastRequest + 1;
  }

  add(command: Omit<PendingCommand, "request" | "isSent">): PendingCommand {
    this.#lastRequest += 1;
    const pending = { ...command, request: this.#lastRequest, isSent: false };
    this.#byRequest.set(pending.request, pending);
    return pending;
  }

  take(request: number): PendingCommand | undefined {
    const pending = this.#byRequest.get(request);
    this.#byRequest.delete(request);
    return pending;
  }

  *from(request: number): Iterable<PendingCommand> {
    for (const pending of this.#byRequest.values()) if (pending.request >= request) yield pending;
  }

  takeAll(): readonly PendingCommand[] {
    const all = [...this.#byRequest.values()];
    this.#byRequest.clear();
    return all;
  }

  /** When the oldest pending command was submitted; infinite if none is pending. */
  get oldestTaken_ms(): number {
    const { value } = this.#byRequest.values().next();
    return value?.taken_ms ?? Number.POSITIVE_INFINITY;
  }
}
