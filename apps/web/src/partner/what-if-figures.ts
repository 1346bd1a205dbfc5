import type { WhatIf } from "@bourse/api/client";
import { Decimal } from "../lib/decimal.ts";

type Figures = WhatIf["actual"];

export interface WhatIfLine {
  readonly name: string;
  readonly actual: string;
  readonly hypothetical: string;
  readonly difference: string;
  /** The line that the question is about. */
  readonly isHeadline: boolean;
}

const LINES: readonly (readonly [keyof Figures, string])[] = [
  ["fee", "Fees of your customers"],
  ["nominal", "Shared out of them"],
  ["customer_rebate", "Back to your customers"],
  ["share", "To your parent"],
  ["kol_net", "You keep"],
];

export function whatIfLines({ actual, hypothetical }: Pick<WhatIf, "actual" | "hypothetical">): readonly WhatIfLine[] {
  return LINES.filter(([key]) => key !== "share" || actual.share !== "0.00" || hypothetical.share !== "0.00").map(
    ([key, name]) => ({
      name,
      actual: actual[key],
      hypothetical: hypothetical[key],
      difference: Decimal.parse(hypothetical[key]).sub(Decimal.parse(actual[key])).toString(),
      isHeadline: key === "kol_net",
    }),
  );
}

/** The ratio as the interface takes it, from a slider that moves in tenths of a per cent. */
export const ratioOfTenths = (tenths: number): string => Decimal.fromUnits(BigInt(tenths), 3).toString();
export const tenthsOf = (ratio: string): number => Number(Decimal.parse(ratio).toUnits(3, "floor"));
