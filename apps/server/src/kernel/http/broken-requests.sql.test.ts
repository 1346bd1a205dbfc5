import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { createTestPlatform, type TestPlatform } from "../../testing/test-platform.ts";

describe("requests that no client sends", () => {
  let platform: TestPlatform;
  let port: number;

  before(async () => {
    platform = await createTestPlatform();
    await platform.app.listen({ port: 0, host: "127.0.0.1" });
    port = (platform.app.server.address() as AddressInfo).port;
  });
  after(() => platform.close());

  /** The reply to these bytes until the server closes the connection. */
  async function answerTo(bytes: string): Promise<{ status: number; head: string; body: unknown }> {
    const socket = connect({ port, host: "127.0.0.1" });
    const pieces: Buffer[] = [];
    socket.on("data", (piece) => pieces.push(piece));
    socket.end(bytes);
    await once(socket, "close");
    const [head = "", body = ""] = Buffer.concat(pieces).toString("utf8").split("\r\n\r\n");
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: JSON.parse(body) };
  }

  it("SEC-9: a request without a Host is refused in its area's body, with a request id", async () => {
    const json = await answerTo("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert.equal(json.status, 400);
    assert.match(json.head, /x-request-id: \S+/i);
    assert.deepEqual(json.body, { error: "the Host header is missing", code: "BAD_REQUEST" });
    const fapi = await answerTo("GET /fapi/v1/ping HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert.equal(fapi.status, 400);
    assert.equal((fapi.body as { msg: string }).msg, "the Host header is missing");
  });

  it("SEC-9: an expectation that nobody can meet is refused in JSON", async () => {
    const host = "Host: 127.0.0.1:8080\r\n";
    const { status, head, body } = await answerTo(`GET /healthz HTTP/1.1\r\n${host}Expect: the unexpected\r\n\r\n`);
    assert.equal(status, 417);
    assert.match(head, /content-type: application\/json/i);
    assert.equal((body as { code: string }).code, "EXPECTATION_FAILED");
  });
});
