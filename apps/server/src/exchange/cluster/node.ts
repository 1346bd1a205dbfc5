import type { Clock } from "../../kernel/clock.ts";
import type { NatsLink } from "../../kernel/nats/link.ts";
import type { Random } from "../../kernel/random.ts";
import type { Applied } from "../host/exchange.ts";
import { type Recovered, recover } from "../journal/recovery.ts";
import { adoptJournal } from "./adopt-journal.ts";
import { CommandStream } from "./command-stream.ts";
import { FollowingExchange } from "./following-exchange.ts";
import { joinFromSnapshot } from "./join.ts";
import { claimCopy, completeCopy } from "./local-copy.ts";
import { shareSnapshots } from "./snapshot-sharing.ts";

export interface FollowerOptions {
  readonly link: NatsLink;
  /** Holds this process's copy of the log and its snapshots. */
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly maxCommandsWaiting: number;
  /** LOG-8: whether only exempt commands pass at the moment. */
  readonly isOnlyReducing?: (() => boolean) | undefined;
  /** The last command in the tables. Later commands are passed to `onApplied`; without a number none is. */
  readonly projectedNumber?: number;
  readonly onApplied?: (applied: Applied) => void;
  /** Recovers up to this command. Later commands reach the listeners when the exchange starts to follow. */
  readonly until?: number;
  /** Fills an empty stream from the folder's journal, which was written without a stream. */
  readonly adoptsJournal?: boolean;
  /** For tests: a log with fewer commands is read from its beginning. */
  readonly joinFrom_commands?: number;
  readonly onProgress: (line: string) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface Follower {
  readonly stream: CommandStream;
  readonly recovered: Recovered;
  readonly exchange: FollowingExchange;
}

const SENDER_BYTES = 6;

/** Completes the copy of the log, recovers an engine from it and prepares it to follow the stream. */
export async function openFollower(options: FollowerOptions): Promise<Follower> {
  const { link, folder, clock, random, maxCommandsWaiting, onApplied, onProgress, onFailure, until } = options;
  const stream = await CommandStream.open(link, random);
  claimCopy(folder, stream);
  const projectedNumber = options.projectedNumber ?? Number.POSITIVE_INFINITY;
  if (options.adoptsJournal !== true) {
    await joinFromSnapshot({
      link,
      stream,
      folder,
      projectedNumber,
      minCommands: options.joinFrom_commands,
      onProgress,
    });
  }
  let end = { seq: 0, term: 0 };
  const recovered = await recover({
    folder,
    projectedNumber,
    complete: async (log) => {
      if (options.adoptsJournal === true) await adoptJournal(stream, folder, log, onProgress);
      end = await completeCopy(stream, log, onProgress);
    },
    // After a power cut the stream has what the copy lacks.
    isCopy: true,
    ...(until === undefined ? {} : { until }),
    onProgress,
    ...(onApplied === undefined ? {} : { onApplied }),
  });
  const { engine, log: copy } = recovered;
  const { commandNumber } = engine.state;
  const isBehind = commandNumber < copy.nextNumber - 1;
  const lastSeq = isBehind ? (await stream.seqOf(commandNumber + 1)) - 1 : end.seq;
  const sender = 1 + random.bytes(SENDER_BYTES).readUIntBE(0, SENDER_BYTES);
  shareSnapshots({ link, stream, folder, member: sender, onError: (error) => onProgress(String(error)) });
  const exchange = new FollowingExchange({
    link,
    stream,
    engine,
    copy,
    lastSeq,
    term: end.term,
    clock,
    sender,
    maxCommandsWaiting,
    isOnlyReducing: options.isOnlyReducing,
    onFailure,
  });
  return { stream, recovered, exchange };
}
