import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";
import { fapiRefusal } from "./error-replies.ts";

export interface ForwardOptions {
  /** The current origin of the worker; undefined if there is none. */
  readonly target: () => string | undefined;
}

const TIMEOUT_ms = 30_000;
const MAX_CONNECTIONS = 256;
/** Headers of one connection, not of the message. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "content-length",
  "expect",
]);

/** Forwards requests to another process and returns its replies unchanged. */
export class Forwarder {
  readonly #options: ForwardOptions;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  constructor(options: ForwardOptions) {
    this.#options = options;
  }

  readonly handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const target = this.#options.target();
    if (target === undefined) throw unavailable(request);
    const answer = await this.#ask(target, request);
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !HOP_HEADERS.has(name)) reply.header(name, value);
    }
    return reply.code(answer.statusCode ?? 502).send(answer);
  };

  close(): void {
    this.#agent.destroy();
  }

  #ask(target: string, request: FastifyRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let isSent = false;
      const outgoing = httpRequest(new URL(request.url, target), {
        method: request.method,
        headers: headersOf(request),
        agent: this.#agent,
        timeout: TIMEOUT_ms,
      });
      outgoing.on("socket", (socket) => {
        if (socket.connecting) socket.once("connect", () => (isSent = true));
        else isSent = true;
      });
      outgoing.once("timeout", () => outgoing.destroy(new Error("no answer in time")));
      outgoing.once("error", () => reject(isSent ? unknownOutcome(request) : unavailable(request)));
      outgoing.once("response", resolve);
      outgoing.end(request.rawBody);
    });
  }
}

function headersOf(request: FastifyRequest): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.raw.headers)) {
    if (value !== undefined && !HOP_HEADERS.has(name)) headers[name] = value;
  }
  if (request.contentType !== undefined) headers["content-type"] = request.contentType;
  if (request.rawBody.length > 0) headers["content-length"] = String(request.rawBody.length);
  headers["x-forwarded-for"] = request.address;
  return headers;
}

/** The request has reached no process. */
const unavailable = ({ area }: FastifyRequest) =>
  area === "fapi"
    ? fapiRefusal("SERVICE_UNAVAILABLE")
    : new ApiError(503, "SERVICE_UNAVAILABLE", "this part of the platform is starting; try again in a moment", {
        retryAfter_s: 1,
      });

/** The request may have reached the other process. */
const unknownOutcome = ({ area, method }: FastifyRequest) => {
  if (area === "fapi") return fapiRefusal("UNKNOWN_OUTCOME");
  return method === "GET"
    ? new ApiError(503, "SERVICE_UNAVAILABLE", "the answer got lost; try again", { retryAfter_s: 1 })
    : new ApiError(503, "OUTCOME_UNKNOWN", "the answer got lost: look whether it was done before you try again");
};
