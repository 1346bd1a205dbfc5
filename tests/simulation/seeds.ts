/** Seeds that are worth running again, each with the reason. */
export interface NotableSeed {
  readonly seed: string;
  readonly why: string;
}

export const NOTABLE_SEEDS: readonly NotableSeed[] = [
  { seed: "1", why: "logs that fail four times in a day, a reorganisation, replies that get lost" },
  { seed: "3", why: "processes die at nine different places, among them in the midst of a commit and of a block" },
  { seed: "304", why: "a slow database, and a chain that takes other branches" },
  { seed: "11", why: "found that a bonus warning was sent before it was stored, and lost with the process" },
  { seed: "32", why: "found that a withdrawal which was paid while it was sent again was said to be held up for ever" },
  {
    seed: "planted points that are forgotten",
    why: "found that a bonus warning was sent and not stored if no command followed it",
  },
];
