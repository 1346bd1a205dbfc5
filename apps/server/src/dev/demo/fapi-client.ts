import { createHmac } from "node:crypto";
import type { Clock } from "../../kernel/clock.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Parameters = Readonly<Record<string, string | number | boolean>>;

/** Short, so that stopping a bot does not wait long for an exchange that hangs. */
const TIMEOUT_MS = 2_000;

/** The maximum of the interface: on a busy machine, or while the clock is moved, a request may wait. */
const PATIENCE_MS = 60_000;

/** A refusal of the exchange. */
export class FapiRefusal extends Error {
  readonly status: number;
  readonly code: number;
  /** How long to pause; 0 if the exchange did not say. */
  readonly retryAfter_s: number;

  constructor(status: number, code: number, message: string, retryAfter_s = 0) {
    super(message);
    this.name = "FapiRefusal";
    this.status = status;
    this.code = code;
    this.retryAfter_s = retryAfter_s;
  }
}

export interface FapiKey {
  readonly api_key: string;
  readonly api_secret: string;
}

export interface FapiClientOptions {
  readonly baseUrl: string;
  /** The platform's clock, by which signed requests are judged. */
  readonly clock: Clock;
  readonly key: FapiKey;
}

/** The bots' client of the public /fapi interface, with signed requests. */
export class FapiClient {
  readonly #options: FapiClientOptions;

  constructor(options: FapiClientOptions) {
    this.#options = options;
  }

  /** Without a signature, but with the key, which has raised limits (WIRE-1). */
  read(path: string, parameters: Parameters = {}): Promise<unknown> {
    return this.#call("GET", path, encode(parameters));
  }

  signed(method: Method, path: string, parameters: Parameters = {}): Promise<unknown> {
    const { clock, key } = this.#options;
    const text = encode({ ...parameters, recvWindow: PATIENCE_MS, timestamp: clock.now() });
    const signature = createHmac("sha256", key.api_secret).update(text).digest("hex");
    return this.#call(method, path, `${text}&signature=${signature}`);
  }

  async #call(method: Method, path: string, query: string): Promise<unknown> {
    const { baseUrl, key } = this.#options;
    const response = await fetch(`${baseUrl}${path}${query === "" ? "" : `?${query}`}`, {
      method,
      headers: { "x-mbx-apikey": key.api_key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const body = readJson(text);
    if (response.ok && body !== undefined) return body;
    const { code, msg } = (body ?? {}) as { code?: unknown; msg?: unknown };
    const wait_s = Number(response.headers.get("retry-after") ?? 0);
    throw new FapiRefusal(
      response.status,
      typeof code === "number" ? code : 0,
      typeof msg === "string" ? msg : `${method} ${path} answered ${response.status}`,
      Number.isFinite(wait_s) ? wait_s : 0,
    );
  }
}

function encode(parameters: Parameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&");
}

/** Undefined if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
