import type { FastifyReply, FastifyRequest } from "fastify";
import { development } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import { jsonErrorReply } from "../kernel/http/error-replies.ts";
import type { Log } from "../kernel/log.ts";
import type { ChainRpc } from "./embedded/rpc-methods.ts";
import { RPC_CODES, RpcError } from "./rpc-error.ts";

const MAX_IN_BATCH = 50;

type Id = string | number | null;
interface Reply {
  readonly jsonrpc: "2.0";
  readonly id: Id;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

function refusal(id: Id, { code, message, data }: RpcError): Reply {
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

interface Call {
  /** Undefined for a notification, which gets no reply. */
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: unknown;
}

const isId = (id: unknown): id is Id => id === null || typeof id === "string" || typeof id === "number";

function readCall(value: unknown): Call | Reply {
  const invalid = (message: string, id: Id = null) => refusal(id, new RpcError(RPC_CODES.invalidRequest, message));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid("a request is an object");
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  if (id !== undefined && !isId(id)) return invalid("an id is a string or a number");
  if (jsonrpc !== "2.0") return invalid('"jsonrpc" must be "2.0"', id);
  if (typeof method !== "string") return invalid("a method is missing", id);
  return { id, method, params };
}

/** Answers the body of a request: one reply, a list for a batch, none for notifications. */
export function createRpcResponder(rpc: ChainRpc, log: Log) {
  function asRefusal(id: Id, method: string, error: unknown): Reply {
    if (error instanceof RpcError) return refusal(id, error);
    log.error({ err: error, method }, "the chain failed to answer");
    return refusal(id, new RpcError(RPC_CODES.internal, error instanceof Error ? error.message : String(error)));
  }

  async function answer(value: unknown): Promise<Reply | undefined> {
    const call = readCall(value);
    if ("jsonrpc" in call) return call;
    const { id, method, params } = call;
    try {
      const result = await rpc.request({ method, params });
      return id === undefined ? undefined : { jsonrpc: "2.0", id, result: result ?? null };
    } catch (error) {
      const failed = asRefusal(id ?? null, method, error);
      return id === undefined ? undefined : failed;
    }
  }

  async function answerBatch(values: readonly unknown[]): Promise<Reply | readonly Reply[] | undefined> {
    const invalid = (message: string) => refusal(null, new RpcError(RPC_CODES.invalidRequest, message));
    if (values.length === 0) return invalid("a batch is empty");
    if (values.length > MAX_IN_BATCH) return invalid(`a batch has at most ${MAX_IN_BATCH} requests`);
    // Concurrently. The chain takes the calls in their order, which consecutive transactions need.
    const replies = (await Promise.all(values.map(answer))).filter((reply) => reply !== undefined);
    return replies.length === 0 ? undefined : replies;
  }

  return async (body: Buffer): Promise<Reply | readonly Reply[] | undefined> => {
    let value: unknown;
    try {
      value = JSON.parse(body.toString("utf8"));
    } catch {
      return refusal(null, new RpcError(RPC_CODES.parseError, "the body is not valid JSON"));
    }
    return Array.isArray(value) ? await answerBatch(value) : await answer(value);
  };
}

/** Sends a refusal from before the body is read, such as one for its size, in the form of JSON-RPC. */
function sendRefusal(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = jsonErrorReply(error);
  const code = status < 500 ? RPC_CODES.invalidRequest : RPC_CODES.internal;
  return reply.code(status).send(refusal(null, new RpcError(code, "error" in body ? body.error : body.msg)));
}

/** RUN-6, RUN-8: the embedded chain's JSON-RPC. Development only. */
export function registerRpcRoutes(app: App, { rpc, log }: { readonly rpc: ChainRpc; readonly log: Log }): void {
  const respond = createRpcResponder(rpc, log);
  app.post(
    "/rpc",
    {
      config: { access: { ...development, readsBody: "itself" } },
      errorHandler: sendRefusal,
      schema: {
        tags: ["Development"],
        summary: "JSON-RPC of the embedded chain",
        description: `What a wallet or a script needs, one request or a batch of at most ${MAX_IN_BATCH}.`,
      },
    },
    async (request, reply) => {
      const answered = await respond(request.rawBody);
      if (answered === undefined) return reply.code(204).send();
      return reply.type("application/json; charset=utf-8").serializer(JSON.stringify).send(answered);
    },
  );
}
