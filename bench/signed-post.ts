import { startServer } from "../tests/support/server.ts";
import { makeBot, signedPost } from "./support/bot.ts";
import { compareInPairs, loadRound } from "./support/pairs.ts";
import { startScript, stop } from "./support/processes.ts";
import { atLeast, perSecond, type Row } from "./support/table.ts";

const CONNECTIONS = 64;

/** A signed POST through the whole HTTP kernel against a bare server that does the same HMAC. */
export async function benchSignedPost(): Promise<Row> {
  const server = await startServer({ env: { DEMO: "false", RATE_LIMIT_WEIGHT_1M: "1000000000" } });
  const bot = await makeBot(server.baseUrl, 1);
  const bare = await startScript(new URL("baselines/signed-post-server.ts", import.meta.url), [bot.api_secret]);
  try {
    const round = (port: number) =>
      loadRound(port, CONNECTIONS, (timestamp) =>
        signedPost(bot, port, "/fapi/v1/positionSide/dual", "dualSidePosition=false", timestamp),
      );
    const result = await compareInPairs(
      () => round(server.port),
      () => round(Number(bare.firstLine)),
    );
    return {
      name: `signed POST through the kernel, ${CONNECTIONS} connections`,
      figure: `${perSecond(result.perSecond)}, p99 ${result.p99_ms.toFixed(1)} ms`,
      baseline: `${perSecond(result.baselinePerSecond)} bare node:http with the same HMAC`,
      ratio: result.ratio,
      aim: atLeast(0.8),
    };
  } finally {
    await stop(bare.child);
    await server.kill("SIGTERM");
  }
}
