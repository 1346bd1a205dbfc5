import type { PayoutBatch, PayoutPayee, PayoutTransaction } from "@bourse/api";
import type { Plain } from "../../kernel/database/plain-rows.ts";
import { amountText } from "../ratios.ts";
import type { BatchRow, PayeeRow } from "./batch-store.ts";

export const BATCHES_PATH = "/api/v1/broker/admin/rebate/payout-batches";

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null;

/** WIRE-3. */
export function batchView(row: BatchRow | Plain<BatchRow>, transactions: PayoutTransaction[]): PayoutBatch {
  return {
    id: row.id,
    period: row.period,
    status: row.status,
    line_count: row.line_count,
    payee_count: row.payee_count,
    total_amount: amountText(row.total_micros),
    csv_url: `${BATCHES_PATH}/${row.id}/csv`,
    sha256: row.sha256,
    transactions,
    way: row.way,
    min_amount: amountText(row.min_amount_micros),
    hold_up: row.hold_up,
    created_at: row.created_at.toISOString(),
    paid_at: timeText(row.paid_at),
  };
}

export function payeeView({ payee, amount_micros, line_count, tx_hash, paid_at }: Plain<PayeeRow>): PayoutPayee {
  return { payee, amount: amountText(amount_micros), line_count, tx_hash, paid_at: timeText(paid_at) };
}
