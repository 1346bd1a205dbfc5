/** The thread in which the embedded database runs, so that a heavy statement never holds up the rest of the server. */
import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite, protocol } from "@electric-sql/pglite";
import {
  ERROR_FIELDS,
  type ErrorFields,
  type Request,
  type Response,
  type WireError,
  type WireParameter,
  type WireResult,
  type WorkerOptions,
} from "./protocol.ts";

const { serialize, messages } = protocol;
const { CommandCompleteMessage, DataRowMessage, RowDescriptionMessage } = messages;

if (parentPort === null) throw new Error("this file runs as a worker thread");
const port = parentPort;
const send = (response: Response) => port.postMessage(response);

async function create({ folder, templateFile, program }: WorkerOptions): Promise<PGlite> {
  return await PGlite.create({
    dataDir: folder ?? "memory://",
    ...(templateFile === undefined ? {} : { loadDataDir: new Blob([await readFile(templateFile)]) }),
    ...(program === undefined ? {} : { pgliteWasmModule: program }),
  });
}

async function start(options: WorkerOptions): Promise<PGlite> {
  const { folder, program } = options;
  if (folder === undefined) return await create(options);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    // Made beside its place and moved there when complete: a kill in between leaves nothing half made.
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await (await create({ ...options, folder: unfinished })).close();
    await rename(unfinished, folder);
  }
  return await create({ folder, templateFile: undefined, program });
}

function wireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined, fields: {} };
  const fields: ErrorFields = {};
  for (const name of ERROR_FIELDS) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === "string") fields[name] = value;
  }
  return { message: error.message, stack: fields.code === undefined ? error.stack : undefined, fields };
}

const parameterOf = (parameter: WireParameter) =>
  parameter instanceof Float64Array ? `{${parameter.join(",")}}` : parameter;

/**
 * The whole statement in one message. Its parts are those of the library's own `query`, which enters the database for
 * each of them and asks for the types of the parameters first: here all of them are text.
 */
const statementOf = (sql: string, parameters: readonly WireParameter[]) =>
  Buffer.concat([
    serialize.parse({ text: sql }),
    serialize.bind({ values: parameters.map(parameterOf) }),
    serialize.describe({ type: "P" }),
    serialize.execute({}),
    serialize.sync(),
  ]);

/** "UPDATE 3" and the like; the others change no rows, or say something else with their number. */
const CHANGED_ROWS = /^(?:INSERT|UPDATE|DELETE|MERGE)\b.* (\d+)$/;

function resultOf(received: Awaited<ReturnType<PGlite["execProtocolStream"]>>): WireResult {
  let columns: WireResult["columns"] = [];
  let tag = "";
  const rows: (string | null)[][] = [];
  for (const message of received) {
    if (message instanceof DataRowMessage) rows.push(message.fields);
    else if (message instanceof RowDescriptionMessage)
      columns = message.fields.map(({ name, dataTypeID }) => ({ name, typeOid: dataTypeID }));
    else if (message instanceof CommandCompleteMessage) tag = message.text;
  }
  const [command = ""] = tag.split(" ");
  return { command, affectedRows: Number(CHANGED_ROWS.exec(tag)?.[1] ?? 0), columns, rows };
}

async function answer(pglite: PGlite, request: Request): Promise<Response> {
  const { id } = request;
  if (request.kind === "close") {
    await pglite.close();
    return { kind: "result", id, result: { command: "CLOSE", affectedRows: 0, columns: [], rows: [] } };
  }
  const statement = statementOf(request.sql, request.parameters);
  return {
    kind: "result",
    id,
    result: resultOf(await pglite.runExclusive(() => pglite.execProtocolStream(statement))),
  };
}

try {
  const pglite = await start(workerData as WorkerOptions);
  port.on("message", (request: Request) => {
    answer(pglite, request).then(send, (error: unknown) =>
      send({ kind: "error", id: request.id, error: wireError(error) }),
    );
  });
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "failed", error: wireError(error) });
}
