import type { Bot } from "./bot.ts";
import type { LoadMarket } from "./markets.ts";

/** How the exchange's records compare with what bots received. */
export interface AuditReport {
  readonly ordersAcknowledged: number;
  readonly ordersFoundOnce: number;
  readonly ordersSampled: number;
  readonly sampledFound: number;
  readonly fillsInBooks: number;
  readonly fillsStreamed: number;
  /** As text for people; empty if there are none. */
  readonly faults: readonly string[];
}

export type Ask = (bot: Bot, path: string, parameters: string) => Promise<{ status: number; body: string }>;

const PAGE = 1_000;
const SHOWN_FAULTS = 10;

interface FoundOrder {
  readonly orderId: number;
  readonly clientOrderId: string;
}

export const EMPTY_AUDIT: AuditReport = {
  ordersAcknowledged: 0,
  ordersFoundOnce: 0,
  ordersSampled: 0,
  sampledFound: 0,
  fillsInBooks: 0,
  fillsStreamed: 0,
  faults: [],
};

export function joinAudits(reports: readonly AuditReport[]): AuditReport {
  const sum = (read: (report: AuditReport) => number) => reports.reduce((total, each) => total + read(each), 0);
  return {
    ordersAcknowledged: sum((each) => each.ordersAcknowledged),
    ordersFoundOnce: sum((each) => each.ordersFoundOnce),
    ordersSampled: sum((each) => each.ordersSampled),
    sampledFound: sum((each) => each.sampledFound),
    fillsInBooks: sum((each) => each.fillsInBooks),
    fillsStreamed: sum((each) => each.fillsStreamed),
    faults: reports.flatMap(({ faults }) => faults).slice(0, SHOWN_FAULTS),
  };
}

/**
 * Compares the orders in the records with the acknowledged ones: each of those once, and besides them only orders with
 * unknown outcome.
 */
export function compareOrders(
  found: readonly string[],
  acknowledged: ReadonlySet<string>,
  unknown: ReadonlySet<string>,
): { readonly foundOnce: number; readonly faults: readonly string[] } {
  const times = new Map<string, number>();
  for (const name of found) times.set(name, (times.get(name) ?? 0) + 1);
  const faults: string[] = [];
  let foundOnce = 0;
  for (const name of acknowledged) {
    if (times.get(name) === 1) foundOnce += 1;
    else faults.push(`${name} was acknowledged and is there ${times.get(name) ?? 0} times`);
  }
  for (const name of times.keys()) {
    if (!acknowledged.has(name) && !unknown.has(name)) faults.push(`${name} is there and was never acknowledged`);
  }
  return { foundOnce, faults };
}

/** Compares the trades in the records with those of the stream. */
export function compareTrades(found: readonly number[], streamed: ReadonlySet<number>): readonly string[] {
  const known = new Set(found);
  return [
    ...(known.size === found.length ? [] : [`${found.length - known.size} fills are there twice`]),
    ...found.filter((trade) => !streamed.has(trade)).map((trade) => `the stream did not report trade ${trade}`),
    ...[...streamed]
      .filter((trade) => !known.has(trade))
      .map((trade) => `the stream reported trade ${trade}, which does not exist`),
  ];
}

async function page<Item>(bot: Bot, ask: Ask, path: string, parameters: string): Promise<readonly Item[]> {
  const { status, body } = await ask(bot, path, parameters);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
  return JSON.parse(body) as Item[];
}

/** Reads everything from id 1 on; a page begins directly behind the previous one. */
async function readAll<Item>(
  idOf: (item: Item) => number,
  read: (from: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (let from = 1; ; ) {
    const items = await read(from);
    all.push(...items);
    if (items.length < PAGE) return all;
    from = Math.max(...items.map(idOf)) + 1;
  }
}

async function auditMarket(bot: Bot, ask: Ask, at: number, symbol: string): Promise<AuditReport> {
  const scope = `symbol=${symbol}&limit=${PAGE}`;
  const orders = await readAll<FoundOrder>(
    ({ orderId }) => orderId,
    (from) => page(bot, ask, "/fapi/v1/allOrders", `${scope}&orderId=${from}`),
  );
  const trades = await readAll<{ readonly id: number }>(
    ({ id }) => id,
    (from) => page(bot, ask, "/fapi/v1/userTrades", `${scope}&fromId=${from}`),
  );
  const acknowledged = bot.acknowledged[at]!;
  const names = orders.map(({ clientOrderId }) => clientOrderId);
  const compared = compareOrders(names, acknowledged, bot.unknown[at]!);
  const streamed = bot.streamedTrades[at]!;
  const tradeFaults = compareTrades(
    trades.map(({ id }) => id),
    streamed,
  );
  return {
    ...EMPTY_AUDIT,
    ordersAcknowledged: acknowledged.size,
    ordersFoundOnce: compared.foundOnce,
    fillsInBooks: trades.length,
    fillsStreamed: streamed.size,
    faults: [...compared.faults, ...tradeFaults.map((fault) => `bot ${bot.plan.number}, ${symbol}: ${fault}`)],
  };
}

async function auditSample(bot: Bot, ask: Ask, markets: readonly LoadMarket[]): Promise<AuditReport> {
  const faults: string[] = [];
  for (const { market, name, orderId } of bot.sample) {
    const parameters = `symbol=${markets[market]!.symbol}&origClientOrderId=${name}`;
    const { status, body } = await ask(bot, "/fapi/v1/order", parameters);
    const found = status === 200 ? (JSON.parse(body) as FoundOrder).orderId : body;
    if (found !== orderId) faults.push(`${name} was acknowledged as ${orderId} and looked up as ${found}`);
  }
  return {
    ...EMPTY_AUDIT,
    ordersSampled: bot.sample.length,
    sampledFound: bot.sample.length - faults.length,
    faults,
  };
}

/** Call it after the tables have caught up, and while nobody trades. */
export async function audit(bots: readonly Bot[], ask: Ask, markets: readonly LoadMarket[]): Promise<AuditReport> {
  const reports: AuditReport[] = [];
  for (const bot of bots) {
    if (!bot.plan.isAudited) reports.push(await auditSample(bot, ask, markets));
    else for (const [at, { symbol }] of markets.entries()) reports.push(await auditMarket(bot, ask, at, symbol));
  }
  return joinAudits(reports);
}
