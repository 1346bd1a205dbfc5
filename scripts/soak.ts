// Runs hours of the demo market's time in minutes, and reports whether memory grows: `npm run soak`.
import { setTimeout as pause } from "node:timers/promises";
import { type RunningServer, startServer } from "../tests/support/server.ts";
import { waitFor } from "../tests/support/waiting.ts";
import { parseArguments, type SoakRequest, USAGE } from "./soak/arguments.ts";
import { Inspector } from "./soak/inspector.ts";
import { MarketTime } from "./soak/market-time.ts";
import { lineOf, type Sample, takeSample } from "./soak/sample.ts";
import { judge } from "./soak/verdict.ts";
import { runCommand } from "./support/command.ts";

const SAMPLES_PER_HOUR = 20;
const LOOK_EVERY_ms = 100;
const FOLLOWED = ["aggTrade", "depth@100ms", "bookTicker", "kline_1m", "markPrice@1s"];
const SYMBOLS = ["btcusdt", "ethusdt", "solusdt", "avaxusdt"];

/** Starts a real server. Limits count by real time, so they are raised. */
async function startMarket(): Promise<RunningServer> {
  const raised = String(1_000_000);
  return startServer({
    env: {
      NODE_OPTIONS: "--inspect=127.0.0.1:0",
      DEMO: "true",
      DEMO_HISTORY_DAYS: "0",
      LOG_LEVEL: "error",
      RATE_LIMIT_WEIGHT_1M: raised,
      RATE_LIMIT_ORDERS_10S: raised,
      RATE_LIMIT_ORDERS_1M: raised,
      RATE_LIMIT_JSON_PER_S: raised,
    },
  });
}

/** Subscribes to all markets, so that the server builds messages for subscribers. */
async function follow({ port }: RunningServer): Promise<WebSocket> {
  const streams = SYMBOLS.flatMap((symbol) => FOLLOWED.map((name) => `${symbol}@${name}`));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/stream?streams=${streams.join("/")}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the streams could not be followed")));
  });
  return socket;
}

async function inspect(server: RunningServer): Promise<Inspector> {
  const address = await waitFor(() => /Debugger listening on (ws:\S+)/.exec(server.output())?.[1], {
    what: "the server's debugger",
  });
  return Inspector.connect(address);
}

/** Runs the market and takes samples; those of the warm-up are shown, but not kept. */
async function observe(server: RunningServer, inspector: Inspector, request: SoakRequest): Promise<Sample[]> {
  const { hours, speed, warmUp_hours } = request;
  const time = new MarketTime(server.baseUrl, speed);
  let failure: unknown;
  await time.start((error) => {
    failure = error;
  });
  const samples: Sample[] = [];
  for (let due_hours = 0; due_hours <= hours + 1e-9; due_hours += 1 / SAMPLES_PER_HOUR) {
    while (time.passed_hours < due_hours && failure === undefined) await pause(LOOK_EVERY_ms);
    if (failure !== undefined) throw failure;
    const sample = await takeSample(time.passed_hours, server, inspector);
    console.log(lineOf(sample, hours));
    if (due_hours < warmUp_hours) continue;
    if (samples.length === 0) await inspector.startSampling();
    samples.push(sample);
  }
  await time.stop();
  console.log(`Time passed ${time.speed.toFixed(1)} times as fast as in life.`);
  return samples;
}

async function main(): Promise<number> {
  const request = parseArguments(process.argv.slice(2));
  if (request === null) {
    console.log(USAGE);
    return 0;
  }
  const server = await startMarket();
  try {
    const inspector = await inspect(server);
    const follower = await follow(server);
    const samples = await observe(server, inspector, request);
    const verdict = judge(samples, await inspector.holdings(), request.limit_mib);
    for (const line of verdict.lines) console.log(line);
    follower.close();
    inspector.close();
    return verdict.isFlat ? 0 : 1;
  } finally {
    await server.kill("SIGTERM");
  }
}

await runCommand(main, USAGE);
