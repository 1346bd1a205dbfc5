import type { CalculatedRebates, SettlementRoot } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import type { RecordSums } from "./sums.ts";

/** What was known of a day before it was settled (again). */
export interface Before {
  /** Undefined: it had not been settled. */
  readonly root: Pick<SettlementRoot, "root" | "revision" | "status"> | undefined;
  /** Undefined: its records are too many to be read. */
  readonly sums: RecordSums | undefined;
}

export interface Difference {
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly isMoney: boolean;
}

export interface Outcome {
  readonly kind: "first" | "unchanged" | "changed";
  readonly differences: readonly Difference[];
}

const SUMS: readonly (readonly [keyof Omit<RecordSums, "count">, keyof CalculatedRebates, string])[] = [
  ["fee", "total_fee", "Fees"],
  ["nominal", "total_nominal", "Gross rebates"],
  ["customer", "total_customer_rebate", "To downlines"],
  ["share", "total_share", "To parent KOLs"],
  ["net", "total_kol_net", "To KOLs"],
];

function differencesOf(sums: RecordSums, run: CalculatedRebates): Difference[] {
  const counts =
    sums.count === run.total_records
      ? []
      : [{ what: "Records", before: String(sums.count), after: String(run.total_records), isMoney: false }];
  const money = SUMS.flatMap(([own, theirs, what]) => {
    const [before, after] = [sums[own], String(run[theirs])];
    return Decimal.parse(before).equals(Decimal.parse(after)) ? [] : [{ what, before, after, isMoney: true }];
  });
  return [...counts, ...money];
}

/** What a settlement changed. The root covers every record, so the same root means the same bytes. */
export function outcomeOf(before: Before, run: CalculatedRebates): Outcome {
  if (before.root === undefined) return { kind: "first", differences: [] };
  const isSame = before.root.root === run.root;
  const isClosing = before.root.status === "provisional" && !run.provisional;
  const closing = { what: "Day", before: "provisional", after: "closed", isMoney: false };
  const differences = [
    ...(isClosing ? [closing] : []),
    ...(isSame || before.sums === undefined ? [] : differencesOf(before.sums, run)),
  ];
  return { kind: isSame && !isClosing ? "unchanged" : "changed", differences };
}
