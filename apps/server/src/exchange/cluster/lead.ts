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
  readonly listeners: readonly AppliedListener[];
  readonly probe?: ExchangeProbe;
  /** A message came that nobody of this exchange can have sent: it is left alone. */
  readonly onFault: (error: unknown) => void;
  /** The lead is lost, or the log cannot be written: the process has to begin anew. */
  readonly onFailure: (error: unknown) => void;
}

export interface Lead {
  readonly exchange: LoggedExchange;
  /** Finishes what was taken. */
  close(): Promise<void>;
}

/**
 * From follower to leader. The first message of the new term is the fence: it is written right behind the last one that was
 * followed, so nothing is missed, and an engine that led before cannot write behind it any more, whatever it believes.
 */
export async function takeLead(options: LeadOptions): Promise<Lead> {
  const { link, stream, copy, following, lease, clock, maxCommandsWaiting, onFault, onFailure } = options;
  await following.caughtUp();
  const term = Math.max(lease.term, following.term + 1);
  let leading: { readonly exchange: LoggedExchange; readonly log: StreamLog } | undefined;
  // Before the fence: whoever sees the term begin finds somebody to send to.
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
    const exchange = new LoggedExchange({ engine, log, clock: time, maxCommandsWaiting, onFailure, ...probe });
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

/** Until the first message of the term is the one right behind what was followed. Answers its place. */
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
      // The engine before has written once more meanwhile.
      if (!(error instanceof Superseded)) throw error;
    }
  }
}
