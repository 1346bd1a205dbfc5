/**
 * The minimal server for a signed POST: it reads the body, checks the timestamp and the HMAC, and answers JSON. No
 * router, no limits, no headers, no error bodies. Prints its port once it listens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const secret = process.argv[2] ?? "";
const reply = JSON.stringify({ code: 200, msg: "success" });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString("utf8");
    const cut = body.lastIndexOf("&signature=");
    const parameters = new URLSearchParams(body);
    const expected = createHmac("sha256", secret).update(body.slice(0, cut)).digest();
    const given = Buffer.from(parameters.get("signature") ?? "", "hex");
    const isFresh = Math.abs(Date.now() - Number(parameters.get("timestamp"))) <= 60_000;
    const isRight = isFresh && given.length === expected.length && timingSafeEqual(given, expected);
    response.writeHead(isRight ? 200 : 400, { "content-type": "application/json", "content-length": reply.length });
    response.end(reply);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
