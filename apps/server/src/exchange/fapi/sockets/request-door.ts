import { setTimeout as pause } from "node:timers/promises";
import type { FapiRateLimit } from "@bourse/api";
import type { Clock } from "../../../kernel/clock.ts";
import type { Access } from "../../../kernel/http/access.ts";
import { fapiErrorReply, fapiRefusal } from "../../../kernel/http/error-replies.ts";
import type { CountName, IncomingCall } from "../../../kernel/http/fapi-call.ts";
import { FapiParameters } from "../../../kernel/http/parameters.ts";
import type { RateHooks } from "../../../kernel/http/rate-hooks.ts";
import type { Metrics } from "../../../kernel/metrics.ts";
import { POLICY_VIOLATION } from "../../streams/client-socket.ts";
import type { DoorSocket, SocketDoor } from "../../streams/stream-server.ts";
import { anyone } from "../access.ts";
import type { Operation } from "../context.ts";
import { SocketCall } from "./socket-call.ts";
import { queryOf, readSocketRequest, type SocketRequest } from "./socket-request.ts";
import { type SessionKeys, SocketSession } from "./socket-session.ts";

/** The operations behind the door, with their errors and limits in the words of /fapi. */
export interface SocketOperations {
  readonly methods: ReadonlyMap<string, Operation>;
  /** Translates an error for the client, and takes back what an unavailable exchange should not count. */
  translate(error: unknown, call: IncomingCall): Promise<unknown>;
  rateLimits(counts: ReadonlyMap<CountName, number>): readonly FapiRateLimit[];
}

export interface RequestDoorOptions {
  readonly operations: SocketOperations;
  readonly keys: SessionKeys;
  readonly rate: Pick<RateHooks, "takeWeight" | "isOverWeight" | "judgeOverWeight">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "requestDurations">;
  /** As for HTTP: waits until this process has seen everything that clients were told. */
  readonly beforeHandling?: (() => Promise<void> | undefined) | undefined;
  /** Receives errors that nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

const PATH = /^\/ws-fapi\/v1\/?(?:\?|$)/;
const MAX_PAYLOAD_bytes = 16_384;
/** Beyond this many unanswered requests of a connection no more are read from it. */
const MAX_IN_FLIGHT = 100;
const MAX_DRAIN_ms = 10_000;
const BANNED_STATUS = 418;
const SESSION_ACCESS: Access = anyone(2);

type SessionMethod = (session: SocketSession, request: SocketRequest, rawQuery: string) => object;

const SESSION_METHODS: ReadonlyMap<string, SessionMethod> = new Map<string, SessionMethod>([
  ["session.logon", (session, { params }, rawQuery) => session.logOn(params, rawQuery)],
  ["session.status", (session) => session.status()],
  ["session.logout", (session) => session.logOut()],
]);

interface Outcome {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: object;
}

/** WSA-1: the operations of /fapi over sockets, by `{id, method, params}`; requests are answered as they finish. */
export class RequestDoor implements SocketDoor {
  readonly protocol = "requests";
  readonly maxPayload_bytes = MAX_PAYLOAD_bytes;
  readonly #options: RequestDoorOptions;
  #inFlight = 0;
  #isDraining = false;

  constructor(options: RequestDoorOptions) {
    this.#options = options;
  }

  serves(url: string): boolean {
    return PATH.test(url);
  }

  open(socket: DoorSocket, url: string): (text: string) => void {
    const { keys, clock } = this.#options;
    const query = new URLSearchParams(url.split("?")[1] ?? "");
    const showsLimits = query.get("returnRateLimits")?.toLowerCase() !== "false";
    const session = new SocketSession({ keys, clock, address: socket.address, showsLimits });
    let inFlight = 0;
    const finished = () => {
      this.#inFlight -= 1;
      inFlight -= 1;
      if (inFlight === MAX_IN_FLIGHT - 1) socket.setReading(true);
    };
    return (text) => {
      this.#inFlight += 1;
      inFlight += 1;
      if (inFlight === MAX_IN_FLIGHT) socket.setReading(false);
      void this.#answer(socket, session, text).catch(this.#options.onError).finally(finished);
    };
  }

  async drain(): Promise<void> {
    this.#isDraining = true;
    const until_ms = performance.now() + MAX_DRAIN_ms;
    while (this.#inFlight > 0 && performance.now() < until_ms) await pause(5);
  }

  async #answer(socket: DoorSocket, session: SocketSession, text: string): Promise<void> {
    const arrived_ms = performance.now();
    const request = readSocketRequest(text);
    const { id, method = "", params } = request;
    const { operations, metrics } = this.#options;
    const access = SESSION_METHODS.has(method) ? SESSION_ACCESS : operations.methods.get(method)?.route.config.access;
    const call = new SocketCall(socket.address, access, session.keyFor(params));
    const outcome = await this.#outcomeOf(call, session, request);
    const asked = params.get("returnRateLimits")?.toLowerCase();
    const showsLimits = asked === undefined ? session.showsLimits : asked !== "false";
    socket.sendJson({ id, ...outcome, ...(showsLimits ? { rateLimits: operations.rateLimits(call.counts) } : {}) });
    const route = access === undefined ? "unmatched" : method;
    metrics.requestDurations.observe("SOCKET", route, outcome.status, (performance.now() - arrived_ms) / 1000);
    if (outcome.status === BANNED_STATUS) socket.close(POLICY_VIOLATION, "banned");
  }

  async #outcomeOf(call: SocketCall, session: SocketSession, request: SocketRequest): Promise<Outcome> {
    try {
      return { status: 200, result: await this.#perform(call, session, request) };
    } catch (thrown) {
      const error = await this.#options.operations.translate(thrown, call);
      const { status, body, retryAfter_s, isUnforeseen } = fapiErrorReply(error);
      if (isUnforeseen) this.#options.onError(error);
      if (retryAfter_s === undefined) return { status, error: body };
      const serverTime = this.#options.clock.now();
      return { status, error: { ...body, data: { serverTime, retryAfter: serverTime + retryAfter_s * 1000 } } };
    }
  }

  /** The steps of a request over HTTP, in their order: rate, caller, parameters, operation. */
  async #perform(call: SocketCall, session: SocketSession, request: SocketRequest): Promise<unknown> {
    if (this.#isDraining) throw fapiRefusal("SERVICE_UNAVAILABLE");
    const { method = "", params, refusal } = request;
    const rawQuery = refusal === undefined ? queryOf(params) : "";
    await this.#weigh(call, rawQuery);
    if (refusal !== undefined) throw refusal;
    const ofSession = SESSION_METHODS.get(method);
    if (ofSession !== undefined) return ofSession(session, request, rawQuery);
    const operation = this.#options.operations.methods.get(method);
    if (operation === undefined) throw fapiRefusal("UNSUPPORTED", { msg: "This method does not exist." });
    const { access } = operation.route.config;
    if (access.allow !== "anyone") call.principal = session.identify(params, rawQuery, access);
    call.fapi = new FapiParameters(rawQuery, "");
    await this.#becomeCurrent();
    return operation.handle(call, call);
  }

  async #weigh(call: SocketCall, rawQuery: string): Promise<void> {
    const { rate } = this.#options;
    await new Promise<void>((resolve, reject) =>
      rate.takeWeight(call, call, (error) => (error === undefined ? resolve() : reject(error))),
    );
    if (rate.isOverWeight(call)) await rate.judgeOverWeight(call, rawQuery, "");
  }

  async #becomeCurrent(): Promise<void> {
    try {
      await this.#options.beforeHandling?.();
    } catch {
      throw fapiRefusal("SERVICE_UNAVAILABLE");
    }
  }
}
