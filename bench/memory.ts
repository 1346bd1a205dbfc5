import { type Bot, signedPost } from "./support/bot.ts";
import { load } from "./support/load.ts";
import { PRICE, SYMBOL, startQuietMarket, untilProjected } from "./support/market.ts";
import { perSecond, type Row } from "./support/table.ts";

const ORDERS = 1_000_000;
const ORDERS_PER_REQUEST = 5;
const CONNECTIONS = 64;
/** After this many orders the bots change sides, so that their positions stay within their leverage. */
const ORDERS_PER_TURN = 4_000;

interface Memory {
  readonly resident_MiB: number;
  readonly heap_MiB: number;
}

async function memoryOf(baseUrl: string): Promise<Memory> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const mebibytes = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`/metrics has no ${name}`);
    return Math.round(Number(value) / 1_048_576);
  };
  return {
    resident_MiB: mebibytes("process_resident_memory_bytes"),
    heap_MiB: mebibytes("nodejs_heap_size_used_bytes"),
  };
}

function batchOf(port: number, bot: Bot, side: "BUY" | "SELL"): string {
  const order = { symbol: SYMBOL, side, type: "LIMIT", timeInForce: "GTC", quantity: "0.001", price: PRICE };
  const orders = JSON.stringify(Array.from({ length: ORDERS_PER_REQUEST }, () => order));
  return signedPost(bot, port, "/fapi/v1/batchOrders", `batchOrders=${encodeURIComponent(orders)}`, Date.now());
}

/** The memory of a server after a million orders, half of them filled by the other half, once all are in the tables. */
export async function benchMemory(): Promise<Row> {
  const { server, bots } = await startQuietMarket();
  try {
    const before = await memoryOf(server.baseUrl);
    const begun_ms = performance.now();
    for (let done = 0, turn = 0; done < ORDERS; done += ORDERS_PER_TURN, turn += 1) {
      const [buyer, seller] = turn % 2 === 0 ? bots : ([bots[1], bots[0]] as const);
      const requests = [batchOf(server.port, buyer, "BUY"), batchOf(server.port, seller, "SELL")] as const;
      let next = 0;
      await load(server.port, CONNECTIONS, ORDERS_PER_TURN / ORDERS_PER_REQUEST, () => requests[next++ % 2]!);
      if (turn % 25 === 24) process.stdout.write(`  ${(done + ORDERS_PER_TURN).toLocaleString("en-US")} orders\r`);
    }
    const took_s = (performance.now() - begun_ms) / 1000;
    const loaded = await memoryOf(server.baseUrl);
    await untilProjected(server);
    const after = await memoryOf(server.baseUrl);
    return {
      name: `memory after ${ORDERS.toLocaleString("en-US")} orders, ${ORDERS_PER_REQUEST} a request, ${perSecond(ORDERS / took_s)}`,
      figure: `${after.resident_MiB} MiB resident (${loaded.resident_MiB} under load), heap ${after.heap_MiB} MiB`,
      baseline: `${before.resident_MiB} MiB resident before, heap ${before.heap_MiB} MiB`,
      ratio: after.resident_MiB / before.resident_MiB,
      aim: null,
    };
  } finally {
    await server.kill("SIGTERM");
  }
}
