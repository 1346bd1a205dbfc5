import { createHmac } from "node:crypto";
import { WebSocket } from "ws";
import { order } from "./durable-post.ts";
import type { Bot } from "./support/bot.ts";
import type { LoadResult, RunConnection } from "./support/load.ts";
import { PRICE, SYMBOL, startQuietMarket, untilProjected } from "./support/market.ts";
import { compareInPairs, loadRound, loadRoundOver } from "./support/pairs.ts";
import { startScript, stop } from "./support/processes.ts";
import { perSecond, type Row } from "./support/table.ts";

const CONNECTIONS = 64;

/** Two comparisons instead of one, each with half of the usual rounds. */
const PACE = { warmUpRounds: 10, rounds: 15 };

function orderMessage(bot: Bot, side: "BUY" | "SELL", timestamp: number, id: number): string {
  const params: Record<string, string> = {
    apiKey: bot.api_key,
    price: PRICE,
    quantity: "0.001",
    recvWindow: "60000",
    side,
    symbol: SYMBOL,
    timeInForce: "GTC",
    timestamp: String(timestamp),
    type: "LIMIT",
  };
  const text = Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const signature = createHmac("sha256", bot.api_secret).update(text).digest("hex");
  return JSON.stringify({ id, method: "order.place", params: { ...params, signature } });
}

/** One message at a time; any reply but a success ends the measurement. */
const overSocket =
  (url: string): RunConnection =>
  (nextRequest, onReply) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      let sentAt = 0;
      const send = () => {
        const request = nextRequest();
        if (request === undefined) {
          socket.close();
          resolve();
          return;
        }
        sentAt = performance.now();
        socket.send(request);
      };
      socket.on("error", reject);
      socket.on("open", send);
      socket.on("message", (data) => {
        const text = String(data);
        if (!text.includes('"status":200,')) {
          reject(new Error(`the server refused: ${text.slice(0, 400)}`));
          socket.terminate();
          return;
        }
        onReply(performance.now() - sentAt);
        send();
      });
    });

const figureOf = ({ perSecond: rate, p99_ms }: { perSecond: number; p99_ms: number }) =>
  `${perSecond(rate)}, p99 ${p99_ms.toFixed(1)} ms`;

/** WSA-1: the order of `durable-post` over sockets, beside a bare socket server and beside itself over HTTP. */
export async function benchSocketOrder(): Promise<readonly Row[]> {
  const { server, bots } = await startQuietMarket();
  const bare = await startScript(new URL("baselines/signed-socket-server.ts", import.meta.url), [bots[0].api_secret]);
  const ours = overSocket(`ws://127.0.0.1:${server.port}/ws-fapi/v1?returnRateLimits=false`);
  const echo = overSocket(`ws://127.0.0.1:${Number(bare.firstLine)}`);
  // The buyer of one round is the seller of the next, so that positions stay small.
  let rounds = 0;
  const sides = () => (rounds++ % 2 === 0 ? bots : ([bots[1], bots[0]] as const));
  const bySocket = async (): Promise<LoadResult> => {
    await untilProjected(server);
    const [buyer, seller] = sides();
    return loadRoundOver(ours, CONNECTIONS, (timestamp, place) =>
      place % 2 === 0 ? orderMessage(buyer, "BUY", timestamp, place) : orderMessage(seller, "SELL", timestamp, place),
    );
  };
  const byHttp = async (): Promise<LoadResult> => {
    await untilProjected(server);
    const [buyer, seller] = sides();
    return loadRound(server.port, CONNECTIONS, (timestamp, place) =>
      order(server.port, place % 2 === 0 ? buyer : seller, place % 2 === 0 ? "BUY" : "SELL", timestamp),
    );
  };
  const byEcho = async (): Promise<LoadResult> => {
    await untilProjected(server);
    return loadRoundOver(echo, CONNECTIONS, (timestamp, place) => orderMessage(bots[0], "BUY", timestamp, place));
  };
  try {
    const besideEcho = await compareInPairs(bySocket, byEcho, PACE);
    const besideHttp = await compareInPairs(bySocket, byHttp, PACE);
    return [
      {
        name: `order over a socket, durable, end to end, ${CONNECTIONS} connections`,
        figure: figureOf(besideEcho),
        baseline: `${perSecond(besideEcho.baselinePerSecond)} bare ws with the same HMAC`,
        ratio: besideEcho.ratio,
        aim: null,
      },
      {
        name: "the same, beside HTTP",
        figure: figureOf(besideHttp),
        baseline: `${perSecond(besideHttp.baselinePerSecond)} the same order over HTTP`,
        ratio: besideHttp.ratio,
        aim: null,
      },
    ];
  } finally {
    await stop(bare.child);
    await server.kill("SIGTERM");
  }
}
