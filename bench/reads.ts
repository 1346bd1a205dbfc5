import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { type Bot, signedPost } from "./support/bot.ts";
import { load } from "./support/load.ts";
import { PRICE, type QuietMarket, SYMBOL, startQuietMarket } from "./support/market.ts";
import { compareInPairs, loadRound } from "./support/pairs.ts";
import { startScript, stop } from "./support/processes.ts";
import { perSecond, type Row } from "./support/table.ts";

const CONNECTIONS = 64;
const PACE = { warmUpRounds: 4, rounds: 11 };
const RESTING_ORDERS = 100;

interface Read {
  readonly name: string;
  readonly path: string;
  readonly parameters: string;
  readonly isSigned: boolean;
}

const READS: readonly Read[] = [
  { name: "depth, 50 levels a side", path: "/fapi/v1/depth", parameters: `symbol=${SYMBOL}&limit=50`, isSigned: false },
  { name: "positionRisk", path: "/fapi/v2/positionRisk", parameters: "", isSigned: true },
  {
    name: `openOrders, ${RESTING_ORDERS / 2} orders`,
    path: "/fapi/v1/openOrders",
    parameters: `symbol=${SYMBOL}`,
    isSigned: true,
  },
];

function signedQuery(bot: Bot, parameters: string, timestamp: number): string {
  const stamp = `recvWindow=60000&timestamp=${timestamp}`;
  const text = parameters === "" ? stamp : `${parameters}&${stamp}`;
  return `${text}&signature=${createHmac("sha256", bot.api_secret).update(text).digest("hex")}`;
}

function request(port: number, bot: Bot, { path, parameters, isSigned }: Read, timestamp: number): string {
  const query = isSigned ? signedQuery(bot, parameters, timestamp) : parameters;
  return `GET ${path}?${query} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx-mbx-apikey: ${bot.api_key}\r\n\r\n`;
}

/** A book with orders of two bots that do not match, and a position for each bot. */
async function fillBook({ server, bots }: QuietMarket): Promise<void> {
  const [buyer, seller] = bots;
  const order = (bot: Bot, side: string, price: string) => {
    const parameters = `symbol=${SYMBOL}&side=${side}&type=LIMIT&timeInForce=GTC&quantity=0.001&price=${price}`;
    return signedPost(bot, server.port, "/fapi/v1/order", parameters, Date.now());
  };
  const orders = [order(buyer, "BUY", PRICE), order(seller, "SELL", PRICE)];
  for (let place = 1; place <= RESTING_ORDERS / 2; place += 1) {
    orders.push(
      order(buyer, "BUY", String(Number(PRICE) - place)),
      order(seller, "SELL", String(Number(PRICE) + place)),
    );
  }
  let next = 0;
  await load(server.port, 1, orders.length, () => orders[next++]!);
}

async function bodyOf(baseUrl: string, bot: Bot, { path, parameters, isSigned }: Read): Promise<string> {
  const query = isSigned ? signedQuery(bot, parameters, Date.now()) : parameters;
  const response = await fetch(`${baseUrl}${path}?${query}`, { headers: { "x-mbx-apikey": bot.api_key } });
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return body;
}

async function compare({ server, bots }: QuietMarket, read: Read): Promise<Row> {
  const bot = bots[0];
  const body = await bodyOf(server.baseUrl, bot, read);
  const script = new URL("baselines/read-server.ts", import.meta.url);
  const bare = await startScript(script, [bot.api_secret, body]);
  const barePort = Number(bare.firstLine);
  try {
    const round = (port: number) => loadRound(port, CONNECTIONS, (timestamp) => request(port, bot, read, timestamp));
    const result = await compareInPairs(
      () => round(server.port),
      () => round(barePort),
      PACE,
    );
    const same = read.isSigned ? "same bytes and HMAC" : "same bytes";
    return {
      name: `GET ${read.name}, ${(body.length / 1_024).toFixed(1)} KiB`,
      figure: `${perSecond(result.perSecond)}, p99 ${result.p99_ms.toFixed(1)} ms`,
      baseline: `${perSecond(result.baselinePerSecond)} bare node:http, ${same}`,
      ratio: result.ratio,
      aim: null,
    };
  } finally {
    await stop(bare.child);
  }
}

/** What bots read from memory, against a bare server that sends the same prepared bytes. */
export async function benchReads(): Promise<readonly Row[]> {
  const market = await startQuietMarket();
  try {
    await fillBook(market);
    const rows: Row[] = [];
    for (const read of READS) rows.push(await compare(market, read));
    return rows;
  } finally {
    await market.server.kill("SIGTERM");
  }
}
