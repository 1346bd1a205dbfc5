import type { ColumnType, Kysely, Selectable, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, JsonColumn, KernelTables } from "../kernel/database/tables.ts";
import type { ChainFacts, Status } from "./rules.ts";

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
/** An amount in the token's smallest unit: up to 31 digits, so it is read as text and written as bigint. */
type AmountColumn = ColumnType<string, bigint, bigint>;

interface TermColumns {
  annual_rate_bps: number;
  duration_seconds: number;
  total_quota: AmountColumn;
  min_amount: AmountColumn;
  max_amount_per_user: AmountColumn;
  subscribe_start_s: BigintColumn;
  subscribe_end_s: BigintColumn;
}

/** A product as decided by an admin. */
export interface EarnProductTable extends TermColumns {
  id: string;
  /** Null until the product is on chain. */
  chain_product_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  name: string;
  description: string | null;
  status: Status;
  /** The admin's id of the request that created the product. */
  request_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export type ActionKind = "create" | "update" | "cancel" | "fund" | "settle";

/** An action on chain: decided and stored first, then sent until its outcome is known. */
export interface EarnActionTable {
  id: string;
  product_id: string;
  kind: ActionKind;
  status: "open" | "done" | "failed";
  /** Decided by the schedule and not by an admin: it is retried as long as it is due. */
  by_system: boolean;
  /** A reference of the operator means one transaction for ever; another attempt needs another reference. */
  attempt: number;
  payload: JsonColumn;
  request_id: string | null;
  tx_hash: Later<string>;
  last_error: Later<string>;
  created_at: Date;
  updated_at: Date;
}

/** The contract's state of a product, by its events. */
export interface EarnChainProductTable extends TermColumns {
  chain_product_id: BigintColumn;
  status: ChainFacts["status"];
  subscriber_count: number;
  subscribed: AmountColumn;
  principal: AmountColumn;
  interest_owed: AmountColumn;
  funded: AmountColumn;
}

/** T5: one position per user and product. It stays after it was paid out. */
export interface EarnSubscriptionTable {
  id: string;
  chain_product_id: BigintColumn;
  user_address: string;
  principal: AmountColumn;
  interest: AmountColumn;
  nft_token_id: AmountColumn;
  nft_status: "minted" | "redeemed" | "refunded";
  /** The transaction of the first subscription; later ones add to the position. */
  subscribe_tx_hash: string;
  subscribed_ms: BigintColumn;
  claim_tx_hash: Later<string>;
  claimed_ms: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
  refund_tx_hash: Later<string>;
  refunded_ms: ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;
}

/** ERN-4: the last voucher of a user and product. Never deleted, because the next deadline must be higher. */
export interface EarnReservationTable {
  product_id: string;
  user_address: string;
  amount: AmountColumn;
  deadline_s: BigintColumn;
  digest: string;
  /** When it was asked for; null in rows of an earlier release. */
  reserved_s: ColumnType<bigint | null, bigint | number, bigint | number>;
  /** Whether its subscription has been indexed. */
  is_used: boolean;
}

export type EarnTables = {
  earn_product: EarnProductTable;
  earn_action: EarnActionTable;
  earn_chain_product: EarnChainProductTable;
  earn_subscription: EarnSubscriptionTable;
  earn_reservation: EarnReservationTable;
};

export type EarnDb = Kysely<KernelTables & EarnTables>;
export type EarnTx = Transaction<KernelTables & EarnTables>;
export type ProductRow = Selectable<EarnProductTable>;
export type ActionRow = Selectable<EarnActionTable>;
export type SubscriptionRow = Selectable<EarnSubscriptionTable>;

export const earnDb = ({ db }: Pick<Database, "db">): EarnDb => db.$extendTables<EarnTables>();
/** The same transaction with the types of this module's tables. */
export const earnTx = (tx: Tx): EarnTx => tx.$extendTables<EarnTables>() as EarnTx;
