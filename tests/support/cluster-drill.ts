import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, Member } from "./cluster.ts";
import type { TcpProxy } from "./tcp-proxy.ts";
import { assertInvariants, limitOrder, type Order, type Refusal, Trader } from "./traders.ts";

/*
 * Traders who continue while parts of the cluster are killed, and record the answers. Afterwards every acknowledged
 * order must exist once, and the order of every request without an answer at most once.
 */

interface Known {
  readonly orderId: number;
  readonly clientOrderId: string;
}

const FIRST_PRICE = 60_000;
const PAGE = 1_000;
const TOO_MANY_OPEN = -2025;
const CATCHING_UP_ms = 60_000;
const SUPERVISE_EVERY_ms = 500;

class Load {
  readonly #trader: Trader;
  readonly #name: string;
  #count = 0;
  /** It has the maximum number of open orders. */
  #isFull = false;
  readonly acknowledged: Known[] = [];
  /** Requests without an answer, or with the answer that the outcome is unknown. */
  readonly unknown: string[] = [];
  /** Answers that guarantee that nothing has happened. */
  refused = 0;
  /** When orders were acknowledged, by `performance.now`, and how long they took. */
  readonly times: { readonly at_ms: number; readonly took_ms: number }[] = [];

  constructor(trader: Trader, name: string) {
    this.#trader = trader;
    this.#name = name;
  }

  get trader(): Trader {
    return this.#trader;
  }

  async run(baseUrl: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.#place(baseUrl);
      if (this.#isFull) await this.#clear(baseUrl);
    }
  }

  /** Cancels its open orders; if that gets no answer, the next refusal triggers it again. */
  async #clear(baseUrl: string): Promise<void> {
    this.#isFull = false;
    try {
      await this.#trader.request(baseUrl, "DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    }
  }

  async #place(baseUrl: string): Promise<void> {
    this.#count += 1;
    const newClientOrderId = `${this.#name}-${this.#count}`;
    const side = this.#count % 2 === 0 ? "BUY" : "SELL";
    const price = String(FIRST_PRICE + ((this.#count * 7) % 21) - 10);
    const begun_ms = performance.now();
    try {
      const { status, body } = await this.#trader.request<Order | Refusal>(
        baseUrl,
        "POST",
        "/fapi/v1/order",
        limitOrder({ side, price, newClientOrderId }),
      );
      this.#judge(newClientOrderId, status, body, begun_ms);
    } catch (error) {
      // The connection broke: the outcome of the order is found out later.
      if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
      this.unknown.push(newClientOrderId);
      await sleep(50);
    }
  }

  #judge(clientOrderId: string, status: number, body: Order | Refusal, begun_ms: number): void {
    if (status === 200 && "orderId" in body) {
      this.acknowledged.push({ orderId: body.orderId, clientOrderId });
      const at_ms = performance.now();
      this.times.push({ at_ms, took_ms: at_ms - begun_ms });
      return;
    }
    assert.ok("code" in body, JSON.stringify(body));
    const isUnknown = status === 503 && body.msg.startsWith("Unknown error");
    if (isUnknown || status === 408) this.unknown.push(clientOrderId);
    else if (status === 503) this.refused += 1;
    else if (body.code === TOO_MANY_OPEN) this.#isFull = true;
    else assert.fail(`an order was refused with ${status} ${JSON.stringify(body)}`);
  }

  /** The tables may lag behind for a while after a kill: then history answers so. */
  async #page(baseUrl: string, from: number): Promise<Order[]> {
    const parameters = { symbol: "BTCUSDT", orderId: String(from), limit: String(PAGE) };
    const until_ms = performance.now() + CATCHING_UP_ms;
    for (;;) {
      const { status, body } = await this.#trader.request<Order[]>(baseUrl, "GET", "/fapi/v1/allOrders", parameters);
      if (status === 200) return body;
      assert.ok(status === 408 && performance.now() < until_ms, `allOrders: ${status} ${JSON.stringify(body)}`);
      await sleep(200);
    }
  }

  /** All orders of the account by client id, from the tables and memory. */
  async found(baseUrl: string): Promise<Map<string, number[]>> {
    const byClientId = new Map<string, number[]>();
    for (let from = 0; ; ) {
      const page = await this.#page(baseUrl, from);
      for (const { orderId, clientOrderId } of page) {
        byClientId.set(clientOrderId, [...(byClientId.get(clientOrderId) ?? []), orderId]);
      }
      if (page.length < PAGE) return byClientId;
      from = page.at(-1)!.orderId + 1;
    }
  }
}

export interface Outcome {
  readonly what: string;
  readonly acknowledged: number;
  readonly unknown: number;
  /** The unknown ones that turned out to be done. */
  readonly unknownDone: number;
  readonly refused: number;
  /**
   * The longest time without any acknowledgement around the kill, and the longest duration of an acknowledged order.
   */
  readonly pause_ms: number;
  readonly slowest_ms: number;
}

export class Drill {
  readonly #cluster: Cluster;
  readonly #loads: Load[] = [];
  #round = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Opens the traders' accounts. */
  async open(traders: number): Promise<void> {
    for (let place = 1; place <= traders; place += 1) {
      this.#loads.push(new Load(await Trader.open(this.#cluster.baseUrl), `t${place}`));
    }
  }

  /** Trades, acts on the cluster during it, continues trading, and checks all answers. */
  async during(what: string, act: () => Promise<void>, { before_ms = 1_500, after_ms = 4_000 } = {}): Promise<Outcome> {
    const { baseUrl } = this.#cluster;
    this.#round += 1;
    const counted = this.#loads.map((load) => ({ ...this.#countsOf(load) }));
    let isOver = false;
    const trading = Promise.all(this.#loads.map((load) => load.run(baseUrl, () => isOver)));
    const begun_ms = performance.now();
    await Promise.race([sleep(before_ms), trading]);
    const acted_ms = performance.now();
    const unknownDone = await this.#supervised(async () => {
      await act();
      await this.#untilTradingAgain(acted_ms);
      await Promise.race([sleep(after_ms), trading]);
      isOver = true;
      await trading;
      return await this.check();
    });
    const sum = (of: (load: Load, place: number) => number) =>
      this.#loads.reduce((total, load, place) => total + of(load, place), 0);
    const times = this.#loads.flatMap((load) => load.times).filter(({ at_ms }) => at_ms >= begun_ms);
    const at = times.map(({ at_ms }) => at_ms).sort((a, b) => a - b);
    const gaps = at.map((at_ms, place) => at_ms - (at[place - 1] ?? begun_ms));
    return {
      what,
      acknowledged: sum((load, place) => load.acknowledged.length - counted[place]!.acknowledged),
      unknown: sum((load, place) => load.unknown.length - counted[place]!.unknown),
      unknownDone: unknownDone - counted.reduce((total, { unknownDone: done }) => total + done, 0),
      refused: sum((load, place) => load.refused - counted[place]!.refused),
      pause_ms: Math.round(Math.max(...gaps)),
      slowest_ms: Math.round(Math.max(...times.map(({ took_ms }) => took_ms))),
    };
  }

  /** Restarts processes that end because they have lost their lease, as a supervisor would. */
  async #supervised<T>(action: () => Promise<T>): Promise<T> {
    const { engines, workers, gateways } = this.#cluster;
    const members = [...engines, ...workers, ...gateways];
    const look = () => {
      for (const member of members) member.restartIfEnded();
    };
    const timer = setInterval(look, SUPERVISE_EVERY_ms);
    return await action().finally(() => clearInterval(timer));
  }

  /** INV-7: acknowledged orders exist once, unknown ones at most once; and the invariants hold. */
  async check(): Promise<number> {
    const { baseUrl, gateways } = this.#cluster;
    let unknownDone = 0;
    for (const load of this.#loads) {
      const found = await load.found(baseUrl);
      for (const [clientOrderId, ids] of found)
        assert.equal(ids.length, 1, `${clientOrderId} is there ${ids.length} times`);
      for (const { orderId, clientOrderId } of load.acknowledged) {
        assert.deepEqual(found.get(clientOrderId), [orderId], `${clientOrderId} was acknowledged as ${orderId}`);
      }
      const done = load.unknown.filter((clientOrderId) => found.has(clientOrderId)).length;
      this.#unknownDone.set(load, done);
      unknownDone += done;
      assert.equal(found.size, load.acknowledged.length + done, "no order that nobody asked for");
      // Both gateways return the same for the last order.
      const last = load.acknowledged.at(-1);
      if (last === undefined) continue;
      const views = [];
      for (const { port } of gateways) {
        const parameters = { symbol: "BTCUSDT", orderId: String(last.orderId) };
        views.push(await load.trader.call<Order>(`http://127.0.0.1:${port}`, "GET", "/fapi/v1/order", parameters));
      }
      for (const view of views) assert.deepEqual(view, views[0]);
    }
    await this.#untilWorkerAnswers();
    await assertInvariants(baseUrl);
    return unknownDone;
  }

  readonly #unknownDone = new Map<Load, number>();

  #countsOf(load: Load) {
    const unknownDone = this.#unknownDone.get(load) ?? 0;
    return {
      acknowledged: load.acknowledged.length,
      unknown: load.unknown.length,
      refused: load.refused,
      unknownDone,
    };
  }

  /**
   * A worker that lost its lease while NATS elected a leader has ended and is being restarted; trading continues
   * without it.
   */
  async #untilWorkerAnswers(): Promise<void> {
    const until_ms = performance.now() + 60_000;
    while ((await fetch(`${this.#cluster.baseUrl}/api/v1/config`)).status !== 200) {
      assert.ok(performance.now() < until_ms, "no worker answers");
      await sleep(250);
    }
  }

  async #untilTradingAgain(since_ms: number): Promise<void> {
    const until_ms = performance.now() + 60_000;
    // An earlier order may still be acknowledged, so ten new ones are awaited.
    const after = () =>
      this.#loads.reduce((sum, { times }) => sum + times.filter(({ at_ms }) => at_ms > since_ms).length, 0);
    while (after() < this.#loads.length * 3) {
      assert.ok(performance.now() < until_ms, "nobody can trade any more");
      await sleep(25);
    }
  }
}

/** Kills a member as a power cut would, and restarts it after the others have run without it. */
export async function killAndRestart(member: Member, without_ms = 2_500): Promise<void> {
  await member.kill("SIGKILL");
  await sleep(without_ms);
  member.restart();
  await member.ready();
}

/** Kills several at once and restarts them after a while. */
export async function killTogether(members: readonly Member[], without_ms: number): Promise<void> {
  await Promise.all(members.map((member) => member.kill("SIGKILL")));
  await sleep(without_ms);
  for (const member of members) member.restart();
  await Promise.all(members.map((member) => member.ready()));
}

/** Cuts a relay and restores it. */
export async function doWithout(relay: TcpProxy, for_ms: number): Promise<void> {
  await relay.cut();
  await sleep(for_ms);
  await relay.restore();
}

/**
 * Suspends the leading engine for a while, like a machine that hangs. Another engine writes meanwhile, so the first one
 * has to end when it resumes.
 */
export async function hangLeader(cluster: Cluster, for_ms: number): Promise<void> {
  const leader = await cluster.leader();
  process.kill(leader.process.pid, "SIGSTOP");
  await sleep(for_ms);
  process.kill(leader.process.pid, "SIGCONT");
  await leader.process.exited;
  leader.restart();
  await leader.ready();
}

export function outcomeTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map((one) => [
    one.what,
    String(one.acknowledged),
    `${one.unknown} (${one.unknownDone})`,
    String(one.refused),
    `${one.pause_ms} ms`,
    `${one.slowest_ms} ms`,
  ]);
  const head = ["what happened", "acknowledged", "unknown (done)", "refused", "longest pause", "slowest order"];
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join("  ");
  return [line(head), ...rows.map(line)].join("\n");
}
