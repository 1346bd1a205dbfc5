/**
 * The minimal server for a signed request over a socket: it parses the message, checks the timestamp and the HMAC over the sorted
 * parameters, and answers JSON. Prints its port once it listens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

interface Message {
  readonly id: number;
  readonly params: Readonly<Record<string, string>>;
}

const secret = process.argv[2] ?? "";

function isRight(params: Message["params"]): boolean {
  const text = Object.keys(params)
    .filter((name) => name !== "signature")
    .sort()
    .map((name) => `${name}=${params[name]}`)
    .join("&");
  const expected = createHmac("sha256", secret).update(text).digest();
  const given = Buffer.from(params["signature"] ?? "", "hex");
  const isFresh = Math.abs(Date.now() - Number(params["timestamp"])) <= 60_000;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

const server: WebSocketServer = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false }, () =>
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`),
);
server.on("connection", (socket) =>
  socket.on("message", (data) => {
    const { id, params } = JSON.parse(String(data)) as Message;
    socket.send(JSON.stringify({ id, status: isRight(params) ? 200 : 400, result: {} }));
  }),
);
