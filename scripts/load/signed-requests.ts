import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The credentials of a bot. */
export interface BotKey {
  readonly api_key: string;
  readonly api_secret: string;
}

/** Large, because a server that is far behind its clients is slow, and that is what is measured. */
const RECEIVE_WINDOW_ms = 60_000;

/** Writes a bot's requests as bytes for the wire. */
export class RequestWriter {
  readonly #host: string;
  readonly #api_key: string;
  readonly #secret: KeyObject;

  constructor(host: string, { api_key, api_secret }: BotKey) {
    this.#host = host;
    this.#api_key = api_key;
    this.#secret = createSecretKey(api_secret, "utf8");
  }

  /** The parameters are already encoded as a query. */
  signed(method: string, path: string, parameters: string): string {
    const stamp = `recvWindow=${RECEIVE_WINDOW_ms}&timestamp=${Date.now()}`;
    const text = parameters === "" ? stamp : `${parameters}&${stamp}`;
    const signature = createHmac("sha256", this.#secret).update(text).digest("hex");
    const full = `${text}&signature=${signature}`;
    return method === "POST" ? this.#request(method, path, full) : this.#request(method, `${path}?${full}`, "");
  }

  /** A request with the key but without a signature. */
  keyed(method: string, path: string): string {
    return this.#request(method, path, "");
  }

  #request(method: string, path: string, body: string): string {
    const head = `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\nx-mbx-apikey: ${this.#api_key}\r\n`;
    if (body === "" && method !== "POST") return `${head}\r\n`;
    return `${head}content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  }
}
