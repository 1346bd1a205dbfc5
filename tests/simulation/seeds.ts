/** Seeds that are worth running again, each with the reason. */
export interface NotableSeed {
  readonly seed: string;
  readonly why: string;
}

export const NOTABLE_SEEDS: readonly NotableSeed[] = [
  { seed: "1", why: "logs that fail four times in a day, a reorganisation, replies that get lost" },
  { seed: "3", why: "processes die at nine different places, among them in the midst of a commit and of a block" },
  {
    seed: "304",
    why: "a liquidation and positions that the insurance fund takes over",
  },
  {
    seed: "planted points that are forgotten",
    why: "found that a bonus warning was told and not kept where no command came after it",
  },
];
