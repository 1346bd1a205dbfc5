import type { Dice } from "../../apps/server/src/chain/testing/dice.ts";
import type { Fault } from "./ground/faults.ts";
import { Broken, type CrashPlan, type Port } from "./ground/gate.ts";
import type { World } from "./ground/world.ts";
import type { Streams } from "./streams.ts";

const CRASH_PORTS: readonly (readonly [number, readonly Port[]])[] = [
  [3, ["journal-write", "journal-sync"]],
  [2, ["journal-sync"]],
  [3, ["commit"]],
  [3, ["database"]],
  [2, ["chain"]],
  [3, ["database", "commit", "journal-write", "journal-sync", "chain"]],
];
/** An armed crash that has reached no port after this many actions happens between two requests. */
const PATIENCE = 12;
const LOG_FAILED = "after the log had failed";

/** By weight: what is armed before a group of actions, and how often it occurs. */
const TROUBLES: readonly (readonly [number, Fault, number])[] = [
  [10, "database-fails", 3],
  [10, "database-slow", 12],
  [8, "commit-lost", 1],
  [1, "sync-fails", 1],
  [1, "write-fails", 1],
  [8, "chain-error", 2],
  [8, "chain-slow", 4],
  [6, "chain-reply-lost", 1],
  [10, "request-lost", 2],
  [10, "reply-lost", 2],
  [8, "request-doubled", 2],
];

/** A platform cannot start on what a crash has left. */
export class StartRefused extends Error {
  constructor(cause: unknown) {
    super(`the platform does not start again: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = "StartRefused";
  }
}

/** Arms faults and crashes, and restarts the platform if one of them has stopped it. */
export class Trouble {
  readonly places = new Map<string, number>();
  readonly #world: World;
  readonly #streams: Streams;
  readonly #dice: Dice;
  readonly #factor: number;
  #patience = 0;
  #planned: "crash" | "crash-moving-clock" | undefined;
  #stops = 0;

  constructor(world: World, streams: Streams, dice: Dice, factor: number) {
    this.#world = world;
    this.#streams = streams;
    this.#dice = dice;
    this.#factor = factor;
  }

  /** Called before a group of actions. */
  async arm(): Promise<void> {
    const { faults } = this.#world;
    this.#waitForCrash();
    if (this.#chance(0.022)) this.#planCrash("crash");
    if (this.#chance(0.006)) await this.#stopAndStart();
    if (this.#chance(0.22)) {
      const [fault, max] = this.#dice.pick(TROUBLES.map(([weight, name, times]) => [weight, [name, times] as const]));
      faults.arm(fault, this.#dice.whole(1, max));
    }
    if (this.#chance(0.04)) await this.#streams.cutOne();
    if (this.#chance(0.04)) this.#streams.slowOne();
    if (this.#chance(0.1)) await this.#world.node.mark();
    if (this.#chance(0.06)) await this.#world.reorganise();
  }

  /** Called before the clock is moved: the platform may die during the move. */
  armForMove(): void {
    if (this.#chance(0.12)) this.#planCrash("crash-moving-clock");
  }

  disarm(): void {
    this.#world.faults.disarm();
    if (this.#world.isRunning) this.#world.incarnation.gate.plan = undefined;
  }

  /** Whether it crashed, or stopped by itself because its log could not be written. */
  async needsRestart(): Promise<boolean> {
    const { faults } = this.#world;
    if (!this.#world.isRunning) return true;
    const stops = (faults.struck.get("sync-fails") ?? 0) + (faults.struck.get("write-fails") ?? 0);
    if (stops === this.#stops) return false;
    this.#stops = stops;
    this.#world.crash(LOG_FAILED);
    return true;
  }

  async restart(): Promise<void> {
    const where = this.#world.crashedAt ?? "nowhere";
    if (this.#planned !== undefined && where !== LOG_FAILED) this.#world.faults.count(this.#planned);
    this.#planned = undefined;
    do this.places.set(this.#place, (this.places.get(this.#place) ?? 0) + 1);
    while (!(await this.#starts()));
  }

  get #place(): string {
    return this.#world.crashedAt ?? "nowhere";
  }

  /** Whether it started; a start may be interrupted, too. */
  async #starts(): Promise<boolean> {
    const isCutOff = this.#chance(0.2);
    try {
      await this.#world.restart(isCutOff ? this.#crashPlan(80) : undefined);
      return true;
    } catch (error) {
      if (!(error instanceof Broken)) throw new StartRefused(error);
      this.#world.faults.count("crash-starting");
      return false;
    }
  }

  #planCrash(fault: "crash" | "crash-moving-clock"): void {
    this.#world.plan(this.#crashPlan(fault === "crash" ? 60 : 250));
    this.#planned = fault;
    this.#patience = PATIENCE;
  }

  #crashPlan(max: number): CrashPlan {
    const ports = this.#dice.pick(CRASH_PORTS.map(([weight, names]) => [weight, names]));
    return { ports, passings: this.#dice.whole(1, max) };
  }

  /** Crashes now if the armed crash has reached no port for a while. */
  #waitForCrash(): void {
    const { gate } = this.#world.incarnation;
    if (gate.plan === undefined) return;
    this.#patience -= 1;
    if (this.#patience <= 0) this.#world.crash("between two requests");
  }

  async #stopAndStart(): Promise<void> {
    if (!this.#world.isRunning) return;
    this.disarm();
    await this.#world.stop();
    await this.#world.start();
    this.#world.faults.count("restart");
  }

  #chance(odds: number): boolean {
    return this.#dice.chance(Math.min(1, odds * this.#factor));
  }
}
