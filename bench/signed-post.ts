import { createHmac } from "node:crypto";
import { createClient } from "@bourse/api";
import { privateKeyToAccount } from "viem/accounts";
import { startServer } from "../tests/support/server.ts";
import { type LoadResult, load } from "./support/load.ts";
import { startScript, stop } from "./support/processes.ts";
import { median, perSecond, type Row } from "./support/table.ts";

const CONNECTIONS = 64;
/** Many short rounds in pairs: a machine that slows down for a second slows down both of a pair, and the ratio stays. */
const REQUESTS_PER_ROUND = 4_000;
const WARM_UP_ROUNDS = 20;
const ROUNDS = 31;

interface Key {
  readonly api_key: string;
  readonly api_secret: string;
}

async function makeKey(baseUrl: string): Promise<Key> {
  const account = privateKeyToAccount(`0x${"5a".repeat(31)}01`);
  let token: string | undefined;
  const client = createClient({ baseUrl, accessToken: () => token });
  const { message_template } = await client.nonce(account.address);
  token = (await client.login(message_template, await account.signMessage({ message: message_template }))).access_token;
  return client.createApiKey({ label: "bench", permissions: ["READ", "TRADE"] });
}

function signedRequest(key: Key, port: number, timestamp: number): string {
  const text = `dualSidePosition=false&recvWindow=60000&timestamp=${timestamp}`;
  const body = `${text}&signature=${createHmac("sha256", key.api_secret).update(text).digest("hex")}`;
  return (
    `POST /fapi/v1/positionSide/dual HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-mbx-apikey: ${key.api_key}\r\n` +
    `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/** A signed POST through the whole HTTP kernel against a bare server that does the same HMAC. */
export async function benchSignedPost(): Promise<Row> {
  const server = await startServer({ env: { DEMO: "false", RATE_LIMIT_WEIGHT_1M: "1000000000" } });
  const key = await makeKey(server.baseUrl);
  const bare = await startScript(new URL("baselines/signed-post-server.ts", import.meta.url), [key.api_secret]);
  const barePort = Number(bare.firstLine);
  try {
    const round = (port: number, total: number) => {
      const requests = Array.from({ length: 64 }, (_, i) => signedRequest(key, port, Date.now() + i));
      let next = 0;
      return load(port, CONNECTIONS, total, () => requests[next++ % requests.length]!);
    };
    for (const port of [server.port, barePort]) {
      for (let i = 0; i < WARM_UP_ROUNDS; i++) await round(port, REQUESTS_PER_ROUND);
    }
    const pairs: { kernel: LoadResult; bare: LoadResult }[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const kernel = await round(server.port, REQUESTS_PER_ROUND);
      pairs.push({ kernel, bare: await round(barePort, REQUESTS_PER_ROUND) });
    }
    const rate = median(pairs.map(({ kernel }) => kernel.perSecond));
    const p99_ms = median(pairs.map(({ kernel }) => kernel.p99_ms));
    return {
      name: `signed POST through the kernel, ${CONNECTIONS} connections`,
      figure: `${perSecond(rate)}, p99 ${p99_ms.toFixed(1)} ms`,
      baseline: `${perSecond(median(pairs.map(({ bare }) => bare.perSecond)))} bare node:http with the same HMAC`,
      ratio: median(pairs.map(({ kernel, bare }) => kernel.perSecond / bare.perSecond)),
      aim: "≥ 0.8",
    };
  } finally {
    await stop(bare.child);
    await server.kill("SIGTERM");
  }
}
