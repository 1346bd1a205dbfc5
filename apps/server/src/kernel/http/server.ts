import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Settings } from "../../settings/settings.ts";
import { notFound } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type Random, randomAlphanumeric } from "../random.ts";
import { type Access, type Area, findAccess, type Principal } from "./access.ts";
import { BODY_LIMIT_BYTES, checkFormType, readJsonBody } from "./body.ts";
import { answerBrokenRequest } from "./broken-requests.ts";
import { createCors } from "./cors.ts";
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
    /** The route's pattern, for metrics. */
    route: string;
    /** The route's row of the policy table; undefined where no route matches. */
    access: Access | undefined;
    /** The client's address, the way limits and lists see it. */
    address: string;
    area: Area;
    /** The body's bytes as they were sent, and what the sender says they are. */
    rawBody: Buffer;
    contentType: string | undefined;
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
  /** Whether the request comes to be judged by its signature; what is no bearer request is, where that is allowed. */
  isSigned(request: FastifyRequest, access: Access): boolean;
  bearer(request: FastifyRequest, access: Access): Promise<Principal>;
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

const areaOf = (access: Access | undefined, url: string): Area =>
  access?.area ?? (url.startsWith("/fapi") ? "fapi" : "json");

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

  app.decorateRequest("route", "unmatched");
  app.decorateRequest("access", undefined);
  app.decorateRequest("address", "");
  app.decorateRequest("area", "json");
  app.decorateRequest("rawBody");
  app.decorateRequest("contentType", undefined);
  app.decorateRequest("principal", undefined);
  app.decorateRequest("fapi");
  app.setValidatorCompiler(compileValidator as never);

  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) {
      const access = findAccess(policy, method, route.url);
      if (!access) throw new Error(`the route ${method} ${route.url} has no row in the policy table`);
      route.config = { ...route.config, access };
      if (access.area === "fapi") route.validatorCompiler = acceptEverything as never;
    }
  });

  const headers = securityHeaders(settings.environment === "production");
  const headersFor = (request: FastifyRequest) => {
    if (request.area === "fapi") return headers.fapi;
    if (request.area !== "open") return headers.json;
    if (request.url.startsWith("/app")) return headers.app;
    return request.url.startsWith("/docs") ? headers.docs : headers.json;
  };
  const cors = createCors([settings.publicUrl, ...settings.corsOrigins]);
  app.addHook("onRequest", (request, reply, done) => {
    request.address = plainAddress(request.ip);
    // Kept on the request: the framework builds its answer to this question anew each time it is asked.
    const { url, config } = request.routeOptions;
    request.route = url ?? "unmatched";
    request.access = config.access;
    request.area = areaOf(request.access, request.url);
    request.rawBody = NO_BODY;
    // Taken away from the framework, which would refuse or interpret it before anyone knows who is calling.
    request.contentType = request.headers["content-type"];
    delete request.raw.headers["content-type"];
    reply.headers(headersFor(request));
    reply.header("x-request-id", request.id);
    guard(request.address, request.headers.host ?? "", request.url);
    if (!cors(request, reply)) done();
  });
  app.options("*", { schema: { hide: true } }, () => {
    throw notFound("nothing answers to OPTIONS here but a browser's preflight");
  });
  app.addHook("onRequest", (request, reply, done) => {
    const counted = rate.beforeRoute(request, reply);
    if (counted) counted.then(() => done(), done);
    else done();
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const { access } = request;
    if (!access || access.allow === "anyone" || authenticator.isSigned(request, access)) done();
    else identify(request, access).then(() => done(), done);
  });

  async function identify(request: FastifyRequest, access: Access): Promise<void> {
    request.principal = await authenticator.bearer(request, access);
    await rate.afterBearer(request);
  }

  // Bodies are kept as bytes and read only after authentication, so that a stranger learns nothing from a 400.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    request.rawBody = body as Buffer;
    done(null, undefined);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.area === "fapi") {
      const { access } = request;
      const rawQuery = rawQueryOf(request.url);
      const rawBody = request.rawBody.length === 0 ? "" : request.rawBody.toString("utf8");
      if (access?.apiKey && !request.principal) {
        request.principal = authenticator.signed(request, access, rawQuery, rawBody);
      }
      checkFormType(rawBody, request.contentType);
      request.fapi = new FapiParameters(rawQuery, rawBody);
    } else if (request.method !== "GET") {
      request.body = readJsonBody(request.rawBody, request.contentType);
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
    metrics.requestDurations.observe(request.method, request.route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  return app;
}
