import type { ApiKey, NewApiKey, NonceReply, Permission, TokenReply } from "./auth.ts";
import type {
  EarnDomainReply,
  EarnSubscription,
  EarnSubscriptionList,
  PreparedSubscription,
  ProductDetail,
  ProductList,
  ProductSolvency,
  ProductStatus,
} from "./earn.ts";
import type { AuditPage, ClockReply, Job, JobRun, PublicConfig, Readiness } from "./operations.ts";

/** A refusal as the client sees it: the status and the area's body. */
export class RequestRefused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const text = typeof body === "object" && body !== null && "error" in body ? String(body.error) : "no reason given";
    super(`${status}: ${text}`);
    this.name = "RequestRefused";
    this.status = status;
    this.body = body;
  }
}

/** Parameters that are given, as a query. */
function queryOf(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? "" : `?${query}`;
}

export interface ClientOptions {
  readonly baseUrl: string;
  /** The access token of every call; asked for anew each time, so that a refreshed one is used at once. */
  readonly accessToken?: () => string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

/** The typed client of the JSON areas, shared by the web app and the tests. */
export function createClient({ baseUrl, accessToken, fetch = globalThis.fetch }: ClientOptions) {
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const token = accessToken?.();
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const reply: unknown = await response.json();
    if (!response.ok) throw new RequestRefused(response.status, reply);
    return reply as T;
  }
  const segment = encodeURIComponent;

  return {
    config: () => call<PublicConfig>("GET", "/api/v1/config"),
    readiness: () => call<Readiness>("GET", "/readyz"),
    nonce: (address: string) => call<NonceReply>("POST", "/api/v1/auth/nonce", { address }),
    login: (message: string, signature: string) =>
      call<TokenReply>("POST", "/api/v1/auth/login", { message, signature }),
    staffLogin: (username: string, password: string) =>
      call<TokenReply>("POST", "/api/v1/broker/auth/login", { username, password }),
    refresh: (refresh_token: string) => call<TokenReply>("POST", "/api/v1/auth/refresh", { refresh_token }),
    logout: () => call<{ logged_out: true }>("POST", "/api/v1/auth/logout"),
    createApiKey: (request: {
      label: string;
      permissions: readonly Permission[];
      ip_whitelist?: readonly string[];
      expires_at?: string;
    }) => call<NewApiKey>("POST", "/api/v1/account/api-keys", request),
    apiKeys: () => call<ApiKey[]>("GET", "/api/v1/account/api-keys"),
    revokeApiKey: (api_key: string) =>
      call<{ api_key: string; revoked: true }>("DELETE", `/api/v1/account/api-keys/${segment(api_key)}`),
    auditLog: (before?: number) =>
      call<AuditPage>("GET", `/api/v1/admin/audit-log${before === undefined ? "" : `?before=${before}`}`),
    earnDomain: () => call<EarnDomainReply>("GET", "/earn/domain"),
    earnProducts: (query: { status?: ProductStatus; page?: number; page_size?: number } = {}) =>
      call<ProductList>("GET", `/earn/products${queryOf(query)}`),
    earnProduct: (id: string | number) => call<ProductDetail>("GET", `/earn/products/${segment(id)}`),
    earnSolvency: (id: string | number) => call<ProductSolvency>("GET", `/earn/products/${segment(id)}/solvency`),
    prepareSubscription: (product_id: string, amount: string) =>
      call<PreparedSubscription>("POST", "/earn/subscribe/prepare", { product_id, amount }),
    earnSubscriptions: (query: { page?: number; page_size?: number } = {}) =>
      call<EarnSubscriptionList>("GET", `/earn/subscriptions${queryOf(query)}`),
    earnSubscription: (id: string) => call<EarnSubscription>("GET", `/earn/subscriptions/${segment(id)}`),
    jobs: () => call<{ jobs: Job[] }>("GET", "/api/v1/admin/jobs"),
    advanceClock: (advance_ms: number) => call<ClockReply>("POST", "/api/v1/dev/clock", { advance_ms }),
    runJob: (name: string) => call<JobRun>("POST", `/api/v1/dev/jobs/${segment(name)}/run`),
  };
}

export type Client = ReturnType<typeof createClient>;
