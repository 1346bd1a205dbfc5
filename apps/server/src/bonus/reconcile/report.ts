import type { BonusReconcileReport } from "@bourse/api";
import { moneyText } from "../../kernel/units.ts";
import { areBooksRight, arePoolSumsRight, type Books, isWithinCap, MAX_LISTED } from "./books.ts";

/** VLT-2, in micros. */
export interface BackingSums {
  readonly consumed_micros: bigint;
  readonly contributed_micros: bigint;
}

export interface ReportFacts {
  readonly books: Books;
  readonly cap_micros: bigint;
  /** Undefined while the chain does not answer. */
  readonly backing: BackingSums | undefined;
  readonly now_ms: number;
  readonly addressOf: (account: number) => string | undefined;
}

/** The amount still to be paid into the Vault. */
export const owed_micros = ({ consumed_micros, contributed_micros }: BackingSums): bigint =>
  consumed_micros > contributed_micros ? consumed_micros - contributed_micros : 0n;

export const backingView = (sums: BackingSums) => ({
  consumed: moneyText(sums.consumed_micros),
  contributed: moneyText(sums.contributed_micros),
  owed: moneyText(owed_micros(sums)),
});

/** BON-11. */
export function reportOf({ books, cap_micros, backing, now_ms, addressOf }: ReportFacts): BonusReconcileReport {
  const { ledger_micros, shadow_micros, inFlight, pool } = books;
  return {
    net_outflow: moneyText(ledger_micros),
    outstanding_shadow_total: moneyText(shadow_micros),
    pool_cap_usdt: moneyText(cap_micros),
    difference: moneyText(ledger_micros - shadow_micros),
    tolerance: moneyText(0, 6),
    ok: areBooksRight(books),
    within_cap: isWithinCap(books, cap_micros),
    in_flight_count: inFlight.count,
    in_flight_total: moneyText(inFlight.total_micros),
    in_flight_grants: inFlight.grants.map(({ address, amount_micros, time_ms }) => ({
      address,
      amount: moneyText(amount_micros),
      granted_at: new Date(Number(time_ms)).toISOString(),
    })),
    counts_by_status: books.countsByStatus,
    sums_by_kind: Object.fromEntries(
      Object.entries(books.sumsByLine_micros).map(([line, micros]) => [line, moneyText(micros)]),
    ),
    mismatching_count: books.mismatches.length,
    mismatching_accounts: books.mismatches.slice(0, MAX_LISTED).map((one) => ({
      address: addressOf(one.account) ?? null,
      ledger: moneyText(one.ledger_micros),
      shadow: moneyText(one.shadow_micros),
      difference: moneyText(one.ledger_micros - one.shadow_micros),
    })),
    pool_sums_ok: arePoolSumsRight(books),
    grants_stopped: pool.stopped_reason !== null,
    stopped_reason: pool.stopped_reason,
    backing: backing === undefined ? null : backingView(backing),
    event_cursor: books.command_number,
    generated_at: new Date(now_ms).toISOString(),
  };
}
