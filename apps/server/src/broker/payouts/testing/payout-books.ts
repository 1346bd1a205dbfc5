/** For tests of payouts: writes settled days and their records without a settlement. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { randomUuid, seededRandom } from "../../../kernel/random.ts";
import type { Actor } from "../../callers.ts";
import type { BrokerDb, LineKind } from "../../tables.ts";
import type { BookedBroker } from "../../testing/books.ts";

export const ADMIN: Actor = { actor: "admin-1", role: "admin", ip: "127.0.0.1", request_id: "r-1" };

/** A payee that is the same in every run. */
export const payeeAddress = (number: number): string => `0x${(0xfee0_0000 + number).toString(16).padStart(40, "0")}`;

export const usdt = (amount: number): bigint => BigInt(Math.round(amount * 1_000_000));

export interface RecordDraft {
  readonly period: string;
  /** The owner of the record; the affiliate's wallet for affiliate records. */
  readonly of: BookedBroker | string;
  readonly downline: { readonly account: number; readonly wallet: string };
  /** In USDT; negative in adjustments. */
  readonly customer?: number;
  readonly net?: number;
  readonly share?: number;
  readonly parent?: BookedBroker;
  readonly revision?: number;
}

/** Writes the rows that a settlement would write. */
export class PayoutBooks {
  readonly #db: BrokerDb;
  readonly #random = seededRandom("payout books");

  constructor(db: BrokerDb) {
    this.#db = db;
  }

  async day(period: string, status: "provisional" | "closed" = "closed"): Promise<string> {
    const none = { fee_micros: 0, nominal_micros: 0, customer_micros: 0, share_micros: 0, net_micros: 0 };
    const now = new Date(`${period}T23:59:59Z`);
    const counts = { revision: 1, leaf_count: 0, broker_count: 0, record_count: 0, affiliate_micros: 0 };
    await this.#db
      .insertInto("rebate_period")
      .values({ period, status, root: Buffer.alloc(32), ...counts, ...none, calculated_at: now, closed_at: null })
      .execute();
    return period;
  }

  async record(draft: RecordDraft): Promise<string> {
    const { period, of, downline, parent, revision = 0 } = draft;
    const [customer, net, share] = [usdt(draft.customer ?? 0), usdt(draft.net ?? 0), usdt(draft.share ?? 0)];
    const nominal = customer + net + share;
    const id = randomUuid(this.#random);
    const isPaid = customer === 0n && net === 0n && share === 0n;
    await this.#db
      .insertInto("rebate_record")
      .values({
        id,
        period,
        kind: typeof of === "string" ? "affiliate" : "broker",
        broker_id: typeof of === "string" ? null : of.id,
        downline_account: downline.account,
        downline_wallet: downline.wallet,
        revision,
        fee_micros: nominal === 0n ? 1n : nominal * 2n,
        nominal_micros: nominal,
        customer_micros: customer,
        share_micros: share,
        net_micros: net,
        rate_e6: 400_000,
        customer_ratio_e6: 100_000,
        share_ratio_e6: parent === undefined ? 0 : 200_000,
        net_payee: typeof of === "string" ? of : of.wallet,
        parent_broker_id: parent?.id ?? null,
        share_payee: parent?.wallet ?? null,
        leaf: createHash("sha256").update(id).digest(),
        payment_status: isPaid ? "paid" : "pending",
      })
      .execute();
    if (typeof of !== "string") await this.#count(period, isPaid);
    return id;
  }

  /** Customers of the broker, each of whom is owed the amount. Returns their wallets. */
  async customers(period: string, of: BookedBroker, count: number, amount_micros: bigint): Promise<string[]> {
    const wallets = Array.from({ length: count }, (_, place) => payeeAddress(place));
    await sql`
      insert into rebate_record (id, period, kind, broker_id, downline_account, downline_wallet, revision, fee_micros,
        nominal_micros, customer_micros, share_micros, net_micros, rate_e6, customer_ratio_e6, share_ratio_e6, net_payee, leaf)
      select gen_random_uuid(), ${period}, 'broker', ${of.id}, 100000 + place, wallet, 0, ${amount_micros * 10n}::bigint,
        ${amount_micros}::bigint, ${amount_micros}::bigint, 0, 0, 400000, 100000, 0, ${of.wallet}, sha256(wallet::bytea)
      from unnest(${wallets}::text[]) with ordinality as customer (wallet, place)`.execute(this.#db);
    await this.#db
      .updateTable("rebate_period")
      .set((eb) => ({ record_count: eb("record_count", "+", count) }))
      .where("period", "=", period)
      .execute();
    return wallets;
  }

  async lines(batchId: string): Promise<readonly (readonly [LineKind, string, bigint])[]> {
    const query = this.#db.selectFrom("payout_line").selectAll().where("batch_id", "=", batchId);
    const rows = await query.orderBy("payee").orderBy("kind").orderBy("amount_micros").execute();
    return rows.map(({ kind, payee, amount_micros }) => [kind, payee, amount_micros] as const);
  }

  async statusOf(recordId: string) {
    const query = this.#db.selectFrom("rebate_record").select(["payment_status", "payment_tx_hash", "is_locked"]);
    return await query.where("id", "=", recordId).executeTakeFirstOrThrow();
  }

  async countsOf(period: string) {
    const query = this.#db.selectFrom("rebate_period").select(["record_count", "paid_count"]);
    return await query.where("period", "=", period).executeTakeFirstOrThrow();
  }

  /** A digest of all tables that payouts write: equal digests mean that nothing has changed. */
  async fingerprint(): Promise<string> {
    const { rows } = await sql<{ digest: string }>`
      select md5(
        coalesce((select string_agg(b::text, ';' order by b.id) from payout_batch as b), '') ||
        coalesce((select string_agg(p::text, ';' order by p.batch_id, p.payee) from payout_payee as p), '') ||
        coalesce((select string_agg(l::text, ';' order by l.record_id, l.kind) from payout_line as l), '') ||
        coalesce((select string_agg(r::text, ';' order by r.id) from rebate_record as r), '') ||
        coalesce((select string_agg(d::text, ';' order by d.period) from rebate_period as d), '') ||
        (select count(*) from audit_log)::text || (select count(*) from outbox)::text
      ) as digest`.execute(this.#db);
    return rows[0]?.digest ?? "";
  }

  async #count(period: string, isPaid: boolean): Promise<void> {
    await this.#db
      .updateTable("rebate_period")
      .set((eb) => ({
        record_count: eb("record_count", "+", 1),
        paid_count: eb("paid_count", "+", isPaid ? 1 : 0),
      }))
      .where("period", "=", period)
      .execute();
  }
}
