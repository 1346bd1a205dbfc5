import { type RunningServer, startServer } from "../../tests/support/server.ts";
import { waitFor } from "../../tests/support/waiting.ts";
import { type Bot, makeBot } from "./bot.ts";

export const SYMBOL = "BTCUSDT";
export const PRICE = "60000";
const NO_LIMIT = "1000000000";
const MAX_PROJECTION_ms = 900_000;

export interface QuietMarket {
  readonly server: RunningServer;
  readonly bots: readonly [Bot, Bot];
}

async function postJson(server: RunningServer, path: string, body: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

async function fundedBot(server: RunningServer, number: number): Promise<Bot> {
  const bot = await makeBot(server.baseUrl, number);
  await postJson(server, "/api/v1/dev/faucet", { address: bot.address, amount: "1000000" });
  return bot;
}

/** A server without demo and without limits, with a pinned price and two bots with money to trade with each other. */
export async function startQuietMarket(): Promise<QuietMarket> {
  const server = await startServer({
    env: {
      DEMO: "false",
      RATE_LIMIT_WEIGHT_1M: NO_LIMIT,
      RATE_LIMIT_ORDERS_10S: NO_LIMIT,
      RATE_LIMIT_ORDERS_1M: NO_LIMIT,
    },
  });
  await postJson(server, "/api/v1/dev/price", { symbol: SYMBOL, price: PRICE });
  return { server, bots: [await fundedBot(server, 1), await fundedBot(server, 2)] };
}

async function isProjected({ baseUrl }: RunningServer): Promise<boolean> {
  const { checks } = (await (await fetch(`${baseUrl}/readyz`)).json()) as { checks: { projector: { detail: string } } };
  return !/[1-9]\d* to go/.test(checks.projector.detail);
}

/** Resolves once the projector has written all events: until then the server is not idle. */
export async function untilProjected(server: RunningServer): Promise<void> {
  await waitFor(() => isProjected(server), { timeout_ms: MAX_PROJECTION_ms, what: "the projector" });
}
