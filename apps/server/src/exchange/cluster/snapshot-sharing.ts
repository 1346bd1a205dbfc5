import { open } from "node:fs/promises";
import type { Msg } from "@nats-io/transport-node";
import type { NatsLink } from "../../kernel/nats/link.ts";
import { listSnapshots, walletsPath } from "../journal/snapshots.ts";
import type { CommandStream } from "./command-stream.ts";

/** Half of the 1 MB that NATS servers accept by default. */
const PART_bytes = 524_288;
const REPLIES_WITHIN_ms = 2_000;
/** Members that are there answer within this time of each other. */
const REPLIES_APART_ms = 300;
const PART_TIMEOUT_ms = 5_000;

/** A member that offers snapshots, by the last commands in them. */
interface Offer {
  readonly member: number;
  readonly numbers: readonly number[];
}

/** A snapshot that another member has. */
export interface OfferedSnapshot {
  readonly member: number;
  readonly number: number;
}

export type SnapshotPart = "snapshot" | "wallets";

interface PartRequest {
  readonly number: number;
  readonly part: SnapshotPart;
  readonly from_bytes: number;
}

export interface SharingOptions {
  readonly link: NatsLink;
  readonly stream: Pick<CommandStream, "identity">;
  readonly folder: string;
  /** A number that identifies this process. */
  readonly member: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Offers this member's snapshots and their wallets to members that join, until the connection is closed. Wallets are as open on
 * NATS as in the stream of commands: whoever may use these servers is trusted with both.
 */
export function shareSnapshots({ link, stream, folder, member, onError }: SharingOptions): void {
  const { connection, names } = link;
  connection.subscribe(names.snapshots, {
    callback: (error, message) => {
      if (error !== null || message.string() !== stream.identity) return;
      const offer: Offer = { member, numbers: listSnapshots(folder).map(({ number }) => number) };
      message.respond(JSON.stringify(offer));
    },
  });
  connection.subscribe(names.snapshotsOf(member), {
    callback: (error, message) => {
      if (error === null) readPart(folder, message).then((part) => message.respond(part), onError);
    },
  });
}

const NOTHING = new Uint8Array();

/** Nothing behind the end of the file, or if there is none. */
async function readPart(folder: string, message: Msg): Promise<Uint8Array> {
  const { number, part, from_bytes } = message.json<PartRequest>();
  const found = listSnapshots(folder).find((one) => one.number === number);
  if (found === undefined) return NOTHING;
  try {
    const path = part === "snapshot" ? found.path : walletsPath(found.path);
    const handle = await open(path, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(PART_bytes), 0, PART_bytes, from_bytes);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return NOTHING;
    throw error;
  }
}

/** The newest snapshots of all members that are not past a command, newest first. */
export async function findSnapshots(
  { connection, names }: NatsLink,
  { identity }: Pick<CommandStream, "identity">,
  maxNumber: number,
): Promise<readonly OfferedSnapshot[]> {
  const found: OfferedSnapshot[] = [];
  const waiting = { strategy: "stall", maxWait: REPLIES_WITHIN_ms, stall: REPLIES_APART_ms } as const;
  for await (const reply of await connection.requestMany(names.snapshots, identity, waiting)) {
    // The server says so if there is nobody.
    if (reply.data.length === 0) break;
    const { member, numbers } = reply.json<Offer>();
    for (const number of numbers) if (number <= maxNumber) found.push({ member, number });
  }
  return found.sort((a, b) => b.number - a.number);
}

/** The bytes of a snapshot or of its wallets, part by part; none if the member does not have it. */
export async function* readSnapshotParts(
  { connection, names }: NatsLink,
  { member, number }: OfferedSnapshot,
  part: SnapshotPart,
): AsyncGenerator<Uint8Array> {
  for (let from_bytes = 0; ; ) {
    const request: PartRequest = { number, part, from_bytes };
    const subject = names.snapshotsOf(member);
    const { data } = await connection.request(subject, JSON.stringify(request), { timeout: PART_TIMEOUT_ms });
    if (data.length === 0) return;
    yield data;
    from_bytes += data.length;
  }
}
