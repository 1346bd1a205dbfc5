import { createHash } from "node:crypto";
import { formatUnits } from "@bourse/money";

export interface CsvPayee {
  readonly payee: string;
  readonly amount_micros: bigint;
  readonly line_count: number;
}

const MICRO_DIGITS = 6;

/** BRK-14: the payees of a batch as CSV. The same payees give the same bytes, in any input order. */
export function csvOf(payees: readonly CsvPayee[]): Buffer {
  const rows = payees
    .toSorted((one, other) => (one.payee < other.payee ? -1 : 1))
    .map(
      ({ payee, amount_micros, line_count }) => `${payee},${formatUnits(amount_micros, MICRO_DIGITS)},${line_count}\n`,
    );
  return Buffer.from(`payee,amount,lines\n${rows.join("")}`, "utf8");
}

export const sha256Of = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
