/**
 * One seed of the whole platform. A seed determines in every run: the people, their next actions with all figures, the
 * armed faults, at which pass of which port a process dies, and how far the clock moves. It does not determine: how
 * concurrent requests interleave, which of the platform's own timers fires in between, and therefore which call a fault
 * hits and what the book contains then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Dice } from "../../apps/server/src/chain/testing/dice.ts";
import { Cashier } from "./actors/money.ts";
import type { Program } from "./actors/program.ts";
import { TradingFloor } from "./actors/traders.ts";
import { Auditor } from "./auditor/auditor.ts";
import type { Complaint } from "./auditor/complaints.ts";
import { Cast } from "./cast.ts";
import { Clockwork } from "./clockwork.ts";
import { Client, isUnknown } from "./ground/client.ts";
import type { Fault } from "./ground/faults.ts";
import { Admin } from "./ground/person.ts";
import { type Bugs, START_ms, World } from "./ground/world.ts";
import { Notes } from "./notes.ts";
import { createPrograms, TOKENS } from "./programs.ts";
import { Streams } from "./streams.ts";
import { StartRefused, Trouble } from "./trouble.ts";

export interface SimulationOptions {
  readonly seed: string;
  readonly days: number;
  readonly actions: number;
  readonly bugs?: Bugs;
  /** How often faults are armed; 1 is the default, 0 never. */
  readonly trouble?: number;
  readonly onProgress?: (line: string) => void;
}

export interface SimulationReport {
  readonly seed: string;
  readonly complaints: readonly Complaint[];
  readonly actions: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<Fault, number>;
  readonly crashes: ReadonlyMap<string, number>;
  readonly checks: ReadonlyMap<string, number>;
  /** Fills by cause, tier changes, bonus lines. */
  readonly happened: ReadonlyMap<string, number>;
  readonly fills: number;
  readonly events: number;
  readonly incarnations: number;
  readonly days: number;
  readonly took_ms: number;
  /** The last errors that the platform has logged. */
  readonly logged: readonly string[];
}

const MAX_AT_ONCE = 12;
const SETTLE_ROUNDS = 60;
/** Longer than the longest pause before a failed job is tried again. */
const AFTER_FAILURES_ms = 360_000;

/** A platform that runs but does not report the outcome of a request. */
class NeverAnswered extends Error {
  constructor(cause: Error) {
    super(`the platform does not answer, however often it is asked: ${cause.message}`, { cause });
    this.name = "NeverAnswered";
  }
}

export class Simulation {
  readonly #options: SimulationOptions;
  readonly #world: World;
  readonly #client: Client;
  readonly #admin: Admin;
  readonly #cast: Cast;
  readonly #notes = new Notes();
  readonly #dice: Dice;
  readonly #floor: TradingFloor;
  readonly #cashier: Cashier;
  readonly #streams: Streams;
  readonly #clockwork: Clockwork;
  readonly #programs: readonly Program[];
  readonly #trouble: Trouble;
  readonly #auditor: Auditor;

  private constructor(options: SimulationOptions, world: World) {
    const { seed } = options;
    this.#options = options;
    this.#world = world;
    this.#client = new Client(world);
    this.#admin = new Admin(this.#client);
    this.#dice = new Dice(`${seed} driver`);
    this.#cast = new Cast(seed, this.#client);
    this.#floor = new TradingFloor(seed, this.#client, this.#notes, this.#cast.styles);
    this.#cashier = new Cashier(world, this.#notes, new Dice(`${seed} cashier`));
    this.#streams = new Streams(world, this.#cast.people, new Dice(`${seed} streams`));
    this.#clockwork = new Clockwork(world, this.#client, this.#streams);
    const { programs, sections } = createPrograms({
      seed,
      world,
      client: this.#client,
      admin: this.#admin,
      cast: this.#cast,
      notes: this.#notes,
    });
    this.#programs = programs;
    this.#trouble = new Trouble(world, this.#streams, new Dice(`${seed} trouble`), options.trouble ?? 1);
    this.#auditor = new Auditor({
      client: this.#client,
      admin: this.#admin,
      notes: this.#notes,
      streams: this.#streams.byPerson,
      sections,
      start_ms: START_ms,
    });
  }

  /** Runs a seed from its start to its last audit. */
  static async run(options: SimulationOptions): Promise<SimulationReport> {
    const begun_ms = performance.now();
    const world = await World.open(options.seed, options.bugs);
    const simulation = new Simulation(options, world);
    const remove = options.bugs?.plant?.();
    try {
      await simulation.#prepare();
      for (let day = 1; day <= options.days && simulation.#auditor.complaints.length === 0; day += 1) {
        await simulation.#day(day);
      }
      return simulation.#report(performance.now() - begun_ms);
    } catch (error) {
      if (!(error instanceof StartRefused || error instanceof NeverAnswered)) throw error;
      simulation.#auditor.ledger.check("INV-7", false, () => error.message);
      return simulation.#report(performance.now() - begun_ms);
    } finally {
      remove?.();
      simulation.#streams.cutAll();
      await world.close();
    }
  }

  async #prepare(): Promise<void> {
    await this.#world.start();
    await this.#floor.setAllPrices();
    for (const person of this.#cast.people) {
      await this.#world.node.equip(person.wallet, TOKENS);
      const amount = this.#cast.firstDeposit(person);
      if (amount > 0n) await this.#cashier.deposit(person, amount);
    }
    await this.#settle();
    for (const program of this.#programs) await program.prepare();
    for (const person of this.#cast.people) {
      await person.key();
      await this.#floor.begin(person);
    }
    await this.#streams.openAll();
    this.#say("ready");
  }

  async #day(day: number): Promise<void> {
    const { actions, days } = this.#options;
    const moments = this.#clockwork.momentsOfDay(this.#dice);
    const perMoment = Math.ceil(actions / days / (moments.length + 1));
    await this.#acts(perMoment);
    for (const moment_ms of moments) {
      await this.#move(moment_ms);
      await this.#acts(perMoment);
    }
    await this.#endDay(day);
  }

  async #endDay(day: number): Promise<void> {
    await this.#calm();
    for (const program of this.#programs) await this.#surely(() => program.endDay(day));
    await this.#calm();
    await this.#streams.drain();
    await this.#auditor.audit();
    this.#say(`day ${day} audited, ${this.#notes.total} actions, ${this.#auditor.complaints.length} complaints`);
  }

  async #acts(count: number): Promise<void> {
    const before = this.#notes.total;
    while (this.#notes.total - before < count) {
      await this.#surely(() => this.#trouble.arm());
      const acting = Array.from({ length: this.#dice.whole(1, MAX_AT_ONCE) }, () => this.#act());
      await Promise.all(acting.map(forgiving));
      this.#world.pass(this.#dice.whole(1, 400));
      await this.#mend();
    }
  }

  /** Draws the next action; the drawing itself is not interrupted. */
  #act(): () => Promise<void> {
    const { turns } = this.#cast;
    const person = turns[this.#dice.whole(0, turns.length - 1)]!;
    const programs = this.#programs;
    return this.#dice.pick<() => Promise<void>>([
      [70, () => this.#floor.act(person)],
      [2, () => this.#cashier.withdraw(person)],
      [2, this.#depositBy(person)],
      [4, this.#priceMove()],
      [12, this.#programAct(programs)],
    ]);
  }

  #depositBy(person: Parameters<Cashier["deposit"]>[0]): () => Promise<void> {
    const amount = BigInt(this.#dice.whole(1_000_000, 900_000_000));
    return () => this.#cashier.deposit(person, amount);
  }

  #programAct(programs: readonly Program[]): () => Promise<void> {
    const place = this.#dice.whole(0, Math.max(0, programs.length - 1));
    return async () => await programs[place]?.act();
  }

  #priceMove(): () => Promise<void> {
    const symbols = [...this.#floor.prices.keys()];
    const symbol = symbols[this.#dice.whole(0, symbols.length - 1)]!;
    // Occasionally a crash, after which the price slowly returns.
    const max = this.#dice.pick<number>([
      [16, 60],
      [3, 600],
      [1, 1_400],
    ]);
    const step = this.#dice.whole(-max, max);
    return () => this.#floor.setPrice(symbol, this.#floor.prices.get(symbol)! * (1 + step / 10_000));
  }

  async #move(target_ms: number): Promise<void> {
    this.#trouble.armForMove();
    try {
      await this.#clockwork.moveTo(target_ms);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
    await this.#mend();
    while (this.#world.now_ms < target_ms) {
      await this.#surely(() => this.#clockwork.moveTo(target_ms));
    }
  }

  /** After a crash, or if the platform has stopped by itself: starts a new process, and everybody reconnects. */
  async #mend(): Promise<void> {
    if (!(await this.#trouble.needsRestart())) return;
    await this.#recover();
  }

  async #recover(): Promise<void> {
    await this.#trouble.restart();
    await this.#surely(() => this.#floor.setAllPrices());
    await this.#surely(() => this.#resolve());
    await this.#surely(() => this.#streams.reopen());
  }

  /** Repeats until it succeeds, despite armed faults; arms no new ones. */
  async #surely(action: () => Promise<void>): Promise<void> {
    for (let round = 0; ; round += 1) {
      try {
        await action();
        return;
      } catch (error) {
        if (!isUnknown(error)) throw error;
        if (round === SETTLE_ROUNDS) throw new NeverAnswered(error);
        if (await this.#trouble.needsRestart()) await this.#trouble.restart();
        await sleep(20);
      }
    }
  }

  async #resolve(): Promise<void> {
    await this.#floor.resolve();
    await this.#cashier.resolve();
    for (const program of this.#programs) await program.resolve();
  }

  /** Waits until nothing is armed, open or unknown. */
  async #calm(): Promise<void> {
    this.#trouble.disarm();
    if (await this.#trouble.needsRestart()) await this.#recover();
    await this.#surely(() => this.#floor.setAllPrices());
    await this.#surely(() => this.#resolve());
    // Jobs that wait for the chain are retried when the clock moves: by then the indexer must have caught up.
    await this.#surely(() => this.#settle());
    await this.#surely(() => this.#clockwork.moveTo(this.#world.now_ms + AFTER_FAILURES_ms));
    await this.#surely(() => this.#settle());
  }

  /** Waits until all work on the chain is done. */
  async #settle(): Promise<void> {
    for (let round = 0; round < SETTLE_ROUNDS; round += 1) {
      await this.#world.node.mine();
      await this.#client.post("/api/v1/dev/jobs/chain-sync/run", {});
      const isBusy = (await this.#cashier.isBusy(this.#cast.people)) || (await this.#areProgramsBusy());
      if (!isBusy && round > 1) return;
    }
  }

  async #areProgramsBusy(): Promise<boolean> {
    for (const program of this.#programs) if (await program.isBusy()) return true;
    return false;
  }

  #say(line: string): void {
    this.#options.onProgress?.(`seed ${this.#options.seed}: ${line}`);
  }

  #report(took_ms: number): SimulationReport {
    const streams = [...this.#streams.byPerson.values()];
    return {
      seed: this.#options.seed,
      complaints: this.#auditor.complaints,
      actions: this.#notes.actions,
      faults: this.#world.faults.struck,
      crashes: this.#trouble.places,
      checks: this.#auditor.ledger.checks,
      happened: this.#auditor.happened,
      fills: this.#cast.people.reduce((sum, person) => sum + this.#auditor.booksOf(person).fills.length, 0),
      events: streams.reduce((sum, { events }) => sum + events.length, 0),
      incarnations: this.#world.incarnations,
      days: this.#auditor.audits,
      took_ms,
      logged: this.#world.logged,
    };
  }
}

/** A broken connection ends an action; anything else is a failure of the simulation or the platform. */
async function forgiving(act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isUnknown(error)) throw error;
  }
}
