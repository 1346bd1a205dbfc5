import { type Command, type Engine, type State, stateHash } from "@bourse/engine";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { LogReader } from "../../kernel/journal/log-reader.ts";
import { journalFolder, listSegments, type Segment } from "../../kernel/journal/segments.ts";

/**
 * Applies the commands that the engine has not seen, up to number `until`, and yields after each one, so that the
 * caller can read the engine. Segments with only older commands are not opened.
 */
export function* replaySegments(folder: string, engine: Engine, until: number): Generator<Command> {
  const segments = listSegments(folder);
  const { state } = engine;
  for (const [place, segment] of segments.entries()) {
    const next = segments[place + 1];
    if (next !== undefined && next.firstNumber <= state.commandNumber + 1) continue;
    if (state.commandNumber >= until) return;
    if (segment.firstNumber > state.commandNumber + 1) {
      const missing = `${state.commandNumber + 1} to ${segment.firstNumber - 1}`;
      const found = `${segment.path} begins with command ${segment.firstNumber}`;
      throw new LogFault(`${found}: the log lacks the commands ${missing}, and no snapshot can stand in for them`);
    }
    yield* replaySegment(segment, next, engine, until);
  }
  if (state.commandNumber < until) {
    throw new LogFault(
      `the log in ${journalFolder(folder)} ends with command ${state.commandNumber}, not with ${until}`,
    );
  }
}

function* replaySegment(
  segment: Segment,
  next: Segment | undefined,
  engine: Engine,
  until: number,
): Generator<Command> {
  const { state } = engine;
  const reader = openSegmentReader(segment);
  try {
    for (const command of reader.commands(state.commandNumber + 1)) {
      engine.apply(command);
      yield command;
      if (state.commandNumber >= until) return;
    }
    if (next !== undefined) assertMeets(reader, segment, next, engine);
  } finally {
    reader.close();
  }
}

export function openSegmentReader({ path, firstNumber }: Segment): LogReader {
  const reader = new LogReader(path);
  if (reader.header.firstNumber === firstNumber) return reader;
  reader.close();
  throw new LogFault(`${path} says that it begins with command ${reader.header.firstNumber}`);
}

function assertMeets(reader: LogReader, { path }: Segment, next: Segment, engine: Engine): void {
  if (reader.torn_bytes === 0 && reader.lastNumber + 1 === next.firstNumber) {
    assertContinues(reader.chain, next, engine);
    return;
  }
  const end = `${path} ends with command ${reader.lastNumber}`;
  const torn = reader.torn_bytes === 0 ? "" : ` and ${reader.torn_bytes} bytes that are no record`;
  throw new LogFault(`${end}${torn}, but ${next.path} begins with command ${next.firstNumber}`);
}

/** PRF-1, LOG-6: the chain goes on in the next segment; where the format is new, it begins with the hash of the state. */
function assertContinues(chain: Buffer | undefined, next: Segment, { state }: Engine): void {
  const { header } = openedHeader(next);
  if (header.chain === undefined) {
    if (chain === undefined) return;
    throw new LogFault(`${next.path} has an older format than the segment before it`);
  }
  if (header.chain.equals(chain ?? chainFrom(state))) return;
  throw new LogFault(`${next.path} does not continue the log: it belongs to another exchange, or was altered`);
}

function openedHeader(segment: Segment): LogReader {
  const reader = openSegmentReader(segment);
  reader.close();
  return reader;
}

/** What the chain of a state begins with whose log was not chained before. */
export const chainFrom = (state: State): Buffer => Buffer.from(stateHash(state), "hex");
