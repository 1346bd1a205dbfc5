import type { Prng } from "../../../packages/engine/src/book/testing/prng.ts";
import { badText, badValue, encoded } from "./bad-values.ts";
import type { GoodValues } from "./good-values.ts";
import { jsonText, plainText } from "./json-text.ts";
import type { Operation } from "./operations.ts";
import { rpcBody } from "./rpc-requests.ts";
import { ACTORS, type Actor, HOST, type World } from "./world.ts";

/** A request as it is sent, and how it was made. */
export interface FuzzRequest {
  readonly operation: Operation;
  readonly actor: Actor;
  /** Whether the route's access allows this actor. */
  readonly isAllowed: boolean;
  /** What was changed in it. */
  readonly style: Style;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer | undefined;
}

const STYLES = [
  ["valid", 15],
  ["values", 60],
  ["body", 10],
  ["headers", 7],
  ["path", 4],
  ["method", 4],
] as const;
export type Style = (typeof STYLES)[number][0];

/** A request before it is sent; every style spoils another part of it. */
interface Draft {
  method: string;
  path: string;
  query: string;
  form: string;
  body: string | Buffer | undefined;
  headers: Record<string, string>;
}

const OTHER_METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND"];

const CONTENT_TYPES = [
  ...["", "text/plain", "application/xml", "application/json; charset=utf-16", "application/json; charset=latin1"],
  ...["multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded", "application/jso"],
  ...["APPLICATION/JSON", "application/json;;;=", "application/json, text/plain", "x".repeat(1_000), "*/*"],
];

const HEADERS: readonly (readonly [string, string])[] = [
  ...(
    ["", "x", "Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "Basic YTpi", "bearer null", "Bearer ....."] as const
  ).map((value) => ["authorization", value] as const),
  ["authorization", `Bearer ${"x".repeat(5_000)}`],
  ["authorization", `Bearer eyJhbGciOiJub25lIn0.${"A".repeat(50)}.`],
  ...["", "x", "k".repeat(64), "K".repeat(65), "__proto__", "é"].map((value) => ["x-mbx-apikey", value] as const),
  ...["", "x", "a".repeat(64), "__proto__"].map((value) => ["x-bonus-admin-key", value] as const),
  ["host", "rebind.example"],
  ["host", ""],
  ["origin", "https://elsewhere.example"],
  ["origin", "null"],
  ["x-forwarded-for", "203.0.113.9, ::1, '; --"],
  ["x-request-id", "mine\u007f"],
  ["content-encoding", "gzip"],
  ["transfer-encoding", "chunked"],
  ["expect", "100-continue"],
  ["accept", "text/html"],
  ["accept-encoding", "*;q=0"],
  ["if-none-match", "*"],
  ["range", "bytes=0-1"],
  ["cookie", "a=b; __proto__=c"],
  ["upgrade", "websocket"],
  ["x-http-method-override", "DELETE"],
];

export function isAllowed({ access }: Operation, actor: Actor): boolean {
  if (access.allow === "anyone") return true;
  if (actor === "key") return access.apiKey !== undefined;
  if (actor === "bonus") return access.bonusKey === true;
  return actor !== "nobody" && access.allow.includes(actor);
}

function styleOf(prng: Prng): Style {
  let dice = prng.below(100);
  for (const [style, share] of STYLES) {
    if (dice < share) return style;
    dice -= share;
  }
  return "values";
}

/** Makes requests to the world's routes: valid ones, and valid ones with one part spoiled. */
export class RequestMaker {
  readonly #world: World;
  readonly #good: GoodValues;

  constructor(world: World, good: GoodValues) {
    this.#world = world;
    this.#good = good;
  }

  /** The first request to a route is valid, so that its handler runs. */
  make(operation: Operation, prng: Prng, isFirst = false): FuzzRequest {
    const style = isFirst ? "values" : styleOf(prng);
    const welcome = ACTORS.filter((one) => isAllowed(operation, one));
    const actor = isFirst || prng.isIn(75) ? prng.pick(welcome) : prng.pick(ACTORS);
    const draft = this.#draft(operation, style === "values" ? prng.between(1, 3) : 0, prng);
    if (style === "body") spoilBody(draft, operation, prng);
    if (style === "path") spoilPath(draft, prng);
    if (style === "method") draft.method = prng.pick(OTHER_METHODS);
    this.#identify(draft, operation, actor, style === "headers", prng);
    const text = typeof draft.body === "string" ? Buffer.from(draft.body, "utf8") : draft.body;
    const payload = text ?? (draft.form === "" ? undefined : Buffer.from(draft.form, "utf8"));
    const url = draft.query === "" ? draft.path : `${draft.path}?${draft.query}`;
    const { method, headers } = draft;
    return { operation, actor, isAllowed: isAllowed(operation, actor), style, method, url, headers, payload };
  }

  #draft(operation: Operation, spoilt: number, prng: Prng): Draft {
    const good = this.#good;
    const values = good.query(operation, prng);
    const inPath = new Map(operation.inPath.map((one) => [one.name, good.parameter(operation, one, prng)]));
    const body = good.body(operation, prng);
    const places = [...operation.query.map(({ name }) => ["query", name] as const)];
    const all = [
      ...places,
      ...[...inPath.keys()].map((name) => ["path", name] as const),
      ...Object.keys(operation.body?.properties ?? {}).map((name) => ["body", name] as const),
    ];
    const chosen = Array.from({ length: spoilt }, () =>
      prng.pick(all.length === 0 ? [["query", "extra"] as const] : all),
    );
    const draft: Draft = { method: operation.method, path: "", query: "", form: "", body: undefined, headers: {} };
    for (const [place, name] of chosen) {
      if (place === "path") inPath.set(name, badText(prng));
      if (place === "body" && body !== undefined) spoilMember(body, name, prng);
    }
    const spoiltIn = (part: string) => new Set(chosen.flatMap(([place, name]) => (place === part ? [name] : [])));
    const { path, alias } = operation;
    draft.path = (alias !== undefined && prng.isIn(30) ? alias : path).replace(/\{(\w+)\}/g, (_, name: string) => {
      const text = plainText(inPath.get(name));
      return spoiltIn("path").has(name) ? encoded(prng, text) : encodeURIComponent(text);
    });
    writeParameters(draft, operation, values, spoiltIn("query"), prng);
    if (operation.path === "/rpc") draft.body = rpcBody(prng, spoilt > 0);
    else if (body !== undefined) draft.body = jsonText(body);
    if (draft.body !== undefined) draft.headers["content-type"] = "application/json";
    else if (draft.form !== "") draft.headers["content-type"] = "application/x-www-form-urlencoded";
    return draft;
  }

  /** Runs last, because a signature covers what is sent. */
  #identify(draft: Draft, operation: Operation, actor: Actor, isSpoilt: boolean, prng: Prng): void {
    const world = this.#world;
    const { headers } = draft;
    headers["host"] = HOST;
    // Sign-outs use a spare actor, so that the others stay signed in.
    const isLeaving = operation.path.endsWith("/auth/logout");
    if (actor === "wallet") {
      const name = isLeaving ? "spare wallet" : prng.pick(["trader", "trader", "kol", "customer"] as const);
      headers["authorization"] = `Bearer ${world.token(name)}`;
    }
    if (actor === "bd" || actor === "admin") {
      headers["authorization"] = `Bearer ${world.token(isLeaving ? `spare ${actor}` : actor)}`;
    }
    if (actor === "bonus") headers["x-bonus-admin-key"] = world.platform.settings.bonusAdminApiKey;
    if (actor === "key") this.#sign(draft, isSpoilt && prng.isIn(50), prng);
    if (!isSpoilt) return;
    const [name, value] = prng.pick(HEADERS);
    headers[name] = value;
    if (operation.method !== "GET" && prng.isIn(30)) headers["content-type"] = prng.pick(CONTENT_TYPES);
  }

  #sign(draft: Draft, isSpoilt: boolean, prng: Prng): void {
    const { pools, key } = this.#world;
    draft.headers["x-mbx-apikey"] = key.api_key;
    const now = this.#world.platform.clock.now();
    const stamp = isSpoilt ? encoded(prng, badText(prng).slice(0, 500)) : String(now);
    const window = prng.isIn(20)
      ? `&recvWindow=${isSpoilt ? encodeURIComponent(badText(prng).slice(0, 500).toWellFormed()) : 5_000}`
      : "";
    draft.query = `${draft.query === "" ? "" : `${draft.query}&`}timestamp=${stamp}${window}`;
    pools.now_ms = now;
    const body = typeof draft.body === "string" ? draft.body : draft.form;
    const signature = isSpoilt && prng.isIn(50) ? badText(prng).slice(0, 200) : this.#world.sign(draft.query + body);
    draft.query = `${draft.query}&signature=${encodeURIComponent(signature.toWellFormed())}`;
  }
}

/** Removes the member, changes its type, or replaces its value. */
function spoilMember(body: Record<string, unknown>, name: string, prng: Prng): void {
  if (prng.isIn(12)) delete body[name];
  else body[name] = badValue(prng, body[name]);
}

/** On /fapi, requests other than GET may have their parameters in a form, in the query, or in both. */
function writeParameters(
  draft: Draft,
  operation: Operation,
  values: ReadonlyMap<string, unknown>,
  spoilt: ReadonlySet<string>,
  prng: Prng,
): void {
  const query: string[] = [];
  const form: string[] = [];
  const mayForm = operation.isFapi && operation.method !== "GET";
  for (const name of new Set([...values.keys(), ...spoilt])) {
    const pair = spoilt.has(name)
      ? spoiltPair(name, values.get(name), prng)
      : `${name}=${encodeURIComponent(plainText(values.get(name)).toWellFormed())}`;
    (mayForm && prng.isIn(50) ? form : query).push(pair);
  }
  draft.query = query.join("&");
  draft.form = form.join("&");
}

function spoiltPair(name: string, good: unknown, prng: Prng): string {
  const bad = encoded(prng, prng.isIn(20) ? plainText(badValue(prng, good)) : badText(prng));
  return prng.pick([
    ...Array.from({ length: 12 }, () => `${name}=${bad}`),
    `${name}=${bad}&${name}=${encodeURIComponent(plainText(good ?? "").toWellFormed())}`,
    `${name}=`,
    name,
    `${name}[]=${bad}`,
    `${name}[a]=${bad}&${name}[b]=1`,
    `${name.toUpperCase()}=${bad}`,
    `=${bad}&&&`,
    `__proto__=${bad}&constructor[prototype]=1`,
    "",
  ]);
}

const DEEP = [200, 5_000, 100_000];

function spoilBody(draft: Draft, operation: Operation, prng: Prng): void {
  const text = typeof draft.body === "string" ? draft.body : "{}";
  const deep = prng.pick(DEEP);
  const first = Object.keys(operation.body?.properties ?? { a: 0 })[0] ?? "a";
  const bodies: readonly (() => string | Buffer)[] = [
    () => text.slice(0, prng.below(text.length)),
    () => `${text}${prng.pick(["}", "x", "{}", "\u0000", ",", "]"])}`,
    () => prng.pick(["", "null", "[]", "1", '"x"', "true", " ", "\n", "{", "}", "{]", '{"a"}', "{'a':1}", "[[]]"]),
    () => "[".repeat(deep),
    () => `${"[".repeat(deep)}${"]".repeat(deep)}`,
    () => `{${JSON.stringify(first)}:${"[".repeat(deep)}${"]".repeat(deep)}}`,
    () => `${'{"a":'.repeat(deep / 4)}1${"}".repeat(deep / 4)}`,
    () => `\ufeff${text}`,
    () => Buffer.from(text, "utf16le"),
    () => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from("}")]),
    () => `{"__proto__":{"role":"admin"},${text.slice(1)}`,
    () => `{"constructor":{"prototype":{"role":"admin"}},${text.slice(1)}`,
    () => `{${JSON.stringify(first)}:1,${text.slice(1)}`,
    () => `${text.slice(0, -1)}${text === "{}" ? "" : ","}${JSON.stringify(first)}:"twice"}`,
    () => `{"unknown":"${"x".repeat(300_000)}"}`,
    () => `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":${at}`).join(",")}}`,
    () => `${" ".repeat(100_000)}${text}`,
    () => "a=1&b=2",
    () => "<a/>",
    () => Buffer.from(Array.from({ length: 200 }, () => prng.below(256))),
  ];
  draft.body = prng.pick(bodies)();
  draft.headers["content-type"] = prng.isIn(80) && !operation.isFapi ? "application/json" : prng.pick(CONTENT_TYPES);
}

function spoilPath(draft: Draft, prng: Prng): void {
  const { path } = draft;
  const cut = path.lastIndexOf("/");
  draft.path = prng.pick([
    `${path}/`,
    `/${path}`,
    `${path}/..`,
    `${path}/../../app/index.html`,
    `${path.slice(0, cut)}/%2e%2e${path.slice(cut)}`,
    `${path.slice(0, cut)}/..%2f..%5c${path.slice(cut + 1)}`,
    `${path}%00`,
    `${path}%ff`,
    `${path};a=b`,
    `${path}/extra/${encoded(prng, badText(prng).slice(0, 300))}`,
    path.toUpperCase(),
    path.replaceAll("/", "//"),
    `${path.slice(0, cut)}%2F${path.slice(cut + 1)}`,
    `${path}${"x".repeat(3_000)}`,
    `/app/${encoded(prng, badText(prng).slice(0, 300))}`,
    `${path}#fragment`,
    `${path.slice(0, -1)}%${path.slice(-1).charCodeAt(0).toString(16)}`,
  ]);
}
