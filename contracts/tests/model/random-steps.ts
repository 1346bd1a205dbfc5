import { DAY_SECONDS } from "../support/world.ts";
import { EarnModel } from "./earn-model.ts";
import { EarnSteps } from "./earn-steps.ts";
import { ReferralSteps, VaultSteps } from "./money-steps.ts";
import type { Maker, Scene, Step } from "./scene.ts";

/** Mostly valid steps, occasionally invalid ones: the model has to tell them apart. */
export class RandomSteps {
  readonly #scene: Scene;
  readonly #makers: readonly Maker[];
  readonly #weights: number;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#makers = [EarnSteps, VaultSteps, ReferralSteps].flatMap((Steps) => new Steps(scene).makers());
    this.#weights = this.#makers.reduce((sum, [weight]) => sum + weight, 0);
  }

  /** Some time may pass before the step. */
  async next(): Promise<Step> {
    const { random, world } = this.#scene;
    if (random.isIn(12)) await world.chain.moveTo(this.#laterSecond());
    let left = random.below(this.#weights);
    for (const [weight, make] of this.#makers) {
      if (left < weight) return make();
      left -= weight;
    }
    throw new Error("no step was chosen");
  }

  /** A little later, or the next second at which a product's state changes. */
  #laterSecond(): number {
    const { random, model } = this.#scene;
    const now = this.#scene.now();
    const turns = model.earn.products
      .filter(({ status }) => status === "open")
      .flatMap(({ terms }) => [terms.subscribeStart, terms.subscribeEnd, EarnModel.settleTime(terms)])
      .flatMap((second) => [second - 1, second])
      .filter((second) => second > now);
    if (turns.length > 0 && random.isIn(50)) return Math.min(...turns);
    return now + random.pick([1, 3_600, DAY_SECONDS / 2]);
  }
}
