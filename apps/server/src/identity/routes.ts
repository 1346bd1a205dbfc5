import {
  ApiKey,
  ApiKeyRequest,
  LoginRequest,
  LogoutReply,
  NewApiKey,
  NonceReply,
  NonceRequest,
  RefreshRequest,
  RevokedApiKey,
  StaffLoginRequest,
  TokenReply,
} from "@bourse/api";
import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { ApiError, forbidden, unauthorized } from "../kernel/errors.ts";
import { anyone, signedIn, wallet } from "../kernel/http/access.ts";
import type { App } from "../kernel/http/app.ts";
import type { Limits } from "../kernel/http/limits.ts";
import type { Identity } from "./identity.ts";

const signInTags = ["Sign-in"];
const keyTags = ["API keys"];

/** The wallet behind a request to a route that is open to wallets. */
function walletOf(request: FastifyRequest): string {
  if (request.principal?.kind !== "wallet") throw forbidden("this is open to wallets only");
  return request.principal.address;
}

function sessionOf(request: FastifyRequest): string {
  const { principal } = request;
  if (!principal || principal.kind === "bonus-admin" || principal.sessionId === undefined) throw unauthorized();
  return principal.sessionId;
}

/** Who asked, for the audit log. */
const originOf = (request: FastifyRequest) => ({ ip: request.address, request_id: request.id });

export function registerIdentityRoutes(app: App, { identity, limits }: { identity: Identity; limits: Limits }): void {
  const { nonces, walletSignIn, staff, sessions, apiKeys } = identity;

  /** SEC-10: an address that keeps failing to sign in has to wait, before its next guess is looked at. */
  async function guessing<T>(request: FastifyRequest, attempt: () => Promise<T>): Promise<T> {
    const budget = await limits.failedLogins.peek(request.address);
    if (!budget.isWithin) {
      throw new ApiError(429, "RATE_LIMITED", "too many failed sign-ins; wait a little", {
        retryAfter_s: Math.max(1, Math.ceil(budget.windowLeft_ms / 1000)),
      });
    }
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ApiError) await limits.failedLogins.take(request.address, 1);
      throw error;
    }
  }

  app.post(
    "/api/v1/auth/nonce",
    {
      config: { access: anyone, client: "auth.nonce(address)" },
      schema: {
        tags: signInTags,
        summary: "Ask for a nonce to sign in with a wallet",
        description: "The nonce works once, within five minutes, for this address.",
        body: NonceRequest,
        response: { 200: NonceReply },
      },
    },
    ({ body }) => nonces.issue(body.address),
  );

  app.post(
    "/api/v1/auth/login",
    {
      config: { access: anyone, client: "auth.login(message, signature)" },
      schema: {
        tags: signInTags,
        summary: "Sign in with a wallet (EIP-4361)",
        body: LoginRequest,
        response: { 200: TokenReply },
      },
    },
    (request) => guessing(request, () => walletSignIn.login({ ...request.body, ...originOf(request) })),
  );

  app.post(
    "/api/v1/broker/auth/login",
    {
      config: { access: anyone, client: "auth.staffLogin(username, password)" },
      schema: {
        tags: signInTags,
        summary: "Sign in as admin or BD",
        description: "Five failures lock the name for 15 minutes.",
        body: StaffLoginRequest,
        response: { 200: TokenReply },
      },
    },
    (request) => guessing(request, () => staff.login({ ...request.body, ...originOf(request) })),
  );

  app.post(
    "/api/v1/auth/refresh",
    {
      config: { access: anyone, client: "auth.refresh(refresh_token)" },
      schema: {
        tags: signInTags,
        summary: "Exchange a refresh token for new tokens",
        description: "A refresh token works once. Using it again ends the whole session.",
        body: RefreshRequest,
        response: { 200: TokenReply },
      },
    },
    (request) => guessing(request, () => sessions.refresh(request.body.refresh_token, originOf(request))),
  );

  app.post(
    "/api/v1/auth/logout",
    {
      config: { access: signedIn, client: "auth.logout" },
      schema: { tags: signInTags, summary: "End the session at once", response: { 200: LogoutReply } },
    },
    async (request) => {
      await sessions.logout(sessionOf(request));
      return { logged_out: true as const };
    },
  );

  for (const prefix of ["/api/v1", ""]) registerApiKeyRoutes(app, prefix, apiKeys);
}

/** SEC-4, under /api/v1 and, as an alias, at the root (T12). */
function registerApiKeyRoutes(app: App, prefix: string, apiKeys: Identity["apiKeys"]): void {
  const hide = prefix === "";

  app.post(
    `${prefix}/account/api-keys`,
    {
      config: { access: wallet, client: "account.createApiKey" },
      schema: {
        hide,
        tags: keyTags,
        summary: "Create an API key",
        description: "The secret is shown in this reply and never again.",
        body: ApiKeyRequest,
        response: { 200: NewApiKey },
      },
    },
    (request) => apiKeys.create({ ...request.body, wallet: walletOf(request) }, originOf(request)),
  );

  app.get(
    `${prefix}/account/api-keys`,
    {
      config: { access: wallet, client: "account.apiKeys" },
      schema: {
        hide,
        tags: keyTags,
        summary: "List own API keys",
        response: { 200: Type.Array(ApiKey) },
      },
    },
    (request) => apiKeys.list(walletOf(request)),
  );

  app.delete(
    `${prefix}/account/api-keys/:api_key`,
    {
      config: { access: wallet, client: "account.revokeApiKey" },
      schema: {
        hide,
        tags: keyTags,
        summary: "Revoke an API key at once",
        params: Type.Object({ api_key: Type.String() }),
        response: { 200: RevokedApiKey },
      },
    },
    async (request) => {
      const { api_key } = request.params;
      await apiKeys.revoke(walletOf(request), api_key, originOf(request));
      return { api_key, revoked: true as const };
    },
  );
}
