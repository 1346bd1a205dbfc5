import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { Settings } from "../../settings/settings.ts";
import { ApiError, badRequest, notFound } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type Random, randomAlphanumeric } from "../random.ts";
import { type Access, findAccess, type Principal } from "./access.ts";
import type { App } from "./app.ts";
import { BODY_LIMIT_BYTES, checkFormType, readJsonBody } from "./body.ts";
import { answerBrokenRequest, answerExpectation } from "./broken-requests.ts";
import { createCors } from "./cors.ts";
import { fapiErrorReply, fapiRefusal, jsonErrorReply } from "./error-replies.ts";
import { createGuard, plainAddress } from "./guards.ts";
import type { Limits } from "./limits.ts";
import { FapiParameters } from "./parameters.ts";
import { createRateHooks } from "./rate-hooks.ts";
import { areaOf, decorateRequests, rawQueryOf } from "./request.ts";
import { securityHeaders } from "./security-headers.ts";
import { acceptEverything, compileValidator } from "./validation.ts";

/** Judges who is calling. `bearer` runs before the body is read, `signed` after it, both before validation. */
export interface Authenticator {
  /** Whether the request is to be judged by its signature; what is no bearer request is, where that is allowed. */
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
  /** WIRE-1: keys of the platform's own bots. */
  readonly hasRaisedLimits?: (apiKey: string) => boolean;
  /** Where other processes change what this one reads: waits until it has heard of all that clients were told. */
  readonly beforeHandling?: () => Promise<void> | undefined;
  /** Where another process answers what this one does not: what is found nowhere here, and these routes. */
  readonly forward?: {
    readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
    readonly isForwarded: (path: string) => boolean;
  };
}

type RateHooks = ReturnType<typeof createRateHooks>;

const NO_BODY = Buffer.alloc(0);

/** SEC-6: a route without a row in the policy table cannot be registered. */
function requirePolicyRows(app: App, policy: HttpServerOptions["policy"]): void {
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) {
      const access = findAccess(policy, method, route.url);
      if (!access) throw new Error(`the route ${method} ${route.url} has no row in the policy table`);
      route.config = { ...route.config, access };
      if (access.area === "fapi") route.validatorCompiler = acceptEverything as never;
    }
  });
}

/** First on every request: whose route it is, what leaves with every reply, and what is not served at all. */
function openRequests(app: App, settings: Settings): void {
  const guard = createGuard(settings);
  const cors = createCors([settings.publicUrl, ...settings.corsOrigins]);
  const headers = securityHeaders(settings);
  const headersFor = ({ area, url }: FastifyRequest) => {
    if (area === "fapi") return headers.fapi;
    if (area !== "open") return headers.json;
    if (url.startsWith("/app")) return headers.app;
    return url.startsWith("/docs") ? headers.docs : headers.json;
  };

  app.addHook("onRequest", (request, reply, done) => {
    request.arrived_ms = performance.now();
    // Asked once: the framework builds its answer anew each time.
    const { url, config } = request.routeOptions;
    request.route = url ?? "unmatched";
    request.access = config.access;
    request.area = areaOf(request.access, request.url);
    request.address = plainAddress(request.ip);
    request.rawBody = NO_BODY;
    // Hidden from the framework, which would refuse or interpret it before anyone knows who is calling.
    const incoming = request.raw.headers;
    request.contentType = incoming["content-type"];
    incoming["content-type"] = undefined;
    reply.headers(headersFor(request));
    reply.header("x-request-id", request.id);
    const isHostMissing = incoming.host === undefined && request.raw.httpVersion === "1.1";
    if (isHostMissing) throw badRequest("the Host header is missing");
    guard(request.address, incoming.host ?? "", request.url);
    if (!cors(request, reply)) done();
  });
  app.options("*", { schema: { hide: true } }, () => {
    throw notFound("nothing answers to OPTIONS here but a browser's preflight");
  });
}

/** Then: has the address a budget left, and does the token open the route? */
function limitAndIdentify(app: App, rate: RateHooks, authenticator: Authenticator): void {
  async function identify(request: FastifyRequest, access: Access): Promise<void> {
    try {
      request.principal = await authenticator.bearer(request, access);
    } catch (error) {
      // FUT-16: the rate is judged before the key, and a stranger's body is not waited for.
      if (rate.isOverWeight(request)) await rate.judgeOverWeight(request, rawQueryOf(request.url), "");
      throw error;
    }
    await rate.afterBearer(request);
  }

  app.addHook("onRequest", (request, reply, done) => rate.beforeRoute(request, reply, done));
  app.addHook("onRequest", (request, _reply, done) => {
    const { access } = request;
    if (!access || access.allow === "anyone" || authenticator.isSigned(request, access)) done();
    else identify(request, access).then(() => done(), done);
  });
}

/** Who signed an exchange-style request, and its parameters. */
function readFapi(request: FastifyRequest, rawQuery: string, rawBody: string, authenticator: Authenticator): void {
  const { access } = request;
  if (access?.apiKey && !request.principal) {
    request.principal = authenticator.signed(request, access, rawQuery, rawBody);
  }
  checkFormType(rawBody, request.contentType);
  request.fapi = new FapiParameters(rawQuery, rawBody);
}

/** VLT-1: who signed a request of the JSON areas, where a key opens the route. The body is signed as it was sent. */
function identifySigned(request: FastifyRequest, authenticator: Authenticator): void {
  const { access, rawBody, principal, url } = request;
  if (access?.apiKey === undefined || principal) return;
  request.principal = authenticator.signed(request, access, rawQueryOf(url), rawBody.toString("utf8"));
}

/** Bodies are kept as bytes and read only after authentication, so that a stranger learns nothing from a 400. */
function readBodies(app: App, rate: RateHooks, authenticator: Authenticator): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    request.rawBody = body as Buffer;
    done(null, undefined);
  });
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.area === "fapi") {
      const rawQuery = rawQueryOf(request.url);
      const rawBody = request.rawBody.length === 0 ? "" : request.rawBody.toString("utf8");
      const read = () => readFapi(request, rawQuery, rawBody, authenticator);
      if (rate.isOverWeight(request)) {
        const judged = rate.judgeOverWeight(request, rawQuery, rawBody).then(read);
        judged.then(() => done(), done);
        return;
      }
      read();
    } else {
      identifySigned(request, authenticator);
      const isJson = request.method !== "GET" && request.access?.readsBody !== "itself";
      if (isJson) request.body = readJsonBody(request.rawBody, request.contentType);
    }
    done();
  });
}

/** Reads follow writes, whichever process took the write. Pages, health and the like have nothing to wait for. */
function holdUntil(app: App, isReady: () => Promise<void> | undefined): void {
  app.addHook("preHandler", async (request) => {
    if (request.area === "open") return;
    try {
      await isReady();
    } catch {
      if (request.area === "fapi") throw fapiRefusal("SERVICE_UNAVAILABLE");
      throw new ApiError(503, "SERVICE_UNAVAILABLE", "this part of the platform is out of touch; try again");
    }
  });
}

/** Turns whatever was thrown into the body of the request's area. */
function createErrorSender(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // A request the framework could not even route has been through no hook yet.
    const mapped = areaOf(request.access, request.url) === "fapi" ? fapiErrorReply(error) : jsonErrorReply(error);
    if (mapped.isUnforeseen) {
      log.error({ err: error, request_id: request.id, method: request.method, url: request.url.split("?")[0] });
    }
    reply.header("x-request-id", request.id);
    if (mapped.retryAfter_s !== undefined) reply.header("retry-after", mapped.retryAfter_s);
    reply.code(mapped.status).type("application/json; charset=utf-8").serializer(JSON.stringify);
    return reply.send(mapped.body);
  };
}

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
export function createHttpServer(options: HttpServerOptions): App {
  const { settings, metrics, random } = options;
  const idPrefix = randomAlphanumeric(random, 8);
  const sendError = createErrorSender(options.log);
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
    // Refused below, in the words of its area: the platform's own refusal has no body.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.server.on("checkExpectation", answerExpectation);
  decorateRequests(app);
  app.setValidatorCompiler(compileValidator as never);
  requirePolicyRows(app, options.policy);
  openRequests(app, settings);
  const rate = createRateHooks(options);
  limitAndIdentify(app, rate, options.authenticator);
  readBodies(app, rate, options.authenticator);
  if (options.beforeHandling !== undefined) holdUntil(app, options.beforeHandling);
  app.setErrorHandler(sendError);
  const { forward } = options;
  if (forward !== undefined) {
    app.addHook("onRoute", (route) => {
      if (forward.isForwarded(route.url)) route.handler = forward.handle;
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (forward !== undefined) return forward.handle(request, reply);
    if (request.area === "fapi") throw fapiRefusal("UNSUPPORTED", { msg: "This path does not exist." });
    throw notFound(`${request.method} ${request.url.split("?")[0]} does not exist`);
  });
  closeConnectionsAsTheyFallIdle(app);
  // Counted when a reply is handed to the socket: waiting for its end would cost more than all other hooks together.
  app.addHook("onSend", (request, reply, _payload, done) => {
    const took_s = (performance.now() - request.arrived_ms) / 1000;
    metrics.requestDurations.observe(request.method, request.route, reply.statusCode, took_s);
    done();
  });
  return app;
}
