import type { Tx } from "../../kernel/database/database.ts";
import { type NotedRow, writeNoted } from "../../kernel/engine-requests/noted-rows.ts";
import type { LoggedRequest } from "../../rebuild/index.ts";
import { BATCHES } from "../noted.ts";
import { sealDays } from "../settlement/restore.ts";
import { type BrokerTx, brokerTx } from "../tables.ts";
import { markPaid } from "./marking.ts";
import { csvOf, sha256Of } from "./payees-csv.ts";
import { parseTakeRef } from "./payout-id.ts";
import { choosePayees, takeChosen } from "./selection.ts";

/**
 * LOG-3: makes, cancels or confirms a batch as it was noted. Its id is the one under which the chain pays it once, so a payment that
 * goes on pays nobody twice. If the same payees do not come out, nothing of the days that it could be from is paid any more.
 */
export async function restoreBatch(anyTx: Tx, row: NotedRow): Promise<number> {
  const tx = brokerTx(anyTx);
  const id = String(row.id);
  const known = await tx.selectFrom("payout_batch").select("status").where("id", "=", id).executeTakeFirst();
  if (known === undefined) return row.status === "open" ? await makeAgain(tx, id, row) : 0;
  if (known.status === row.status) return 0;
  await write(tx, row);
  if (row.status === "cancelled") await tx.deleteFrom("payout_line").where("batch_id", "=", id).execute();
  if (row.status === "paid") {
    const paid = { txHash: String(row.outside_tx_hash), now: new Date(String(row.paid_at)) };
    await markPaid(tx, { batchId: id, payees: undefined, ...paid });
  }
  return 1;
}

async function makeAgain(tx: BrokerTx, id: string, row: NotedRow): Promise<number> {
  const period = row.period === null ? undefined : String(row.period);
  const payees = await choosePayees(tx, { period, min_amount_micros: BigInt(String(row.min_amount_micros)) });
  if (sha256Of(csvOf(payees)) !== row.sha256) {
    await sealDays(tx, period);
    return 0;
  }
  await write(tx, row);
  return 1 + (await takeChosen(tx, id));
}

const write = (tx: BrokerTx, row: NotedRow) => writeNoted(tx, BATCHES, [{ table: BATCHES.name, row, isGone: false }]);

/** The decision to pay the batch through the chain; the projection writes what the engine answered. */
export async function restorePayment(tx: Tx, { ref, at }: LoggedRequest): Promise<number> {
  const take = parseTakeRef(ref);
  if (take === undefined) return 0;
  const { numUpdatedRows } = await brokerTx(tx)
    .updateTable("payout_batch")
    .set({ status: "paying", way: "chain", attempt: take.attempt, hold_up: null, updated_at: at })
    .where("id", "=", take.id)
    .where("attempt", "<", take.attempt)
    .where("status", "=", "open")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
