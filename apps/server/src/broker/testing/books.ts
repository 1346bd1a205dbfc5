import type { Database } from "../../kernel/database/database.ts";
import { randomUuid, seededRandom } from "../../kernel/random.ts";
import { type BrokerDb, type BrokerStatus, brokerDb } from "../tables.ts";

const ONE_e6 = 1_000_000;
/** A taker of the lowest tier pays 0.05 %. */
const TRADED_PER_FEE = 2_000n;
const MAX_TRADED_micros = 10n ** 18n;
const e6 = (ratio: number) => Math.round(ratio * ONE_e6);

/** The wallet of an account, for tests without an exchange. */
export const walletOfAccount = (account: number): string => `0x${account.toString(16).padStart(40, "0")}`;

export interface BookedBroker {
  readonly id: string;
  readonly account: number;
  readonly wallet: string;
  /** The current version of its terms. */
  termsVersion: bigint;
}

export interface BookedCustomer {
  readonly account: number;
  readonly wallet: string;
}

export interface BrokerDraft {
  readonly rate: number;
  readonly parent?: BookedBroker;
  readonly parentRate?: number;
  /** The share ratio of the sub_kol code that bound it. */
  readonly share?: number;
  readonly level?: number;
  readonly nickname?: string;
  readonly status?: BrokerStatus;
  readonly at?: Date;
  /** Lower case; derived from the account unless given. */
  readonly wallet?: string;
}

/** Writes the program's rows directly, for tests that need brokers, terms and fees but no exchange. */
export class BrokerBooks {
  readonly db: BrokerDb;
  readonly #random = seededRandom("broker books");
  #lastAccount: number;
  #lastTrade = 0;
  #now: Date;

  constructor(database: Pick<Database, "db">, { firstAccount = 1_001, now = new Date("2026-06-01T12:00:00Z") } = {}) {
    this.db = brokerDb(database);
    this.#lastAccount = firstAccount - 1;
    this.#now = now;
  }

  async kol(draft: BrokerDraft): Promise<BookedBroker> {
    const account = this.#nextAccount();
    const broker = { id: randomUuid(this.#random), account, wallet: draft.wallet ?? walletOfAccount(account) };
    const { rate, parent, parentRate, share = 0, nickname = null, status = "active", at = this.#now } = draft;
    await this.db
      .insertInto("broker")
      .values({
        id: broker.id,
        account,
        wallet_address: broker.wallet,
        nickname,
        bd_owner_id: null,
        parent_broker_id: parent?.id ?? null,
        level: parent === undefined ? (draft.level ?? 1) : null,
        rate_e6: e6(rate),
        bound_share_e6: e6(share),
        status,
        created_at: at,
      })
      .execute();
    if (parent !== undefined) {
      const code_id = await this.code(parent, "sub_kol", { rate, share, status: "used" });
      await this.#bind(broker, code_id, "sub_kol", parent, null, share, at);
    }
    const chain = parent === undefined ? {} : { parent, parentRate: parentRate ?? rate };
    return { ...broker, termsVersion: await this.terms(broker, { rate, share, status, ...chain }) };
  }

  /** New terms of a broker; later fills carry their version. */
  async terms(
    broker: Pick<BookedBroker, "id" | "account"> & { readonly wallet?: string },
    terms: { rate: number; parent?: BookedBroker; parentRate?: number; share?: number; status?: BrokerStatus },
  ): Promise<bigint> {
    const { rate, parent, parentRate, share = 0, status = "active" } = terms;
    const row = await this.db
      .insertInto("broker_terms")
      .values({
        account: broker.account,
        wallet_address: broker.wallet ?? walletOfAccount(broker.account),
        kind: "broker",
        broker_id: broker.id,
        rate_e6: e6(rate),
        parent_broker_id: parent?.id ?? null,
        parent_rate_e6: parent === undefined ? null : e6(parentRate ?? rate),
        bound_share_e6: e6(share),
        status,
        affiliate: null,
        cause: "test",
        created_at: this.#now,
      })
      .returning("terms_version")
      .executeTakeFirstOrThrow();
    return row.terms_version;
  }

  /** Terms of a trader whose on-chain code belongs to the affiliate. */
  async affiliateTerms(account: number, affiliate: string, reward: number): Promise<bigint> {
    const row = await this.db
      .insertInto("broker_terms")
      .values({
        account,
        wallet_address: walletOfAccount(account),
        kind: "affiliate",
        broker_id: null,
        rate_e6: e6(reward),
        parent_broker_id: null,
        parent_rate_e6: null,
        bound_share_e6: 0,
        status: "active",
        affiliate,
        cause: "test",
        created_at: this.#now,
      })
      .returning("terms_version")
      .executeTakeFirstOrThrow();
    return row.terms_version;
  }

  async customer(
    inviter: BookedBroker,
    { ratio, share = 0, at = this.#now, ...own }: { ratio: number; share?: number; at?: Date; wallet?: string },
  ): Promise<BookedCustomer> {
    const account = this.#nextAccount();
    const customer = { account, wallet: own.wallet ?? walletOfAccount(account) };
    const code_id = await this.code(inviter, "direct", { rate: ratio, share });
    await this.#bind(customer, code_id, "direct", inviter, ratio, share, at);
    return customer;
  }

  async code(
    owner: BookedBroker,
    code_type: "direct" | "sub_kol",
    { rate, share = 0, status = "active" }: { rate: number; share?: number; status?: "active" | "used" },
  ): Promise<number> {
    const code = randomUuid(this.#random).replaceAll("-", "").slice(0, 16).toUpperCase();
    const row = await this.db
      .insertInto("broker_invite_code")
      .values({
        code,
        code_type,
        broker_id: owner.id,
        bd_id: null,
        share_ratio_e6: e6(share),
        rate_e6: e6(rate),
        level: null,
        note: null,
        status,
        used_count: status === "used" ? 1 : 0,
        expire_at: null,
        created_at: this.#now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    return row.id;
  }

  /** One fill's fee, as the projector would write it: an accrual and its part of the day's sum. */
  async fee(
    day: string,
    { account }: Pick<BookedCustomer, "account">,
    terms_version: bigint,
    counted_micros: bigint,
    { skipped_micros = 0n, reason = null as string | null } = {},
  ): Promise<void> {
    this.#lastTrade += 1;
    const traded_micros = (counted_micros + skipped_micros) * TRADED_PER_FEE;
    // A fee near the column's maximum has a volume that the column cannot hold.
    const volume_micros = traded_micros < MAX_TRADED_micros ? traded_micros : 0n;
    const trade = this.#lastTrade;
    const time_ms = Date.parse(`${day}T10:00:00Z`) + trade;
    await this.db
      .insertInto("broker_accrual")
      .values({
        market: 0,
        trade,
        side: 0,
        account,
        day,
        terms_version,
        fee_micros: counted_micros + skipped_micros,
        counted_micros,
        volume_micros,
        reason,
        time_ms,
        command_number: trade,
        event_index: 0,
      })
      .execute();
    const skipped_fills = counted_micros === 0n ? 1 : 0;
    const last = { last_command: trade, last_event: 0 };
    await this.db
      .insertInto("broker_pre_settlement")
      .values({
        day,
        account,
        terms_version,
        counted_micros,
        skipped_micros,
        volume_micros,
        fills: 1,
        skipped_fills,
        ...last,
      })
      .onConflict((conflict) =>
        conflict.columns(["day", "account", "terms_version"]).doUpdateSet((eb) => ({
          counted_micros: eb("broker_pre_settlement.counted_micros", "+", counted_micros),
          skipped_micros: eb("broker_pre_settlement.skipped_micros", "+", skipped_micros),
          volume_micros: eb("broker_pre_settlement.volume_micros", "+", volume_micros),
          fills: eb("broker_pre_settlement.fills", "+", 1),
          skipped_fills: eb("broker_pre_settlement.skipped_fills", "+", skipped_fills),
          ...last,
        })),
      )
      .execute();
  }

  async #bind(
    { account, wallet }: BookedCustomer,
    code_id: number,
    code_type: "direct" | "sub_kol",
    inviter: BookedBroker,
    ratio: number | null,
    share: number,
    bind_time: Date,
  ): Promise<void> {
    await this.db
      .insertInto("broker_bind")
      .values({
        wallet_address: wallet,
        account,
        code_id,
        code_type,
        inviter_broker_id: inviter.id,
        bd_id: null,
        customer_ratio_e6: ratio === null ? null : e6(ratio),
        share_ratio_e6: e6(share),
        bind_time,
      })
      .execute();
  }

  #nextAccount(): number {
    this.#lastAccount += 1;
    return this.#lastAccount;
  }
}
