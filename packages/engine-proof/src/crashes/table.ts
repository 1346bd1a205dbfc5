import { NEWEST_RULES } from "@bourse/engine";
import { EARLIER_RULES } from "../scenarios/exchange.ts";
import { CRASHES, type Crash, type Outcome, runCrash } from "./crash.ts";

export interface Compared {
  readonly crash: Crash;
  /** One for each seed. */
  readonly old: readonly Outcome[];
  readonly fair: readonly Outcome[];
}

export function compareRules(crash: Crash, seeds: readonly number[]): Compared {
  const by = (version: number) => seeds.map((seed) => runCrash(crash, version, seed));
  return { crash, old: by(EARLIER_RULES), fair: by(NEWEST_RULES) };
}

const HEADINGS = [
  "One minute",
  "fund",
  "bad debt",
  "honest accounts deleveraged, of them",
  "worst of these against the index",
  "the liquidated lost beyond the index",
  "attackers gained",
];

/** Markdown: the rules before version 5, an arrow, the newest rules; means over the seeds, worst and debt the largest. */
export function tableOf(rows: readonly Compared[]): string {
  const lines = rows.map(({ crash, old, fair }) => {
    const pair = (figure: (outcomes: readonly Outcome[]) => string) => `${figure(old)} → ${figure(fair)}`;
    const mean = (read: (outcome: Outcome) => number) => (outcomes: readonly Outcome[]) =>
      whole(outcomes.reduce((sum, outcome) => sum + read(outcome), 0) / outcomes.length);
    const most = (read: (outcome: Outcome) => number) => (outcomes: readonly Outcome[]) =>
      whole(Math.max(...outcomes.map(read)));
    return [
      crash.name,
      pair(mean(({ fundLost }) => -fundLost)),
      pair(most(({ badDebt }) => badDebt)),
      pair((all) => `${mean(({ deleveraged }) => deleveraged)(all)} (${mean((one) => one.deleveragedValue)(all)})`),
      pair(most(({ deleveragedWorst }) => deleveragedWorst)),
      pair(mean(({ liquidatedLost }) => liquidatedLost)),
      crash.attack === undefined ? "" : pair(mean(({ attackers }) => attackers)),
    ];
  });
  return [HEADINGS, HEADINGS.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What must never be by the newest rules, with the seed that shows it. */
export function faultsOf(rows: readonly Compared[], seeds: readonly number[]): string[] {
  return rows.flatMap(({ crash, fair }) =>
    fair.flatMap(({ faults, badDebt }, place) => {
      const all = badDebt > 0 ? [...faults, `${badDebt} USDT of bad debt`] : faults;
      return all.map((fault) => `${crash.name}, seed ${seeds[place]}: ${fault}`);
    }),
  );
}

export { CRASHES };

function whole(value: number): string {
  return (Math.round(value) + 0).toLocaleString("en-US").replace("-", "−");
}
