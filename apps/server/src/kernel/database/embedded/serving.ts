/** Answers the main thread's requests in the database's thread. */
import type { MessagePort } from "node:worker_threads";
import { type PGlite, protocol } from "@electric-sql/pglite";
import {
  ERROR_FIELDS,
  type ErrorFields,
  type Request,
  type Response,
  type WireError,
  type WireParameter,
  type WireResult,
} from "./protocol.ts";

const { serialize, messages } = protocol;
const { CommandCompleteMessage, DataRowMessage, RowDescriptionMessage } = messages;

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
 * The whole statement in one message. Its parts are those of the library's own `query`, which enters the database for each part and
 * first asks for the types of the parameters; here all parameters are text.
 */
const statementOf = (sql: string, parameters: readonly WireParameter[]) =>
  Buffer.concat([
    serialize.parse({ text: sql }),
    serialize.bind({ values: parameters.map(parameterOf) }),
    serialize.describe({ type: "P" }),
    serialize.execute({}),
    serialize.sync(),
  ]);

/** The rows go with their statement: the database finds them as soon as it asks for them. */
const copyOf = (sql: string, rows: string) =>
  Buffer.concat([
    serialize.query(sql),
    serialize.copyData(new TextEncoder().encode(rows).buffer),
    serialize.copyDone(),
  ]);

/** "UPDATE 3" and the like; other commands change no rows, or their number means something else. */
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

async function answer(pglite: PGlite, request: Request, close: () => Promise<void>): Promise<Response> {
  const { id } = request;
  if (request.kind === "close") {
    await close();
    return { kind: "result", id, result: { command: "CLOSE", affectedRows: 0, columns: [], rows: [] } };
  }
  const statement =
    request.kind === "copy" ? copyOf(request.sql, request.rows) : statementOf(request.sql, request.parameters);
  return {
    kind: "result",
    id,
    result: resultOf(await pglite.runExclusive(() => pglite.execProtocolStream(statement))),
  };
}

/** Opens a database and answers its requests. `close` handles a request to close it. */
export async function serve(
  port: MessagePort,
  open: () => Promise<{ readonly pglite: PGlite; close(): Promise<void> }>,
): Promise<void> {
  const send = (response: Response) => port.postMessage(response);
  try {
    const { pglite, close } = await open();
    port.on("message", (request: Request) => {
      answer(pglite, request, close).then(send, (error: unknown) =>
        send({ kind: "error", id: request.id, error: wireError(error) }),
      );
    });
    send({ kind: "ready" });
  } catch (error) {
    send({ kind: "failed", error: wireError(error) });
  }
}
