import {
  type Compared,
  CRASHES,
  compareRules,
  faultsOf,
  tableOf,
} from "../../packages/engine-proof/src/crashes/table.ts";

/** The model of market crashes by the rules before version 5 and by the newest. Returns the exit status. */
export function runCrashes(seeds: readonly number[]): number {
  const rows: Compared[] = [];
  for (const crash of CRASHES) {
    rows.push(compareRules(crash, seeds));
    console.log(`${rows.length}/${CRASHES.length} ${crash.name}`);
  }
  console.log(
    `\n${tableOf(rows)}\n\nUSDT, ${seeds.length} seeds, a fund of 100,000; rules before version 5 → version 5.`,
  );
  const faults = faultsOf(rows, seeds);
  for (const fault of faults) console.log(`FAILED  ${fault}`);
  return faults.length === 0 ? 0 : 1;
}
