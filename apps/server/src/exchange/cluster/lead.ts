import type { Clock } from "../../kernel/clock.ts";
import type { Journal } from "../../kernel/journal/journal.ts";
import type { HeldLease } from "../../kernel/nats/lease.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import type { AppliedListener } from "../host/exchange.ts";
import { type ExchangeProbe, LoggedExchange } from "../host/logged-exchange.ts";
import { chainFrom } from "../journal/replay.ts";
import { type CommandStream, Superseded } from "./command-stream.ts";
import type { FollowingExchange } from "./following-exchange.ts";
import { Sequencer } from "./sequencer.ts";
import { SharedTime } from "./shared-time.ts";
import { StreamLog } from "./stream-log.ts";

export interface LeadOptions {
  readonly link: NatsLink;
  readonly stream: CommandStream;
  readonly copy: Journal;
  readonly following: FollowingExchange;
  readonly lease: HeldLease;
  readonly clock: Clock;
  readonly maxCommandsWaiting: number;
  /** LOG-8: whether only exempt commands pass at the moment. */
  readonly isOnlyReducing?: (() => boolean) | undefined;
  readonly listeners: readonly AppliedListener[];
  readonly probe?: ExchangeProbe;
  /** Receives the error of a message that no process of this exchange can have sent; the message is ignored. */
  readonly onFault: (error: unknown) => void;
  /** The lease is lost or the log cannot be written. The process must restart. */
  readonly onFailure: (error: unknown) => void;
}

export interface Lead {
  readonly exchange: LoggedExchange;
  /** Completes the commands that were accepted. */
  close(): Promise<void>;
}

/**
 * Turns a follower into the leader. It writes the first message of the new term directly behind the last message that
 * it followed. So it has missed no command, and the previous leader, which expects another last message, cannot write
 * any more.
 */
export async function takeLead(options: LeadOptions): Promise<Lead> {
  const { link, stream, copy, following, lease, clock, maxCommandsWaiting, onFault, onFailure } = options;
  await following.caughtUp();
  const term = Math.max(lease.term, following.term + 1);
  let leading: { readonly exchange: LoggedExchange; readonly log: StreamLog } | undefined;
  // Subscribed before the new term begins, so that senders that see the term have a receiver.
  const isHeld = () => lease.isHeld();
  const time = new SharedTime(clock);
  const sequencer = new Sequencer({ link, term, leading: () => leading, time, isHeld, onFault });
  try {
    const lastSeq = await fence(stream, copy, following, term, lease.lost);
    await following.stopFollowing();
    const { engine } = following;
    const nextNumber = engine.state.commandNumber + 1;
    copy.followRules(engine.state.rulesVersion, () => chainFrom(engine.state));
    const log = new StreamLog({ stream, copy, term, lastSeq, nextNumber, signal: lease.lost });
    const probe = options.probe === undefined ? {} : { probe: options.probe };
    const limits = { maxCommandsWaiting, isOnlyReducing: options.isOnlyReducing };
    const exchange = new LoggedExchange({ engine, log, clock: time, ...limits, onFailure, ...probe });
    for (const listener of options.listeners) exchange.listen(listener);
    leading = { exchange, log };
    lease.lost.addEventListener("abort", () => onFailure(new Error("the lease on the lead is lost")));
    return {
      exchange,
      async close() {
        await exchange.close();
        sequencer.close();
        await lease.release();
      },
    };
  } catch (error) {
    sequencer.close();
    throw error;
  }
}

/** Writes the first message of the term directly behind the last message followed; returns its sequence number. */
async function fence(
  stream: CommandStream,
  copy: Pick<Journal, "place">,
  following: FollowingExchange,
  term: number,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    await following.caughtUp();
    const { lastSeq, engine } = following;
    if (following.term >= term) throw new Error(`term ${following.term} has begun: another engine leads`);
    const firstNumber = engine.state.commandNumber + 1;
    try {
      const seq = await stream.write({ term, firstNumber, records: [], place: copy.place }, lastSeq, signal);
      await following.reachedSeq(seq);
      return seq;
    } catch (error) {
      // The previous leader has written another message meanwhile.
      if (!(error instanceof Superseded)) throw error;
    }
  }
}
