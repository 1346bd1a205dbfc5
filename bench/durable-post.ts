import { type Bot, signedPost } from "./support/bot.ts";
import { PRICE, SYMBOL, startQuietMarket, untilProjected } from "./support/market.ts";
import { compareInPairs, loadRound } from "./support/pairs.ts";
import { startScript, stop } from "./support/processes.ts";
import { atLeast, perSecond, type Row } from "./support/table.ts";

const CONNECTIONS = 64;

/** A limit order at the one price, as a signed request over HTTP. */
export function order(port: number, bot: Bot, side: "BUY" | "SELL", timestamp: number): string {
  const parameters = `symbol=${SYMBOL}&side=${side}&type=LIMIT&timeInForce=GTC&quantity=0.001&price=${PRICE}`;
  return signedPost(bot, port, "/fapi/v1/order", parameters, timestamp);
}

/**
 * A signed order end to end: checked, logged and synced, matched, settled, sent to projector and streams, answered. Two
 * bots trade with each other at one price, so that about every second order fills. The baseline only checks the HMAC.
 */
export async function benchDurablePost(): Promise<Row> {
  const { server, bots } = await startQuietMarket();
  const bare = await startScript(new URL("baselines/signed-post-server.ts", import.meta.url), [bots[0].api_secret]);
  const barePort = Number(bare.firstLine);
  // The buyer of one round is the seller of the next, so that positions stay small.
  let rounds = 0;
  const ours = () => {
    const [buyer, seller] = rounds++ % 2 === 0 ? bots : ([bots[1], bots[0]] as const);
    return loadRound(server.port, CONNECTIONS, (timestamp, place) =>
      place % 2 === 0 ? order(server.port, buyer, "BUY", timestamp) : order(server.port, seller, "SELL", timestamp),
    );
  };
  const baseline = async () => {
    // Otherwise the projector would take time from the baseline, and the ratio would look better than it is.
    await untilProjected(server);
    return await loadRound(barePort, CONNECTIONS, (timestamp) => order(barePort, bots[0], "BUY", timestamp));
  };
  try {
    const result = await compareInPairs(ours, baseline);
    return {
      name: `signed order, durable, end to end, ${CONNECTIONS} connections`,
      figure: `${perSecond(result.perSecond)}, p99 ${result.p99_ms.toFixed(1)} ms`,
      baseline: `${perSecond(result.baselinePerSecond)} bare node:http with the same HMAC`,
      ratio: result.ratio,
      aim: atLeast(0.7),
    };
  } finally {
    await stop(bare.child);
    await server.kill("SIGTERM");
  }
}
