import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

const REPLIES: Readonly<Record<string, { status: string; code: string; error: string }>> = {
  HPE_INVALID_HEADER_TOKEN: { status: "403 Forbidden", code: "FORBIDDEN", error: "a header is refused" },
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "HEADERS_TOO_LARGE",
    error: "the headers are too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: "408 Request Timeout", code: "TIMEOUT", error: "the request took too long" },
};
const MALFORMED = { status: "400 Bad Request", code: "BAD_REQUEST", error: "the request is not HTTP" };

/** Answers bytes that the HTTP parser refuses, for which no route, no area and no request id exist. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, ...body } = REPLIES[error.code ?? ""] ?? MALFORMED;
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** Answers a request with an unsupported Expect header; Node's own answer has no body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const text = JSON.stringify({ code: "EXPECTATION_FAILED", error: "nothing but 100-continue can be expected" });
  response.writeHead(417, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    connection: "close",
  });
  response.end(text);
}
