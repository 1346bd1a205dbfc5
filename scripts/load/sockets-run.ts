import { spawnSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Memory } from "../soak/inspector.ts";
import type { LoadRequest } from "./arguments.ts";
import type { BotPlan } from "./bot.ts";
import { Fleet } from "./fleet.ts";
import { lookAt, serverCores } from "./health.ts";
import type { LoadOutcome } from "./load-run.ts";
import type { Progress } from "./progress.ts";
import type { Line } from "./report.ts";
import { type FarmReading, SocketFarm } from "./socket-farm.ts";
import { planSockets } from "./socket-plans.ts";
import type { SocketPlan } from "./socket-protocol.ts";
import { Target } from "./target.ts";
import type { Check } from "./verdicts.ts";
import { cores, count, mib, ms } from "./words.ts";

const BOTS = 16;
const SOCKETS_PER_PROCESS = 2_500;
const OPENED_PER_s = 1_000;
/** Files that a process needs besides its sockets. */
const OTHER_FILES = 1_000;
/** Requests per second of the trading bots while the sockets read. */
const RATES = [10, 40, 160];
const FULL = { step_s: 20, maxCut_s: 90 };
const QUICK = { step_s: 2, maxCut_s: 12 };
const SETTLING_ms = 3_000;
/** A step with a larger lag is the last one. */
const MAX_LAG_ms = 2_000;

/** Thousands of sockets follow a market in which bots trade; some of them do not read. */
export class SocketsRun {
  readonly #progress: Progress;
  readonly #target: Target;
  readonly #fleet: Fleet;
  readonly #farm: SocketFarm;
  readonly #plans: readonly SocketPlan[];
  readonly #pace: typeof FULL;
  readonly #lines: Line[] = [];
  readonly #checks: Check[] = [];
  #gaps = 0;

  private constructor(
    progress: Progress,
    target: Target,
    fleet: Fleet,
    farm: SocketFarm,
    plans: readonly SocketPlan[],
    pace: typeof FULL,
  ) {
    this.#progress = progress;
    this.#target = target;
    this.#fleet = fleet;
    this.#farm = farm;
    this.#plans = plans;
    this.#pace = pace;
  }

  /** Uses a separate server, because memory left by the load would hide the memory of the sockets. */
  static async carryOut(request: LoadRequest, progress: Progress): Promise<LoadOutcome> {
    const { url, database, isQuick } = request;
    const allowed = filesAllowed();
    const sockets = Math.min(request.sockets, allowed - OTHER_FILES);
    if (sockets < request.sockets) {
      progress.line(`a process may open ${count(allowed)} files (ulimit -n): ${count(sockets)} sockets instead`);
    }
    const target = await Target.open({ url, database, maxCommandsWaiting: undefined });
    const farm = new SocketFarm(Math.ceil(sockets / SOCKETS_PER_PROCESS));
    try {
      const markets = await target.holdPrices();
      const bots = await target.openAccounts(BOTS, (opened) => progress.show(`${opened} accounts`));
      const keys = await Promise.all(bots.map((bot) => listenKeyOf(target.baseUrl, bot)));
      const symbols = markets.map(({ symbol }) => symbol.toLowerCase());
      const plans = planSockets(sockets, symbols, keys);
      const fleet = await Fleet.open({ baseUrl: target.baseUrl, bots, markets, workers: 1 });
      try {
        const run = new SocketsRun(progress, target, fleet, farm, plans, isQuick ? QUICK : FULL);
        run.#say("files a process may open", count(allowed));
        await run.#all();
        return { lines: run.#lines, checks: run.#checks };
      } finally {
        await fleet.close();
      }
    } finally {
      await farm.close();
      await target.close();
    }
  }

  async #all(): Promise<void> {
    // Fills the book before the sockets open.
    await this.#fleet.run({ rate: RATES[1]!, mix: "hold", seconds: this.#pace.step_s });
    const before = await this.#target.memory();
    await this.#open();
    const opened = await this.#target.memory();
    this.#sayMemory(before, opened);
    await this.#farm.pauseSlow();
    let bearable = RATES[0]!;
    for (const rate of RATES) {
      if ((await this.#trade(rate)) > MAX_LAG_ms) break;
      bearable = rate;
    }
    await this.#cutTheSlow(bearable);
    await this.#farm.closeSockets();
    await pause(SETTLING_ms);
    const after = await this.#target.memory();
    const health = await lookAt(this.#target.baseUrl);
    if (after !== undefined && before !== undefined) {
      this.#say("memory after all were closed", `${memoryWords(after)}; ${memoryWords(before)} before`);
    }
    // Audited bots have their own sockets.
    this.#say("connections left", count(health.sockets));
    this.#checks.push({
      name: "depth streams had no gaps",
      ok: this.#gaps === 0,
      detail: `${count(this.#gaps)} gaps`,
    });
  }

  #say(what: string, figure: string): void {
    this.#lines.push({ part: "sockets", what, figure });
  }

  async #open(): Promise<void> {
    const begun_ms = performance.now();
    this.#progress.show(`opening ${count(this.#plans.length)} sockets`);
    const refused = await this.#farm.open(this.#target.baseUrl, this.#plans, OPENED_PER_s);
    const took_s = (performance.now() - begun_ms) / 1_000;
    const kinds = (["user", "slow"] as const).map(
      (kind) => `${count(this.#plans.filter((plan) => plan.kind === kind).length)} ${kind}`,
    );
    const opened = this.#plans.length - refused.length;
    this.#say("opened", `${count(opened)} in ${took_s.toFixed(1)} s, of them ${kinds.join(", ")}`);
    this.#checks.push({
      name: "every socket was opened",
      ok: refused.length === 0,
      detail: refused.length === 0 ? count(opened) : `${count(refused.length)} refused: ${refused[0]}`,
    });
  }

  #sayMemory(before: Memory | undefined, opened: Memory | undefined): void {
    if (before === undefined || opened === undefined) return;
    const each = (read: (memory: Memory) => number) =>
      `${((read(opened) - read(before)) / 1_024 / this.#plans.length).toFixed(1)} KiB`;
    this.#say("memory: before, with sockets", `${memoryWords(before)}; ${memoryWords(opened)}`);
    const heap = each(({ heapUsed, external }) => heapUsed + external);
    this.#say("memory of a socket", `${each(({ rss }) => rss)} resident, of it ${heap} heap and buffers`);
  }

  /** Returns the 99th percentile of the delivery lag. */
  async #trade(rate: number): Promise<number> {
    await this.#farm.read();
    const from = await lookAt(this.#target.baseUrl);
    const tally = await this.#fleet.run({
      rate,
      mix: "hold",
      seconds: this.#pace.step_s,
      onWindow: (_, second) => {
        this.#progress.show(`sockets  ${rate}/s, ${second} of ${this.#pace.step_s} s`);
        return false;
      },
    });
    const to = await lookAt(this.#target.baseUrl);
    const reading = await this.#read();
    const seconds = (to.at_ms - from.at_ms) / 1_000;
    const [p50, p99] = [reading.lag.quantile_ms(0.5), reading.lag.quantile_ms(0.99)];
    this.#say(
      `${rate} requests/s: delivered`,
      `${count(reading.messages / seconds)} messages/s, ${mib(reading.bytes / seconds)}/s`,
    );
    this.#say("  lag: market streams", `p50 ${ms(p50)}, p99 ${ms(p99)}, max ${ms(reading.lag.max_ms)}`);
    const user = reading.userLag;
    this.#say("  lag: user streams", `p50 ${ms(user.quantile_ms(0.5))}, p99 ${ms(user.quantile_ms(0.99))}`);
    this.#say("  replies to those who trade", `p99 ${ms(tally.latencies().quantile_ms(0.99))}`);
    const used = [serverCores(from, to), reading.farmCores, tally.fleetCores];
    this.#say("  cores: server, sockets, fleet", used.map(cores).join(", "));
    return p99;
  }

  async #read(): Promise<FarmReading> {
    const reading = await this.#farm.read();
    this.#gaps += reading.gaps;
    return reading;
  }

  /** Trades until the server closes the sockets that do not read. */
  async #cutTheSlow(rate: number): Promise<void> {
    const slow = this.#plans.filter(({ kind }) => kind === "slow").length;
    const reading = this.#plans.length - slow;
    let dropped = 0;
    await this.#fleet.run({
      rate,
      mix: "hold",
      seconds: this.#pace.maxCut_s,
      onWindow: async () => {
        dropped = (await lookAt(this.#target.baseUrl)).dropped;
        this.#progress.show(`sockets  ${dropped} of ${slow} slow ones dropped`);
        return dropped >= slow;
      },
    });
    // Reads what the server has sent them before it closed.
    await this.#farm.resumeSlow();
    await pause(SETTLING_ms);
    const { open, cut, slowOpen } = await this.#read();
    this.#say("slow ones dropped", `${count(dropped)} of ${count(slow)}`);
    this.#checks.push(
      {
        name: "sockets that read were left alone",
        ok: open === reading && cut === 0,
        detail: `${count(open)} of ${count(reading)} open`,
      },
      {
        name: "slow sockets were cut",
        ok: dropped < slow ? null : slowOpen === 0,
        detail: dropped < slow ? "not enough was sent in time" : `${count(slow - slowOpen)} of ${count(slow)}`,
      },
    );
  }
}

const memoryWords = ({ rss, heapUsed, external }: Memory): string =>
  `${mib(rss)} resident, ${mib(heapUsed + external)} heap and buffers`;

/** Node raises the soft limit to the hard limit. */
function filesAllowed(): number {
  const { stdout } = spawnSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" });
  const files = Number(stdout.trim());
  return Number.isNaN(files) ? Number.MAX_SAFE_INTEGER : files;
}

async function listenKeyOf(baseUrl: string, { api_key }: BotPlan): Promise<string> {
  const response = await fetch(`${baseUrl}/fapi/v1/listenKey`, {
    method: "POST",
    headers: { "x-mbx-apikey": api_key },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`no listen key: ${response.status} ${text}`);
  return (JSON.parse(text) as { readonly listenKey: string }).listenKey;
}
