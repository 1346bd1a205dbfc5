import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../../apps/server/src/chain/testing/dice.ts";
import { Broken } from "./ground/gate.ts";
import type { Person } from "./ground/person.ts";
import { PrivateStream } from "./ground/stream.ts";
import type { World } from "./ground/world.ts";

const REACH_LIMIT_ms = 20_000;
/** The share of disconnected people who reconnect at once; the others read the list later. */
const COMING_BACK = 0.5;

/** Everybody's private streams. */
export class Streams {
  readonly byPerson: ReadonlyMap<Person, PrivateStream>;
  readonly #world: World;
  readonly #dice: Dice;

  constructor(world: World, people: readonly Person[], dice: Dice) {
    this.#world = world;
    this.#dice = dice;
    this.byPerson = new Map(people.map((person) => [person, new PrivateStream(world, person)]));
  }

  async openAll(): Promise<void> {
    for (const stream of this.#all) await this.#open(stream);
  }

  /** Everybody reads the remaining messages and disconnects. */
  async leave(): Promise<void> {
    for (const stream of this.#all) await stream.catchUp();
    this.cutAll();
  }

  async comeBack(): Promise<void> {
    for (const stream of this.#all) if (this.#dice.chance(COMING_BACK)) await this.#open(stream);
  }

  /** After a crash: people without a socket may open one, and everybody reads what was missed. */
  async reopen(): Promise<void> {
    for (const stream of this.#all) {
      if (!stream.isOpen && this.#dice.chance(COMING_BACK)) await this.#open(stream);
      await stream.catchUp();
    }
  }

  /** Breaks one connection; its owner opens another. */
  async cutOne(): Promise<void> {
    const stream = this.#one();
    if (!stream.isOpen) return;
    stream.cut();
    this.#world.faults.count("socket-cut");
    await this.#open(stream);
  }

  /** One socket stops reading for a while; those that had stopped before read again. */
  slowOne(): void {
    for (const each of this.#all) each.resume();
    const stream = this.#one();
    if (!stream.isOpen) return;
    stream.pause();
    this.#world.faults.count("socket-slow");
  }

  cutAll(): void {
    for (const stream of this.#all) stream.cut();
  }

  /** Reads everything until the sockets have delivered as much as the list. */
  async drain(): Promise<void> {
    for (const stream of this.#all) {
      stream.resume();
      await stream.catchUp();
      const until_ms = performance.now() + REACH_LIMIT_ms;
      while (!stream.hasReached(stream.lastComplete) && performance.now() < until_ms) await sleep(5);
      const text = `event ${stream.lastComplete} of ${stream.person.name} never came by its socket`;
      if (!stream.hasReached(stream.lastComplete)) stream.complaints.push({ what: "lost", text });
    }
  }

  #one(): PrivateStream {
    return this.#all[this.#dice.whole(0, this.#all.length - 1)]!;
  }

  get #all(): readonly PrivateStream[] {
    return [...this.byPerson.values()];
  }

  async #open(stream: PrivateStream): Promise<void> {
    await stream.open();
    if (!this.#world.isRunning) throw new Broken("the stream");
  }
}
