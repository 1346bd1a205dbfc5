import { privateKeyToAccount } from "viem/accounts";
import type { App } from "../../kernel/http/app.ts";
import { demoKey } from "../demo/wallet.ts";

/** A reply that the history does not expect. */
class HistoryRefused extends Error {
  constructor(what: string, status: number, body: string) {
    super(`${what} was answered ${status}: ${body.slice(0, 300)}`);
    this.name = "HistoryRefused";
  }
}

export interface WebClientOptions {
  readonly app: App;
  readonly publicUrl: string;
  readonly walletSeed: string;
}

type Method = "GET" | "POST" | "PUT";

/** The demo's participants as clients: they sign in and send requests like any other. */
export class WebClient {
  readonly #options: WebClientOptions;
  #addresses = 0;

  constructor(options: WebClientOptions) {
    this.#options = options;
  }

  /** A refusal with the code `accepted` also counts as success: the requested state already exists. */
  async call<Reply>(method: Method, url: string, token?: string, payload?: object, accepted?: string): Promise<Reply> {
    const { app, publicUrl } = this.#options;
    const reply = await app.inject({
      method,
      url,
      // Each request has its own IP, because limits are per IP.
      remoteAddress: this.#nextAddress(),
      headers: {
        host: new URL(publicUrl).host,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const isFine = reply.statusCode === 200 || (accepted !== undefined && reply.json().code === accepted);
    if (!isFine) throw new HistoryRefused(`${method} ${url}`, reply.statusCode, reply.body);
    return reply.json() as Reply;
  }

  /** The token of a demo wallet. */
  async signIn(label: string): Promise<string> {
    const account = privateKeyToAccount(demoKey(this.#options.walletSeed, label));
    const { message_template: message } = await this.call<{ message_template: string }>(
      "POST",
      "/api/v1/auth/nonce",
      undefined,
      { address: account.address },
    );
    const signature = await account.signMessage({ message });
    const login = { message, signature };
    return (await this.call<{ access_token: string }>("POST", "/api/v1/auth/login", undefined, login)).access_token;
  }

  async signInStaff(username: string, password: string): Promise<string> {
    const login = { username, password };
    const url = "/api/v1/broker/auth/login";
    return (await this.call<{ access_token: string }>("POST", url, undefined, login)).access_token;
  }

  #nextAddress(): string {
    this.#addresses += 1;
    return `127.${100 + (this.#addresses >> 16)}.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
  }
}
