/** The thread in which the embedded database runs, so that a heavy statement never holds up the rest of the server. */
import { existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import {
  ERROR_FIELDS,
  type ErrorFields,
  type Request,
  type Response,
  type WireError,
  type WireParameter,
  type WorkerOptions,
} from "./protocol.ts";

if (parentPort === null) throw new Error("this file runs as a worker thread");
const port = parentPort;
const send = (response: Response) => port.postMessage(response);

const asText = (value: string) => value;

async function create(folder: string | undefined, templateFile: string | undefined): Promise<PGlite> {
  const dataDir = folder ?? "memory://";
  if (templateFile === undefined) return await PGlite.create({ dataDir });
  return await PGlite.create({ dataDir, loadDataDir: new Blob([await readFile(templateFile)]) });
}

async function start({ folder, templateFile }: WorkerOptions): Promise<PGlite> {
  if (folder === undefined) return await create(undefined, templateFile);
  if (!existsSync(join(folder, "PG_VERSION"))) {
    // Made beside its place and moved there when complete: a kill in between leaves nothing half made.
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await (await create(unfinished, templateFile)).close();
    await rename(unfinished, folder);
  }
  return await create(folder, undefined);
}

/** Values leave and enter as text; the main thread gives them their types. */
function exchangeText(pglite: PGlite): void {
  for (const type of Object.keys(pglite.parsers)) pglite.parsers[type] = asText;
  for (const type of Object.keys(pglite.serializers)) pglite.serializers[type] = asText;
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

async function answer(pglite: PGlite, request: Request): Promise<Response> {
  const { id } = request;
  if (request.kind === "close") {
    await pglite.close();
    return { kind: "result", id, result: { command: "CLOSE", affectedRows: 0, columns: [], rows: [] } };
  }
  const result = await pglite.query<(string | null)[]>(request.sql, request.parameters.map(parameterOf), {
    rowMode: "array",
  });
  const columns = result.fields.map((field) => ({ name: field.name, typeOid: field.dataTypeID }));
  const { command = "", affectedRows = 0, rows } = result;
  return { kind: "result", id, result: { command, affectedRows, columns, rows } };
}

try {
  const pglite = await start(workerData as WorkerOptions);
  exchangeText(pglite);
  port.on("message", (request: Request) => {
    answer(pglite, request).then(send, (error: unknown) =>
      send({ kind: "error", id: request.id, error: wireError(error) }),
    );
  });
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "failed", error: wireError(error) });
}
