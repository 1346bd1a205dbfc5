/** Uses every secret of a client or an operator, correctly and incorrectly, and records each. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { WebSocket } from "ws";
import { contractsOf } from "../../support/chain.ts";
import type { RunningServer } from "../../support/server.ts";
import type { Secrets } from "./leaks.ts";

export interface Operator {
  readonly password: string;
  readonly bonusKey: string;
}

interface Walk {
  readonly server: RunningServer;
  readonly secrets: Secrets;
  readonly operator: Operator;
}

type Headers = Readonly<Record<string, string>>;

async function send(server: RunningServer, method: string, path: string, body?: unknown, headers: Headers = {}) {
  const payload = typeof body === "string" ? body : JSON.stringify(body);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const reply = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body: payload }),
    redirect: "manual",
  });
  const text = await reply.text();
  return { status: reply.status, text, json: <T>() => JSON.parse(text) as T };
}

/** The reply must not contain a secret that was only sent. */
async function sendSecretly(walk: Walk, ...request: [string, string, unknown?, Headers?]): Promise<number> {
  const { status, text } = await send(walk.server, ...request);
  assert.deepEqual(walk.secrets.findIn(text), [], `the reply to ${request[0]} ${request[1].slice(0, 40)}`);
  return status;
}

async function signIn({ server, secrets }: Walk): Promise<{ tokens: TokenReply; address: string }> {
  const privateKey = generatePrivateKey();
  secrets.keep("a wallet's private key", privateKey);
  const wallet = privateKeyToAccount(privateKey);
  const { address } = wallet;
  const asked = (await send(server, "POST", "/api/v1/auth/nonce", { address })).json<NonceReply>();
  secrets.keep("a nonce", asked.nonce);
  const message = asked.message_template;
  const signature = await wallet.signMessage({ message });
  secrets.keep("a sign-in signature", signature);
  const reply = await send(server, "POST", "/api/v1/auth/login", { message, signature });
  assert.equal(reply.status, 200, reply.text);
  return { tokens: reply.json(), address };
}

/** Signs in, refreshes and reuses; returns the valid tokens. */
async function walkSessions(walk: Walk): Promise<{ token: string; address: string }> {
  const { server, secrets } = walk;
  const { tokens, address } = await signIn(walk);
  secrets.keep("an access token", tokens.access_token);
  secrets.keep("a refresh token", tokens.refresh_token);
  const refreshed = await send(server, "POST", "/api/v1/auth/refresh", { refresh_token: tokens.refresh_token });
  const next = refreshed.json<TokenReply>();
  secrets.keep("a refreshed access token", next.access_token);
  secrets.keep("a refreshed refresh token", next.refresh_token);
  await sendSecretly(walk, "POST", "/api/v1/auth/refresh", { refresh_token: tokens.refresh_token });
  await sendSecretly(walk, "POST", "/api/v1/auth/refresh", { refresh_token: [next.refresh_token] });
  await sendSecretly(walk, "POST", "/api/v1/auth/refresh", `{"refresh_token":"${next.refresh_token}"`);
  const again = await signIn(walk);
  const token = secrets.keep("another access token", again.tokens.access_token);
  secrets.keep("another refresh token", again.tokens.refresh_token);
  const bearer = { authorization: `Bearer ${token}` };
  // Tokens at wrong locations.
  await sendSecretly(walk, "GET", `/api/v1/account/api-keys?token=${token}`);
  await sendSecretly(walk, "GET", "/api/v1/account/api-keys", undefined, { authorization: `Bearer ${token}x` });
  await sendSecretly(walk, "GET", "/api/v1/account/api-keys", undefined, { authorization: `Basic ${token}` });
  await sendSecretly(walk, "GET", "/api/v1/broker/overview", undefined, bearer);
  assert.equal(await sendSecretly(walk, "GET", "/api/v1/admin/jobs", undefined, bearer), 403);
  assert.notEqual(address, again.address);
  return { token, address: again.address };
}

async function walkKeys(walk: Walk, token: string): Promise<void> {
  const { server, secrets } = walk;
  const bearer = { authorization: `Bearer ${token}` };
  const body = { label: "walk", permissions: ["READ", "TRADE", "WITHDRAW"] };
  const made = await send(server, "POST", "/api/v1/account/api-keys", body, bearer);
  assert.equal(made.status, 200, made.text);
  const { api_key, api_secret } = made.json<NewApiKey>();
  secrets.keep("an API secret", api_secret);
  const sign = (text: string) => createHmac("sha256", api_secret).update(text).digest("hex");
  const call = (method: string, path: string, text: string, signature = sign(text)) =>
    sendSecretly(walk, method, `${path}?${text}&signature=${signature}`, undefined, { "x-mbx-apikey": api_key });
  const now = () => `timestamp=${Date.now()}&recvWindow=60000`;
  assert.equal(await call("GET", "/fapi/v2/account", now()), 200);
  await call("GET", "/fapi/v2/account", now(), api_secret);
  await call("GET", "/fapi/v2/account", `${now()}&secret=${api_secret}`);
  await call("POST", "/fapi/v1/order", `symbol=${api_secret}&side=BUY&${now()}`);
  await call("POST", "/fapi/v1/order", `symbol=BTCUSDT&side=BUY&newClientOrderId=${api_secret}&${now()}`);
  await sendSecretly(walk, "GET", `/fapi/v2/account?${now()}`, undefined, { "x-mbx-apikey": api_secret });
  const listen = await send(server, "POST", "/fapi/v1/listenKey", undefined, { "x-mbx-apikey": api_key });
  const listenKey = secrets.keep("a listenKey", listen.json<{ listenKey: string }>().listenKey);
  await walkStreams(walk, listenKey, token);
}

async function walkStreams({ server }: Walk, listenKey: string, token: string): Promise<void> {
  const base = server.baseUrl.replace("http", "ws");
  for (const [path, messages] of [
    [
      "/ws",
      [
        { type: "auth", listenKey },
        { type: "auth", token },
        { type: "auth", token: `${token}x` },
      ],
    ],
    ["/ws", [`{"type":"auth","token":"${token}"`, { type: "subscribe", channel: token }]],
    [`/ws/${listenKey}`, [{ method: "SUBSCRIBE", params: [listenKey], id: 1 }]],
    [`/ws/${listenKey}x`, []],
    [`/stream?streams=${listenKey}`, []],
  ] as const) {
    const socket = new WebSocket(`${base}${path}`);
    await new Promise<void>((resolve) => {
      socket.once("open", resolve);
      socket.once("error", () => resolve());
    });
    for (const message of messages) {
      socket.send(typeof message === "string" ? message : JSON.stringify(message));
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.terminate();
  }
}

async function walkStaff(walk: Walk): Promise<string> {
  const { server, secrets, operator } = walk;
  const login = "/api/v1/broker/auth/login";
  const good = await send(server, "POST", login, { username: "admin", password: operator.password });
  assert.equal(good.status, 200, good.text);
  const tokens = good.json<TokenReply>();
  const admin = secrets.keep("an admin's access token", tokens.access_token);
  secrets.keep("an admin's refresh token", tokens.refresh_token);
  const wrong = secrets.keep("a wrong password", "nearly-the-right-password-77");
  await sendSecretly(walk, "POST", login, { username: "admin", password: wrong });
  await sendSecretly(walk, "POST", login, { username: wrong, password: wrong });
  await sendSecretly(walk, "POST", login, { username: "admin", password: { text: wrong } });
  await sendSecretly(walk, "POST", login, `{"username":"admin","password":"${wrong}"`);
  await sendSecretly(walk, "POST", login, `username=admin&password=${wrong}`);
  await sendSecretly(walk, "POST", `${login}?username=admin&password=${wrong}`, {});
  const bearer = { authorization: `Bearer ${admin}` };
  const initial_password = secrets.keep("a BD's first password", "first-password-of-a-BD-4711");
  const bd = { username: "bd-walk", initial_password };
  assert.equal(await sendSecretly(walk, "POST", "/api/v1/broker/admin/bd", bd, bearer), 200);
  await sendSecretly(walk, "POST", "/api/v1/broker/admin/bd", bd, bearer);
  const signedIn = await send(server, "POST", login, { username: "bd-walk", password: initial_password });
  secrets.keep("a BD's access token", signedIn.json<TokenReply>().access_token);
  return admin;
}

async function walkBonus(walk: Walk, operator_addr: string): Promise<void> {
  const { server, secrets, operator } = walk;
  const path = "/api/v1/bonus/admin/reconcile-report";
  const key = { "x-bonus-admin-key": operator.bonusKey };
  assert.equal(await sendSecretly(walk, "GET", path, undefined, key), 200);
  const wrong = secrets.keep("a wrong bonus key", "a-wrong-bonus-key-0123456789-abcdef");
  assert.equal(await sendSecretly(walk, "GET", path, undefined, { "x-bonus-admin-key": wrong }), 401);
  await sendSecretly(walk, "GET", `${path}?key=${operator.bonusKey}`);
  const terms = { batch_name: "Walk", grant_tier: "COMMUNITY", per_address_amount: "10", max_leverage: 10 };
  const grant = { ...terms, recipients: ["nobody"], operator_addr, request_id: "walk-1" };
  const batch = await send(server, "POST", "/api/v1/bonus/admin/grant-batch", grant, key);
  assert.equal(batch.status, 200, batch.text);
  const { grant_batch_id } = batch.json<{ grant_batch_id: string }>();
  const more = { grant_batch_id, amount: "10", count: 1, ttl_days: 3, operator_addr, request_id: "walk-2" };
  const codes = await send(server, "POST", "/api/v1/bonus/admin/generate-codes", more, key);
  assert.equal(codes.status, 200, codes.text);
  secrets.keep("a bonus code", codes.json<{ codes: string[] }>().codes[0] ?? "");
}

/** The operator's key signs a withdrawal, the voucher signer's key a voucher. */
async function walkChain(walk: Walk, token: string, address: string, admin: string): Promise<void> {
  const { server } = walk;
  const bearer = { authorization: `Bearer ${token}` };
  const given = await send(server, "POST", "/api/v1/dev/faucet", { address, amount: "1000" });
  assert.equal(given.status, 200, given.text);
  assert.equal(await sendSecretly(walk, "POST", "/withdraw/request", { amount: "5", request_id: "walk" }, bearer), 200);
  const product = {
    ...{ name: "Walk", annual_rate_bps: 1_200, duration_seconds: 86_400, total_quota: "1000000000" },
    ...{ min_amount: "1000000", max_amount_per_user: "1000000000" },
    subscribe_start_time: new Date().toISOString(),
    subscribe_end_time: new Date(Date.now() + 3_600_000).toISOString(),
  };
  const made = await send(server, "POST", "/api/v1/earn/admin/products", product, { authorization: `Bearer ${admin}` });
  assert.equal(made.status, 200, made.text);
  await send(server, "POST", "/api/v1/dev/jobs/chain-sync/run");
  const { id } = made.json<{ id: string }>();
  const wanted = { product_id: id, amount: "10" };
  assert.equal(await sendSecretly(walk, "POST", "/earn/subscribe/prepare", wanted, bearer), 200);
  assert.ok((await contractsOf(server)).earn);
}

/** The whole walk; returns an admin's token. `hasChain`: the chain is embedded, so that money can move. */
export async function walkThroughSecrets(walk: Walk, hasChain: boolean): Promise<string> {
  const { token, address } = await walkSessions(walk);
  await walkKeys(walk, token);
  const admin = await walkStaff(walk);
  await walkBonus(walk, address);
  if (hasChain) await walkChain(walk, token, address, admin);
  return admin;
}
