import { createHmac } from "node:crypto";
import { Broken } from "./gate.ts";
import type { World } from "./world.ts";

export interface Reply<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
}

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: object;
  /** Has a request id, so that sending it twice has one effect. */
  readonly isNamed?: boolean;
}

/** The outcome is unknown: the platform could not report it. */
export class Unclear extends Error {
  constructor(request: Request, { status, body }: Reply) {
    super(`${request.method} ${request.url}: ${status} ${JSON.stringify(body)}`);
    this.name = "Unclear";
  }
}

/** Whether the sender has no answer, or none that states the outcome. */
export const isUnknown = (error: unknown): error is Error => error instanceof Broken || error instanceof Unclear;

const MAX_ms = 180_000;
const HOST = "127.0.0.1:8080";

/** HTTP as clients see it: connections break, requests and replies get lost, requests arrive twice. */
export class Client {
  readonly #world: World;
  requests = 0;

  constructor(world: World) {
    this.#world = world;
  }

  get now_ms(): number {
    return this.#world.now_ms;
  }

  /** Rejects with Broken or Unclear if the outcome is unknown; every other answer resolves. */
  async send<Body>(request: Request): Promise<Reply<Body>> {
    const { faults } = this.#world;
    this.requests += 1;
    const isWrite = request.method !== "GET";
    if (isWrite && faults.take("request-lost")) throw new Broken(`${request.url} was lost on its way`);
    const isDoubled = isWrite && request.isNamed === true && faults.take("request-doubled");
    const sent = isDoubled ? [this.#once<Body>(request), this.#once<Body>(request)] : [this.#once<Body>(request)];
    const [first, second] = await Promise.allSettled(sent);
    if (isWrite && faults.take("reply-lost")) throw new Broken(`the reply to ${request.url} was lost`);
    if (first?.status === "rejected") throw first.reason;
    const answers = [first!.value, ...(second?.status === "fulfilled" ? [second.value] : [])];
    const answer = answers.find(({ status }) => status === 200) ?? answers[0]!;
    if (answer.status >= 500 || answer.status === 408) throw new Unclear(request, answer as Reply);
    return answer;
  }

  /** Like `send`, but anything except success is an error. */
  async done<Body>(request: Request): Promise<Body> {
    const { status, body } = await this.send<Body>(request);
    if (status !== 200) throw new Error(`${request.method} ${request.url}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  get<Body>(url: string, token?: string, headers: Record<string, string> = {}): Promise<Body> {
    return this.done<Body>({ method: "GET", url, headers: { ...headers, ...bearer(token) } });
  }

  post<Body>(url: string, payload: object, token?: string): Promise<Body> {
    return this.done<Body>({ method: "POST", url, payload, headers: bearer(token) });
  }

  async #once<Body>({ method, url, headers, payload }: Request): Promise<Reply<Body>> {
    const world = this.#world;
    if (!world.isRunning) throw new Broken(`nobody listens for ${url}`);
    const { gate, platform, timers } = world.incarnation;
    const sent = { method, url, headers: { host: HOST, ...headers }, ...(payload === undefined ? {} : { payload }) };
    const answer = timers.within(async () => await platform.app.inject(sent));
    const response = await gate.request(url, within(MAX_ms, `${method} ${url}`, answer));
    return { status: response.statusCode, body: bodyOf<Body>(response.body) };
  }
}

/** Fails if a running platform does not answer in time. */
async function within<T>(limit_ms: number, what: string, answer: Promise<T>): Promise<T> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => limit.reject(new Error(`${what} was not answered for ${limit_ms} ms`)), limit_ms);
  // A request to a dead process must not keep this process alive.
  timer.unref();
  return await Promise.race([answer, limit.promise]).finally(() => clearTimeout(timer));
}

/** Some refusals are plain text. */
function bodyOf<Body>(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return { text } as Body;
  }
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** A query signed as bots do. */
export function signed(secret: string, parameters: Readonly<Record<string, string>>, now_ms: number): string {
  const text = new URLSearchParams({ recvWindow: "60000", ...parameters, timestamp: String(now_ms) }).toString();
  return `${text}&signature=${createHmac("sha256", secret).update(text).digest("hex")}`;
}
