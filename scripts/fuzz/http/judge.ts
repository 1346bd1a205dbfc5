import { areaOf } from "../../../apps/server/src/kernel/http/request.ts";
import type { FuzzRequest } from "./requests.ts";

/** The checked parts of a reply. */
export interface Reply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Documented 5xx refusals that a client can cause on purpose. */
const DOCUMENTED: readonly { readonly status: number; readonly code: string; readonly path: RegExp }[] = [
  { status: 503, code: "WITHDRAWALS_PAUSED", path: /\/withdraw\/request/ },
  { status: 500, code: "TIER_NOT_CONFIGURED", path: /\/broker\// },
];

/** What no reply may contain: paths of sources, database messages, stacks. */
const LEAKS: readonly RegExp[] = [
  /node_modules/,
  /\.[cm]?[jt]s:\d+/,
  /\bat (?:async )?[\w.<>$]+ \(/,
  /FST_ERR/,
  /pglite/i,
  /syntax error at or near|invalid input syntax|violates (?:unique|foreign|not-null|check)|null value in column/i,
  /relation ".*" does not exist|invalid byte sequence|out of range for type/i,
  /\b(?:select|insert into|update|delete from) .{1,80} (?:from|values|set|where) /i,
  /\bbourse-(?:test|fuzz)-/,
  /Cannot read propert|is not a function|is not iterable|Maximum call stack/,
];

const MAX_SCANNED = 20_000;

/** Content types of pages: what a browser requests, and lists as comma-separated values. */
const OTHER_FORMS = /^(?:text\/(?:html|csv|plain|css|javascript)|image\/|font\/|application\/manifest)/;

type Shape = "fapi" | "json" | "rpc";

function shapeOf(request: FuzzRequest): Shape {
  const { operation, url, style } = request;
  if (operation.path === "/rpc" && style !== "path" && style !== "method") return "rpc";
  const isUnmatched = style === "path" || style === "method";
  return areaOf(isUnmatched ? undefined : operation.access, url) === "fapi" ? "fapi" : "json";
}

/** What is wrong with a body that does not have its area's form. */
function wrongForm(shape: Shape, url: string, body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "the body is no object";
  const has = body as Readonly<Record<string, unknown>>;
  if (shape === "rpc") {
    return has["jsonrpc"] === "2.0" && typeof has["error"] === "object" ? undefined : "no JSON-RPC error";
  }
  const allowed =
    shape === "fapi" ? ["code", "msg", "details"] : ["error", "code", "status", "exchange_code", "details"];
  const extra = Object.keys(has).filter((name) => !allowed.includes(name));
  if (extra.length > 0) return `it has ${extra.join(", ")} as well`;
  if (shape === "fapi") {
    const isCode = Number.isInteger(has["code"]) && (has["code"] as number) < 0;
    return isCode && typeof has["msg"] === "string" ? undefined : "no negative code with a msg";
  }
  if (typeof has["error"] !== "string" || has["error"] === "") return "no error text";
  // BON-1: the bonus program's reasons have the form of the interface.
  const form = /\/bonus\//.test(url) ? /^(?:[A-Z][A-Z0-9_]+|[a-z][a-z0-9_]+)$/ : /^[A-Z][A-Z0-9_]+$/;
  return form.test(String(has["code"])) ? undefined : `the code ${String(has["code"])} is none`;
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isDocumented(request: FuzzRequest, status: number, body: unknown): boolean {
  const code = (body as { readonly code?: unknown } | null)?.code;
  return DOCUMENTED.some((one) => one.status === status && one.code === code && one.path.test(request.url));
}

/** RPC errors that mean a fault of the chain itself. */
function chainFault(body: unknown): string | undefined {
  const replies = (Array.isArray(body) ? body : [body]) as readonly { error?: { code?: number; message?: string } }[];
  const fault = replies.find((one) => one?.error?.code === -32_603);
  return fault === undefined ? undefined : `the chain failed: ${fault.error?.message}`;
}

/** All problems of a reply; empty if it is correct. */
export function judge(request: FuzzRequest, reply: Reply): string[] {
  const { statusCode: status, headers, body: text } = reply;
  const problems: string[] = [];
  if (headers["x-request-id"] === undefined) problems.push("there is no x-request-id");
  const scanned = text.length > MAX_SCANNED ? text.slice(0, MAX_SCANNED) : text;
  const isAsset = request.url.startsWith("/app/") || /^\/+(?:docs|app)\b/.test(request.url);
  const leak = isAsset ? undefined : LEAKS.find((pattern) => pattern.test(scanned));
  if (leak !== undefined) problems.push(`the body says ${leak.exec(scanned)?.[0]}`);
  if (request.method === "HEAD" || status === 204) return problems;
  if (status >= 300 && status < 400) {
    return headers["location"] === undefined ? [...problems, `${status} to nowhere`] : problems;
  }
  const type = String(headers["content-type"] ?? "");
  const isJson = /^application\/json(?:;|$)/.test(type);
  // RUN-1: a server without a built web app reports it.
  if (isAsset && status === 503 && text.includes("The web app is not built")) return problems;
  if (!isJson) {
    if (status >= 400 || !OTHER_FORMS.test(type)) problems.push(`${status} with the content type "${type}"`);
    if (status >= 500) problems.push(`it was answered with ${status}`);
    return problems;
  }
  const json = parsed(text);
  if (json === undefined) return [...problems, "the body is no JSON"];
  if (status >= 500 && !isDocumented(request, status, json.value)) problems.push(`it was answered with ${status}`);
  const shape = shapeOf(request);
  if (status >= 400) {
    const wrong = wrongForm(shape, request.url, json.value);
    if (wrong !== undefined) problems.push(`${status} in the wrong form: ${wrong}`);
  }
  const fault = shape === "rpc" ? chainFault(json.value) : undefined;
  return fault === undefined ? problems : [...problems, fault];
}
