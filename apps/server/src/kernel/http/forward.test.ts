import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { pino } from "pino";
import { developmentSecretsFrom } from "../../settings/development-secrets.ts";
import { readSettings } from "../../settings/settings.ts";
import { makeTestFolder } from "../../testing/test-folder.ts";
import { createMetrics } from "../metrics.ts";
import { seededRandom, systemRandom } from "../random.ts";
import { Forwarder } from "./forward.ts";
import { createLimits } from "./limits.ts";
import { createHttpServer } from "./server.ts";

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A worker that answers instead of the gateway and records the requests. */
async function startWorker(t: TestContext, answer: "reply" | "hang up") {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      if (answer === "hang up") {
        request.socket.destroy();
        return;
      }
      response.writeHead(201, { "content-type": "text/csv", "x-request-id": "the worker's" });
      response.end("a,b\n");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => void server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function startGateway(t: TestContext, target: string | undefined) {
  const folder = makeTestFolder();
  t.after(() => folder.remove());
  const settings = readSettings({ DATA_DIR: folder.path }, developmentSecretsFrom(seededRandom("forward")));
  const forwarder = new Forwarder({ target: () => target });
  const refuse = () => {
    throw new Error("nobody signs in here");
  };
  const app = createHttpServer({
    settings,
    random: systemRandom,
    log: pino({ level: "silent" }),
    metrics: createMetrics(),
    limits: createLimits(settings),
    authenticator: { isSigned: () => false, bearer: refuse, signed: refuse },
    forward: { handle: forwarder.handle, isForwarded: () => false },
  });
  t.after(async () => {
    await app.close();
    forwarder.close();
  });
  return app;
}

const HOST = { host: "127.0.0.1:8080" };

describe("requests that another process answers", () => {
  it("RUN-3: go there as they came, with the client's address, and the reply comes back as it is", async (t) => {
    const worker = await startWorker(t, "reply");
    const app = await startGateway(t, worker.url);
    const reply = await app.inject({
      method: "POST",
      url: "/api/v1/admin/thing?x=%20y",
      headers: { ...HOST, "content-type": "application/json", authorization: "Bearer t", "x-forwarded-for": "8.8.8.8" },
      payload: '{"a": 1}',
    });
    assert.equal(reply.statusCode, 201);
    assert.equal(reply.body, "a,b\n");
    assert.equal(reply.headers["content-type"], "text/csv");
    const [request] = worker.seen;
    assert.equal(request?.method, "POST");
    assert.equal(request?.url, "/api/v1/admin/thing?x=%20y");
    assert.equal(request?.body, '{"a": 1}');
    assert.equal(request?.headers["content-type"], "application/json");
    assert.equal(request?.headers.authorization, "Bearer t");
    // A forwarding header of the client is not trusted.
    assert.equal(request?.headers["x-forwarded-for"], "127.0.0.1");
  });

  it("RUN-3: nobody there: it has not happened, said in the words of its area", async (t) => {
    const nowhere = await startGateway(t, undefined);
    const json = await nowhere.inject({ method: "POST", url: "/api/v1/thing", headers: HOST });
    assert.deepEqual([json.statusCode, json.json().code], [503, "SERVICE_UNAVAILABLE"]);
    const refusing = await startGateway(t, "http://127.0.0.1:1");
    const fapi = await refusing.inject({ method: "POST", url: "/fapi/v1/thing", headers: HOST });
    assert.deepEqual([fapi.statusCode, fapi.json().msg], [503, "Service Unavailable."]);
  });

  it("RUN-3: an answer that got lost: it may have happened, unless it was only asked", async (t) => {
    const worker = await startWorker(t, "hang up");
    const app = await startGateway(t, worker.url);
    const written = await app.inject({ method: "POST", url: "/api/v1/thing", headers: HOST });
    assert.deepEqual([written.statusCode, written.json().code], [503, "OUTCOME_UNKNOWN"]);
    const read = await app.inject({ method: "GET", url: "/api/v1/thing", headers: HOST });
    assert.deepEqual([read.statusCode, read.json().code], [503, "SERVICE_UNAVAILABLE"]);
    const fapi = await app.inject({ method: "POST", url: "/fapi/v1/thing", headers: HOST });
    assert.match(fapi.json().msg, /^Unknown error/);
  });
});
