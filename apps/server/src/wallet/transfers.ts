import type { Selectable } from "kysely";
import type {
  DepositQuery,
  DepositRecord,
  TransferQuery,
  Transfers,
  WithdrawalQuery,
  WithdrawalRecord,
  WithdrawalState,
} from "../exchange/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { type DepositTable, type WithdrawalStatus, type WithdrawalTable, walletDb } from "./tables.ts";
import { shownStatus } from "./withdrawals.ts";

const recordOf = (row: Selectable<DepositTable> | Selectable<WithdrawalTable>) => ({
  amount_micros: row.amount_micros,
  transactionHash: row.tx_hash,
  created_ms: row.created_at.getTime(),
  updated_ms: row.updated_at.getTime(),
});

/** Later times have years of more than four digits, which the database does not read. */
const LATEST_ms = Date.UTC(9999, 11, 31);
const dateOf = (time_ms: number) => new Date(Math.min(time_ms, LATEST_ms));
const spanOf = ({ from_ms, to_ms }: TransferQuery<unknown>) => ({ from: dateOf(from_ms), to: dateOf(to_ms) });

/** `held` is shown as requested. */
const storedStates = (states: readonly WithdrawalState[]): readonly WithdrawalStatus[] =>
  states.flatMap((state): WithdrawalStatus[] => (state === "requested" ? ["requested", "held"] : [state]));

/** Deposits and withdrawals of a wallet by offset and state, for bots. */
export class WalletTransfers implements Transfers {
  readonly #database: Pick<Database, "db">;

  constructor(database: Pick<Database, "db">) {
    this.#database = database;
  }

  async deposits(address: string, query: DepositQuery): Promise<readonly DepositRecord[]> {
    const { states, transactionHash, limit, offset } = query;
    if (states?.length === 0) return [];
    const { from, to } = spanOf(query);
    const rows = await walletDb(this.#database)
      .selectFrom("deposit")
      .selectAll()
      .where("address", "=", address)
      .where("created_at", ">=", from)
      .where("created_at", "<=", to)
      .$if(states !== undefined, (rows) => rows.where("status", "in", states!))
      .$if(transactionHash !== undefined, (rows) => rows.where("tx_hash", "=", transactionHash!))
      .orderBy("created_at", "desc")
      .orderBy("ref", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row) => ({ ...recordOf(row), id: row.ref, state: row.status }));
  }

  async withdrawals(address: string, query: WithdrawalQuery): Promise<readonly WithdrawalRecord[]> {
    const { states, requestId, ids, limit, offset } = query;
    if (states?.length === 0) return [];
    const { from, to } = spanOf(query);
    const rows = await walletDb(this.#database)
      .selectFrom("withdrawal")
      .selectAll()
      .where("address", "=", address)
      .where("created_at", ">=", from)
      .where("created_at", "<=", to)
      .$if(states !== undefined, (rows) => rows.where("status", "in", storedStates(states!)))
      .$if(requestId !== undefined, (rows) => rows.where("request_id", "=", requestId!))
      .$if(ids !== undefined, (rows) => rows.where("id", "in", ids!))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map((row) => ({
      ...recordOf(row),
      id: row.id,
      state: shownStatus(row.status),
      to: row.to_address,
      requestId: row.request_id,
      reason: row.reason,
    }));
  }
}
