import type { NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import type { Hex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { seededRandom } from "../../../apps/server/src/kernel/random.ts";
import { bearer, type Client, type Reply, signed } from "./client.ts";
import { ADMIN_PASSWORD } from "./world.ts";

/** A sign-in is renewed if less than this is left of it. */
const MARGIN_ms = 60_000;

/** A wallet, with its sign-in and its API key. */
export class Person {
  readonly name: string;
  readonly wallet: PrivateKeyAccount;
  readonly address: string;
  readonly #client: Client;
  #token: { readonly text: string; readonly until_ms: number } | undefined;
  #key: NewApiKey | undefined;

  constructor(seed: string, name: string, client: Client) {
    this.name = name;
    this.#client = client;
    const key: Hex = `0x${seededRandom(`${seed} wallet ${name}`).bytes(32).toString("hex")}`;
    this.wallet = privateKeyToAccount(key);
    this.address = this.wallet.address.toLowerCase();
  }

  async token(): Promise<string> {
    const client = this.#client;
    if (this.#token !== undefined && this.#token.until_ms > client.now_ms + MARGIN_ms) return this.#token.text;
    const { address } = this.wallet;
    const { message_template: message } = await client.post<NonceReply>("/api/v1/auth/nonce", { address });
    const signature = await this.wallet.signMessage({ message });
    const reply = await client.post<TokenReply>("/api/v1/auth/login", { message, signature });
    this.#token = { text: reply.access_token, until_ms: client.now_ms + reply.expires_in * 1_000 };
    return this.#token.text;
  }

  /** Forgets the token, because its session may be lost with the process that made it. */
  forgetToken(): void {
    this.#token = undefined;
  }

  async key(): Promise<NewApiKey> {
    if (this.#key !== undefined) return this.#key;
    const request = { label: "bot", permissions: ["READ", "TRADE"] };
    this.#key = await this.#client.post<NewApiKey>("/api/v1/account/api-keys", request, await this.token());
    return this.#key;
  }

  /** A signed request of the trading interface. */
  async bot<Body>(
    method: "GET" | "POST" | "DELETE" | "PUT",
    path: string,
    parameters: Readonly<Record<string, string>> = {},
    isNamed = false,
  ): Promise<Reply<Body>> {
    const key = await this.key();
    const query = signed(key.api_secret, parameters, this.#client.now_ms);
    return await this.#client.send<Body>({
      method,
      url: `${path}?${query}`,
      headers: { "x-mbx-apikey": key.api_key },
      isNamed,
    });
  }

  /** A request of the account area. */
  async ask<Body>(
    method: "GET" | "POST" | "DELETE" | "PUT",
    url: string,
    payload?: object,
    isNamed = false,
  ): Promise<Reply<Body>> {
    const headers = bearer(await this.token());
    return await this.#client.send<Body>({
      method,
      url,
      headers,
      isNamed,
      ...(payload === undefined ? {} : { payload }),
    });
  }

  async get<Body>(url: string): Promise<Body> {
    return await this.#client.get<Body>(url, await this.token());
  }
}

/** The first admin. */
export class Admin {
  readonly #client: Client;
  #token: { readonly text: string; readonly until_ms: number } | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  async token(): Promise<string> {
    const client = this.#client;
    if (this.#token !== undefined && this.#token.until_ms > client.now_ms + MARGIN_ms) return this.#token.text;
    const credentials = { username: "admin", password: ADMIN_PASSWORD };
    const reply = await client.post<TokenReply>("/api/v1/broker/auth/login", credentials);
    this.#token = { text: reply.access_token, until_ms: client.now_ms + reply.expires_in * 1_000 };
    return this.#token.text;
  }

  forgetToken(): void {
    this.#token = undefined;
  }

  async post<Body>(url: string, payload: object): Promise<Body> {
    return await this.#client.post<Body>(url, payload, await this.token());
  }

  async send<Body>(method: "POST" | "PUT", url: string, payload: object): Promise<Reply<Body>> {
    return await this.#client.send<Body>({ method, url, payload, headers: bearer(await this.token()) });
  }

  /** Returns any reply. */
  async ask<Body>(url: string): Promise<Reply<Body>> {
    return await this.#client.send<Body>({ method: "GET", url, headers: bearer(await this.token()) });
  }

  async get<Body>(url: string): Promise<Body> {
    return await this.#client.get<Body>(url, await this.token());
  }
}
