/**
 * The minimal server that answers a read: it checks timestamp and HMAC of a signed query, and sends prepared bytes. No
 * router, no limits, no headers, no serialisation. Prints its port once it listens.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const secret = process.argv[2] ?? "";
const reply = Buffer.from(process.argv[3] ?? "");

function isAllowed(query: string): boolean {
  const cut = query.lastIndexOf("&signature=");
  if (cut === -1) return true;
  const parameters = new URLSearchParams(query);
  const expected = createHmac("sha256", secret).update(query.slice(0, cut)).digest();
  const given = Buffer.from(parameters.get("signature") ?? "", "hex");
  const isFresh = Math.abs(Date.now() - Number(parameters.get("timestamp"))) <= 60_000;
  return isFresh && given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer(({ url = "" }, response) => {
  const status = isAllowed(url.slice(url.indexOf("?") + 1)) ? 200 : 400;
  response.writeHead(status, { "content-type": "application/json", "content-length": reply.length });
  response.end(reply);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
