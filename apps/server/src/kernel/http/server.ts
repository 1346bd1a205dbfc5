import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Settings } from "../../settings/settings.ts";
import { notFound } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type Random, randomAlphanumeric } from "../random.ts";
import { type Access, type Area, findAccess, type Principal } from "./access.ts";
import { BODY_LIMIT_BYTES, readFormBody, readJsonBody } from "./body.ts";
import { answerBrokenRequest } from "./broken-requests.ts";
import { fapiErrorReply, fapiRefusal, jsonErrorReply } from "./error-replies.ts";
import { createGuard, plainAddress } from "./guards.ts";
import type { Limits } from "./limits.ts";
import { FapiParameters } from "./parameters.ts";
import { createRateHooks } from "./rate-hooks.ts";
import { securityHeaders } from "./security-headers.ts";
import { acceptEverything, compileValidator } from "./validation.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** The client's address, the way limits and lists see it. */
    address: string;
    area: Area;
    /** The body's bytes as they were sent. */
    rawBody: Buffer;
    /** Who is calling; undefined on routes open to anyone. */
    principal: Principal | undefined;
    /** The parameters of an exchange-style request. */
    fapi: FapiParameters;
  }
}

export type App = FastifyInstance<
  import("fastify").RawServerDefault,
  import("fastify").RawRequestDefaultExpression,
  import("fastify").RawReplyDefaultExpression,
  import("fastify").FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Judges who is calling. `bearer` runs before the body is read, `signed` after it, both before validation. */
export interface Authenticator {
  bearer(request: FastifyRequest, access: Access): Promise<Principal | undefined>;
  signed(request: FastifyRequest, access: Access, rawQuery: string, rawBody: string): Principal;
}

export interface HttpServerOptions {
  readonly settings: Settings;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly policy: Readonly<Record<string, Access>>;
  readonly authenticator: Authenticator;
}

const NO_BODY = Buffer.alloc(0);

export function rawQueryOf(url: string): string {
  const start = url.indexOf("?");
  if (start === -1) return "";
  const query = url.slice(start + 1);
  // Node hands over bytes beyond ASCII one by one; a client that sent UTF-8 has signed it as UTF-8.
  return /[\x80-\xff]/.test(query) ? Buffer.from(query, "latin1").toString("utf8") : query;
}

const areaOf = (request: FastifyRequest): Area =>
  request.routeOptions.config.access?.area ?? (request.url.startsWith("/fapi") ? "fapi" : "json");

/** While the server closes, a kept-alive connection is let go as soon as its last reply has left. */
function closeConnectionsAsTheyFallIdle(app: App): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook("preClose", (done) => {
    timer = setInterval(() => app.server.closeIdleConnections(), 50);
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** Builds the HTTP server without any route of the product: hooks, limits, error bodies, headers. */
export async function createHttpServer(options: HttpServerOptions): Promise<App> {
  const { settings, metrics, policy, authenticator, random } = options;
  const idPrefix = randomAlphanumeric(random, 8);
  let requestCount = 0;
  const app: App = fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 200 },
    trustProxy: !settings.trustProxy.isEmpty && ((address: string) => settings.trustProxy.has(address)),
    genReqId: () => `${idPrefix}-${(requestCount++).toString(36)}`,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  const guard = createGuard(settings);
  const rate = createRateHooks(options.limits, metrics);

  app.decorateRequest("address", "");
  app.decorateRequest("area", "json");
  app.decorateRequest("rawBody");
  app.decorateRequest("principal", undefined);
  app.decorateRequest("fapi");
  app.setValidatorCompiler(compileValidator as never);

  const headers = securityHeaders(settings.environment === "production");
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) {
      const access = findAccess(policy, method, route.url);
      if (!access) throw new Error(`the route ${method} ${route.url} has no row in the policy table`);
      route.config = { ...route.config, access };
      if (access.area === "fapi") route.validatorCompiler = acceptEverything as never;
    }
    if (route.url.startsWith("/docs")) route.helmet = headers.docs;
    if (route.url.startsWith("/app")) route.helmet = headers.app;
  });

  app.addHook("onRequest", (request, reply, done) => {
    request.address = plainAddress(request.ip);
    request.area = areaOf(request);
    request.rawBody = NO_BODY;
    reply.header("x-request-id", request.id);
    guard(request.address, request.headers.host ?? "", request.url);
    done();
  });
  await app.register(helmet, headers.api);
  await app.register(cors, {
    origin: [settings.publicUrl, ...settings.corsOrigins],
    exposedHeaders: ["x-request-id", "retry-after", "x-mbx-used-weight-1m"],
    maxAge: 600,
  });
  app.addHook("onRequest", async (request, reply) => {
    await rate.beforeRoute(request, reply);
    const access = request.routeOptions.config.access;
    if (!access || access.allow === "anyone") return;
    request.principal = await authenticator.bearer(request, access);
    await rate.afterBearer(request);
  });

  // Bodies are kept as bytes and read only after authentication, so that a stranger learns nothing from a 400.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    request.rawBody = body as Buffer;
    done(null, undefined);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    const contentType = request.headers["content-type"];
    if (request.area === "fapi") {
      const rawQuery = rawQueryOf(request.url);
      const rawBody = request.rawBody.length === 0 ? "" : request.rawBody.toString("utf8");
      if (access?.apiKey && !request.principal) {
        request.principal = authenticator.signed(request, access, rawQuery, rawBody);
      }
      request.fapi = new FapiParameters(rawQuery, readFormBody(request.rawBody, contentType));
    } else if (request.method !== "GET") {
      request.body = readJsonBody(request.rawBody, contentType);
    }
    done();
  });

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const mapped = request.area === "fapi" ? fapiErrorReply(error) : jsonErrorReply(error);
    if (mapped.isUnforeseen) {
      options.log.error({ err: error, request_id: request.id, method: request.method, url: request.url.split("?")[0] });
    }
    if (mapped.retryAfter_s !== undefined) reply.header("retry-after", mapped.retryAfter_s);
    return reply
      .code(mapped.status)
      .type("application/json; charset=utf-8")
      .serializer(JSON.stringify)
      .send(mapped.body);
  }
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request) => {
    if (request.area === "fapi") throw fapiRefusal("UNSUPPORTED", { msg: "This path does not exist." });
    throw notFound(`${request.method} ${request.url.split("?")[0]} does not exist`);
  });

  closeConnectionsAsTheyFallIdle(app);
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unmatched";
    metrics.httpDuration.observe(
      { method: request.method, route, status: String(reply.statusCode) },
      reply.elapsedTime / 1000,
    );
    done();
  });
  return app;
}
