import { RequestRefused, ServerUnreachable } from "./refusals.ts";

export interface ClientOptions {
  /** Without a slash at the end; empty for the origin of the page. */
  readonly baseUrl: string;
  /** The access token of every call; read for each call, so that a refreshed token is used at once. */
  readonly accessToken?: () => string | undefined | Promise<string | undefined>;
  readonly fetch?: typeof globalThis.fetch;
}

/** The last argument of every method. Aborting a call that changes something leaves its outcome unknown. */
export interface ReadOptions {
  /** Rejects with the signal's reason once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Optional fields may also be undefined: they are not sent. */
export type Given<Request> = {
  readonly [Name in keyof Request]: Record<never, never> extends Pick<Request, Name>
    ? Request[Name] | undefined
    : Request[Name];
};

type Value = string | number | boolean | undefined;
/** The values of a query or a form; undefined ones are not sent. */
export type Values = { readonly [name: string]: Value };
type Writing = "POST" | "PUT" | "DELETE";

/** How the areas call the server. */
export interface Call {
  get<Reply>(path: string, query?: Values, options?: ReadOptions): Promise<Reply>;
  /** Downloads a text. */
  csv(path: string, query?: Values, options?: ReadOptions): Promise<string>;
  /** Sends a request with a JSON body. */
  send<Reply>(method: Writing, path: string, body?: object, options?: ReadOptions): Promise<Reply>;
  /** Sends a request of /fapi, whose parameters are a query or a form. */
  sendForm<Reply>(method: Writing, path: string, parameters: Values, options?: ReadOptions): Promise<Reply>;
}

/** One segment of a path. */
export const segment = (value: string | number): string => encodeURIComponent(value);

function encode(parameters: Values): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) encoded.set(name, String(value));
  return encoded.toString();
}

export const withQuery = (path: string, parameters: Values): string => {
  const query = encode(parameters);
  return query === "" ? path : `${path}?${query}`;
};

const mediaTypeOf = (response: Response) => response.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();

export function createCall({ baseUrl, accessToken, fetch = globalThis.fetch }: ClientOptions): Call {
  /** Resolves only with a reply of the server itself. */
  async function exchange<Reply>(
    path: string,
    init: RequestInit,
    { signal }: ReadOptions,
    read: (response: Response) => Promise<Reply>,
  ): Promise<Reply> {
    const token = await accessToken?.();
    const headers = { ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    let response: Response | undefined;
    try {
      response = await fetch(baseUrl + path, { ...init, headers, ...(signal ? { signal } : {}) });
      if (!response.ok) throw new RequestRefused(response.status, await response.json(), response.headers);
      return await read(response);
    } catch (error) {
      if (error instanceof RequestRefused) throw error;
      signal?.throwIfAborted();
      throw new ServerUnreachable(response?.status, error);
    }
  }

  const json = async <Reply>(path: string, init: RequestInit, options: ReadOptions = {}) =>
    (await exchange(path, init, options, (response) => response.json())) as Reply;

  async function readCsv(response: Response): Promise<string> {
    const mediaType = mediaTypeOf(response);
    if (mediaType !== "text/csv") throw new TypeError(`text/csv was expected instead of ${mediaType}`);
    return response.text();
  }

  return {
    get: (path, query = {}, options = {}) => json(withQuery(path, query), { method: "GET" }, options),
    csv: (path, query = {}, options = {}) => exchange(withQuery(path, query), { method: "GET" }, options, readCsv),
    send: (method, path, body, options) => {
      const content = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      return json(path, { method, ...(body === undefined ? {} : content) }, options);
    },
    sendForm: (method, path, parameters, options) => {
      if (method === "DELETE") return json(withQuery(path, parameters), { method }, options);
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return json(path, { method, headers, body: encode(parameters) }, options);
    },
  };
}
