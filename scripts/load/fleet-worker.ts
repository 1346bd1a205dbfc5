// A process of the fleet: some of the bots, with their own connections. It is controlled by messages.
import { setTimeout as pause } from "node:timers/promises";
import { Prng } from "../../packages/engine/src/book/testing/prng.ts";
import { type Ask, audit } from "./audit.ts";
import { Bot, MIXES, type MixName, type UserEvent } from "./bot.ts";
import type { FleetOrder, FleetReport } from "./fleet-protocol.ts";
import { Flood } from "./flood.ts";
import { HttpPool } from "./http-pool.ts";
import type { LoadMarket } from "./markets.ts";
import { OpenLoopSchedule } from "./schedule.ts";
import { StreamSocket } from "./stream-socket.ts";
import { Tally } from "./tally.ts";

const TICK_ms = 1;
const WINDOW_ms = 1_000;
/** How long open requests may take after the last one was sent. */
const MAX_DRAIN_ms = 60_000;
const KEEP_KEYS_ms = 20 * 60_000;

class FleetWorker {
  readonly #pool: HttpPool;
  readonly #baseUrl: string;
  readonly #bots: readonly Bot[];
  readonly #markets: readonly LoadMarket[];
  readonly #ask: Ask;
  #tally = new Tally();
  #usage = process.cpuUsage();
  #counted_ms = performance.now();
  #timers: NodeJS.Timeout[] = [];
  #nextBot = 0;
  #flood: Flood | undefined;

  constructor(order: Extract<FleetOrder, { type: "open" }>) {
    this.#baseUrl = order.baseUrl;
    this.#pool = new HttpPool(order.baseUrl, order.connections);
    this.#markets = order.markets;
    this.#bots = order.bots.map((plan) => new Bot(plan, this.#pool.host, order.markets));
    this.#ask = (bot, path, parameters) => this.#send(bot.writer.signed("GET", path, parameters));
  }

  /** Audited bots receive their fills by their own user stream. */
  async openStreams(): Promise<void> {
    for (const bot of this.#bots.filter(({ plan }) => plan.isAudited)) {
      const { status, body } = await this.#send(bot.writer.keyed("POST", "/fapi/v1/listenKey"));
      if (status !== 200) throw new Error(`no listen key: ${status} ${body}`);
      const { listenKey } = JSON.parse(body) as { listenKey: string };
      const socket = new StreamSocket({
        baseUrl: this.#baseUrl,
        path: `/ws/${listenKey}`,
        onText: (payload) => bot.receive(JSON.parse(payload.toString()) as UserEvent),
        onClosed: (code) => fail(new Error(`the user stream of bot ${bot.plan.number} was closed with ${code}`)),
      });
      await socket.opened;
      const keep = () => this.#pool.send(bot.writer.keyed("PUT", "/fapi/v1/listenKey"), () => {});
      setInterval(keep, KEEP_KEYS_ms).unref();
    }
  }

  begin(rate: number, mixName: MixName, seed: number): void {
    const prng = new Prng(seed);
    const schedule = new OpenLoopSchedule(rate, performance.now(), () => prng.below(2 ** 32) / 2 ** 32);
    const mix = MIXES[mixName];
    this.#takeTally();
    const tick = () => {
      for (const due_ms of schedule.due(performance.now())) this.#act(this.#nextOf(), mix, due_ms);
    };
    const report = () => send({ type: "window", tally: this.#takeTally().toRecord() });
    this.#timers = [setInterval(tick, TICK_ms), setInterval(report, WINDOW_ms)];
  }

  async end(): Promise<Tally> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
    this.#pool.dropLine();
    const until_ms = performance.now() + MAX_DRAIN_ms;
    while (this.#pool.underWay > 0 && performance.now() < until_ms) await pause(5);
    return this.#takeTally();
  }

  async flood(connections: number): Promise<void> {
    // Audited bots are left out, because orders of the flood have no client ids.
    const bots = this.#bots.filter(({ plan }) => !plan.isAudited);
    this.#flood = new Flood(this.#baseUrl, bots, connections);
    await this.#flood.begin();
  }

  async endFlood() {
    const report = await this.#flood!.end();
    this.#flood = undefined;
    return report;
  }

  audit() {
    return audit(this.#bots, this.#ask, this.#markets);
  }

  #act(bot: Bot, mix: (typeof MIXES)[MixName], due_ms: number): void {
    const { kind, text, onReply } = bot.next(mix);
    this.#tally.offered += 1;
    this.#pool.send(
      text,
      (status, body) => {
        const tally = this.#tally;
        tally.answered(kind, performance.now() - due_ms, onReply(status, body, tally));
      },
      () => this.#tally.lateness.add_ms(performance.now() - due_ms),
    );
  }

  #nextOf(): Bot {
    this.#nextBot = (this.#nextBot + 1) % this.#bots.length;
    return this.#bots[this.#nextBot]!;
  }

  #takeTally(): Tally {
    const tally = this.#tally;
    const now_ms = performance.now();
    const { user, system } = process.cpuUsage(this.#usage);
    tally.cpu_us = user + system;
    tally.wall_ms = now_ms - this.#counted_ms;
    this.#usage = process.cpuUsage();
    this.#counted_ms = now_ms;
    this.#tally = new Tally();
    return tally;
  }

  #send(text: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve) => this.#pool.send(text, (status, body) => resolve({ status, body })));
  }
}

function send(report: FleetReport): void {
  process.send!(report);
}

function fail(error: unknown): void {
  send({ type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

let worker: FleetWorker | undefined;

async function obey(order: FleetOrder): Promise<FleetReport> {
  if (order.type === "open") {
    worker = new FleetWorker(order);
    await worker.openStreams();
    return { type: "opened" };
  }
  if (worker === undefined) throw new Error(`the fleet is not open, but got the order ${order.type}`);
  switch (order.type) {
    case "begin":
      worker.begin(order.rate, order.mix, order.seed);
      return { type: "began" };
    case "end":
      return { type: "ended", tally: (await worker.end()).toRecord() };
    case "flood":
      await worker.flood(order.connections);
      return { type: "flooding" };
    case "endFlood":
      return { type: "floodEnded", flood: await worker.endFlood() };
    case "audit":
      return { type: "audited", audit: await worker.audit() };
  }
}

process.on("message", (order: FleetOrder) => void obey(order).then(send, fail));
// The parent process has ended.
process.on("disconnect", () => process.exit());
