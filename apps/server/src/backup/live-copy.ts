/**
 * The embedded database belongs to the process that has it open, so a backup asks that process for a copy. It listens on a loopback
 * port; a file in the data folder, which only its owner can read, names the port and a token.
 */
import { timingSafeEqual } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import { systemRandom } from "../kernel/random.ts";
import { BackupFault, codeOf } from "./fault.ts";
import { copyFolder, megabytes, Progress, type Say } from "./files.ts";
import { type Marks, marksOf } from "./marks.ts";

const doorFile = (folder: string) => join(folder, "backup-door.json");
const HOST = "127.0.0.1";
const MAX_REQUEST_bytes = 65_536;

interface Door {
  readonly port: number;
  readonly token: string;
}

interface CopyRequest {
  readonly token: string;
  readonly to: string;
}

type Reply = { readonly line: string } | { readonly marks: Marks } | { readonly error: string };

/** Copies the embedded database while none of its statements runs; marks the end of log and chain at that moment. */
async function copyHeld(
  folder: string,
  copy: NonNullable<Database["whileStill"]>,
  to: string,
  say: Say,
): Promise<Marks> {
  return await copy(async (from) => {
    const marks = marksOf(folder);
    if (marks === undefined) throw new BackupFault(`${folder} has no log yet`);
    const progress = new Progress(say, (done) => `copying the database: ${megabytes(done)}`);
    await copyFolder(from, to, (size_bytes) => progress.add(size_bytes));
    return marks;
  });
}

/** Lets `npm run backup` copy the embedded database of this running process; returns how to stop that. */
export async function openBackupDoor(
  folder: string,
  { whileStill }: Pick<Database, "whileStill">,
  log: Log,
): Promise<() => void> {
  if (whileStill === undefined) return () => undefined;
  const token = systemRandom.bytes(32).toString("hex");
  const answer = async (socket: Socket) => {
    const send = (reply: Reply) => socket.write(`${JSON.stringify(reply)}\n`);
    try {
      const request = await requestFrom(socket);
      if (!isToken(request.token, token)) throw new BackupFault("the token is wrong");
      log.info({ to: request.to }, "copying the embedded database for a backup");
      send({ marks: await copyHeld(folder, whileStill, request.to, (line) => send({ line })) });
    } catch (err) {
      log.error({ err }, "a backup could not copy the embedded database");
      send({ error: err instanceof Error ? err.message : String(err) });
    }
    socket.end();
  };
  const server = createServer((socket) => {
    // A backup that is gone has no use for the answer.
    socket.on("error", () => socket.destroy());
    void answer(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, HOST, resolve);
  });
  server.unref();
  const door: Door = { port: (server.address() as AddressInfo).port, token };
  rmSync(doorFile(folder), { force: true });
  writeFileSync(doorFile(folder), JSON.stringify(door), { mode: 0o600 });
  return () => {
    rmSync(doorFile(folder), { force: true });
    server.close();
  };
}

function isToken(given: unknown, token: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function requestFrom(socket: Socket): Promise<CopyRequest> {
  let text = "";
  for await (const piece of socket.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += piece as string;
    if (text.includes("\n") || text.length > MAX_REQUEST_bytes) break;
  }
  return JSON.parse(text) as CopyRequest;
}

/** Asks the process that has this data folder open to copy its embedded database. */
export async function copyByServer(folder: string, to: string, say: Say): Promise<Marks> {
  const { port, token } = doorOf(folder);
  const socket = connect(port, HOST);
  const request: CopyRequest = { token, to };
  const gone = `the server on ${folder} did not answer: look whether it runs, and try again`;
  try {
    socket.write(`${JSON.stringify(request)}\n`);
    for await (const text of createInterface({ input: socket })) {
      const reply = JSON.parse(text) as Reply;
      if ("marks" in reply) return reply.marks;
      if ("error" in reply) throw new BackupFault(`the server could not copy its database: ${reply.error}`);
      say(reply.line);
    }
  } catch (error) {
    throw codeOf(error) === "ECONNREFUSED" || codeOf(error) === "ECONNRESET" ? new BackupFault(gone) : error;
  } finally {
    socket.destroy();
  }
  throw new BackupFault(gone);
}

function doorOf(folder: string): Door {
  try {
    return JSON.parse(readFileSync(doorFile(folder), "utf8")) as Door;
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const why = "another process uses the data folder and cannot be asked for a copy of its database";
    throw new BackupFault(`${why}: wait until the server is ready, or stop it, and try again`);
  }
}
