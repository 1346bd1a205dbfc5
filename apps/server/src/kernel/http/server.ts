import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { ApiError, badRequest, notFound } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type Random, randomAlphanumeric } from "../random.ts";
import { type Access, open, type Principal } from "./access.ts";
import type { App } from "./app.ts";
import { BODY_LIMIT_BYTES, checkFormType, readJsonBody } from "./body.ts";
import { answerBrokenRequest, answerExpectation } from "./broken-requests.ts";
import { createCors } from "./cors.ts";
import { fapiErrorReply, fapiRefusal, jsonErrorReply } from "./error-replies.ts";
import type { IncomingCall } from "./fapi-call.ts";
import { createGuard, plainAddress } from "./guards.ts";
import type { HttpSettings } from "./http-settings.ts";
import type { Limits } from "./limits.ts";
import { FapiParameters } from "./parameters.ts";
import { createRateHooks, type RateHooks } from "./rate-hooks.ts";
import { areaOf, decorateRequests, rawQueryOf } from "./request.ts";
import { requireAccess } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";
import { compileValidator } from "./validation.ts";

/** Authenticates the caller. `bearer` runs before the body is read, `signed` after it, both before validation. */
export interface Authenticator {
  /** Whether the request is to be authenticated by its signature: it has no bearer token, and the route allows signatures. */
  isSigned(request: FastifyRequest, access: Access): boolean;
  bearer(request: FastifyRequest, access: Access): Promise<Principal>;
  signed(request: IncomingCall, access: Access, rawQuery: string, rawBody: string): Principal;
}

export interface HttpServerOptions {
  readonly settings: HttpSettings;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly authenticator: Authenticator;
  /** WIRE-1: keys of the platform's own bots. */
  readonly hasRaisedLimits?: (apiKey: string) => boolean;
  /** If other processes change what this one reads: waits until it has seen everything that clients were told. */
  readonly beforeHandling?: () => Promise<void> | undefined;
  /** For routes that another process answers: these, and those that are unknown here. */
  readonly forward?: {
    readonly handle: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
    readonly isForwarded: (path: string) => boolean;
  };
}

const NO_BODY = Buffer.alloc(0);

/** First on every request: its access, the headers of every reply, and general refusals. */
function openRequests(app: App, settings: HttpSettings): void {
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
    // Read once: the framework computes it on each access.
    const { url, config } = request.routeOptions;
    request.route = url ?? "unmatched";
    request.access = config.access;
    request.area = areaOf(request.access, request.url);
    request.address = plainAddress(request.ip);
    request.rawBody = NO_BODY;
    // Hidden from the framework, which would refuse or interpret it before authentication.
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
  app.options("*", { config: { access: open }, schema: { hide: true } }, () => {
    throw notFound("nothing answers to OPTIONS here but a browser's preflight");
  });
}

/** Next: the IP's budget and the bearer token. */
function limitAndIdentify(app: App, rate: RateHooks, authenticator: Authenticator): void {
  async function identify(request: FastifyRequest, access: Access): Promise<void> {
    try {
      request.principal = await authenticator.bearer(request, access);
    } catch (error) {
      // FUT-16: the rate is judged before the key, and the body of an unknown caller is not awaited.
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

/** Reads a /fapi request's parameters and authenticates its signature. */
function readFapi(request: FastifyRequest, rawQuery: string, rawBody: string, authenticator: Authenticator): void {
  const { access } = request;
  if (access?.apiKey && !request.principal) {
    request.principal = authenticator.signed(request, access, rawQuery, rawBody);
  }
  checkFormType(rawBody, request.contentType);
  request.fapi = new FapiParameters(rawQuery, rawBody);
}

/** VLT-1: authenticates a signed request of the JSON areas, if the route accepts a key. The signature covers the body as sent. */
function identifySigned(request: FastifyRequest, authenticator: Authenticator): void {
  const { access, rawBody, principal, url } = request;
  if (access?.apiKey === undefined || principal) return;
  request.principal = authenticator.signed(request, access, rawQueryOf(url), rawBody.toString("utf8"));
}

/** Bodies are kept as bytes and parsed only after authentication, so that an unknown caller learns nothing from a 400. */
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

/** Reads see earlier writes of any process. Pages, health and the like do not wait. */
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

/** Turns a thrown error into the body of the request's area. */
function createErrorSender(log: Log) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // A request that the framework could not route has passed no hook yet.
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

/** While the server closes, a kept-alive connection is closed after its last reply. */
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

/** Builds the HTTP server without the product's routes: hooks, limits, error bodies, headers. */
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
    // Refused below in the area's format: Node's own refusal has no body.
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.server.on("checkExpectation", answerExpectation);
  decorateRequests(app);
  app.setValidatorCompiler(compileValidator as never);
  requireAccess(app);
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
  // Measured when a reply is handed to the socket: waiting for its end would cost more than all other hooks together.
  app.addHook("onSend", (request, reply, _payload, done) => {
    const took_s = (performance.now() - request.arrived_ms) / 1000;
    metrics.requestDurations.observe(request.method, request.route, reply.statusCode, took_s);
    done();
  });
  return app;
}
