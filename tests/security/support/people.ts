/** Requests of the parties of the ownership tests, on a platform in this process. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { NewApiKey, TokenReply } from "@bourse/api";
import type { TestPlatform, Wallet } from "../../../apps/server/src/testing/test-platform.ts";

export const HOST = "127.0.0.1:8080";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Fields = Readonly<Record<string, unknown>>;

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: Fields;
}

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const withQuery = (path: string, query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
};

/** Refusals of /fapi and of the JSON areas have different bodies, tables have none: the raw text is compared. */
function replyOf({ statusCode, body }: { readonly statusCode: number; readonly body: string }): Reply {
  return { status: statusCode, text: body, body: /^[[{]/.test(body) ? (JSON.parse(body) as Fields) : {} };
}

/** With a bearer token, as the web app does. */
export async function callWith(platform: TestPlatform, token: string, call: Call): Promise<Reply> {
  const headers = { host: HOST, authorization: `Bearer ${token}` };
  const { method, path, query, body } = call;
  // On /fapi a body is a form with the same content as the query.
  const isFapi = path.startsWith("/fapi");
  const form =
    isFapi && body !== undefined ? new URLSearchParams(body as Record<string, string>).toString() : undefined;
  const payload = form ?? (isFapi ? undefined : body);
  const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  return replyOf(
    await platform.call({
      method,
      url: withQuery(path, query),
      headers: { ...headers, ...type },
      ...(payload === undefined ? {} : { payload }),
    }),
  );
}

/** Signed with an API key, as bots do. */
export async function callSigned(
  platform: TestPlatform,
  key: Pick<NewApiKey, "api_key" | "api_secret">,
  { method, path, query = {}, body }: Call,
): Promise<Reply> {
  const isFapi = path.startsWith("/fapi");
  const parameters = { ...query, ...(isFapi ? (body as Record<string, string> | undefined) : {}) };
  const text = new URLSearchParams({ ...parameters, timestamp: String(platform.clock.now()) }).toString();
  const json = isFapi || body === undefined ? "" : JSON.stringify(body);
  const signature = createHmac("sha256", key.api_secret).update(`${text}${json}`).digest("hex");
  const headers = { host: HOST, "x-mbx-apikey": key.api_key };
  return replyOf(
    await platform.call({
      method,
      url: `${path}?${text}&signature=${signature}`,
      headers: { ...headers, ...(json === "" ? {} : { "content-type": "application/json" }) },
      ...(json === "" ? {} : { payload: json }),
    }),
  );
}

export function done<Body>(reply: Reply): Body {
  assert.equal(reply.status, 200, reply.text);
  return reply.body as Body;
}

/** A wallet that has signed in. */
export interface Person {
  readonly wallet: Wallet;
  readonly address: string;
  tokens: TokenReply;
}

export async function enter(platform: TestPlatform, wallet: Wallet): Promise<Person> {
  return { wallet, address: wallet.address.toLowerCase(), tokens: await platform.signIn(wallet) };
}
