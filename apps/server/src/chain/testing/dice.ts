import { type Random, seededRandom } from "../../kernel/random.ts";

/** Random choices that are the same for the same seed. */
export class Dice {
  readonly random: Random;

  constructor(seed: string) {
    this.random = seededRandom(seed);
  }

  /** From `from` to `to`, both inclusive. */
  whole(from: number, to: number): number {
    return from + (this.random.bytes(4).readUInt32BE(0) % (to - from + 1));
  }

  chance(odds: number): boolean {
    return this.random.bytes(4).readUInt32BE(0) / 2 ** 32 < odds;
  }

  /** One of these, by their weights. */
  pick<T>(choices: readonly (readonly [number, T])[]): T {
    let rest = this.whole(
      1,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, choice] of choices) {
      rest -= weight;
      if (rest <= 0) return choice;
    }
    throw new Error("there is nothing to choose from");
  }
}
