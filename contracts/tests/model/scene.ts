import { type Hex, stringToHex } from "viem";
import type { World } from "../support/world.ts";
import type { PlatformModel } from "./platform-model.ts";
import type { Random } from "./random.ts";
import type { Verdict } from "./tokens.ts";

/** One transaction, and its outcome according to the model. */
export interface Step {
  readonly name: string;
  readonly verdict: Verdict;
  send(): Promise<Hex>;
}

/** A function that makes a step, and its weight among the others. */
export type Maker = readonly [weight: number, make: () => Step | Promise<Step>];

export const USERS = ["alice", "bob", "carol"] as const;
export type User = (typeof USERS)[number];

export const idOf = (number: number): Hex => stringToHex(`number ${number}`, { size: 32 });

/** The contracts, their models, and the random numbers. */
export class Scene {
  readonly world: World;
  readonly model: PlatformModel;
  readonly random: Random;

  constructor(world: World, model: PlatformModel, random: Random) {
    this.world = world;
    this.model = model;
    this.random = random;
  }

  now(): number {
    return this.world.chain.now();
  }

  user(): User {
    return this.random.pick(USERS);
  }

  /** Occasionally 0. */
  amount(): bigint {
    return this.random.isIn(12) ? 0n : BigInt(1 + this.random.below(50_000));
  }
}
