import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import { unlessLate } from "../../kernel/late.ts";
import { TERMS_LOCK } from "../noted.ts";
import type { BrokerOptions } from "../options.ts";

export type TermsOptions = Pick<BrokerOptions, "clock" | "log" | "engineRequests">;

/** The written terms, and the outbox reference of the last command; none while nobody of them has an account. */
export interface TermsChange {
  readonly versions: readonly { readonly account: number; readonly terms_version: bigint }[];
  readonly ref: string | undefined;
}

/** A row of terms as the log keeps it (LOG-1): wallets are private. */
export interface LoggedTerms {
  readonly details: object;
  readonly secret: string;
}

/** For `returning`: the row that was just written. */
export const LOGGED_TERMS = sql<LoggedTerms>`jsonb_build_object(
  'details', to_jsonb(broker_terms) - 'wallet_address' - 'affiliate',
  'secret', jsonb_build_object('wallet_address', wallet_address, 'affiliate', affiliate)::text)`;

/**
 * BRK-8: writes a broker's terms as a row with a new version, and sends the version to the engine in the same transaction. Later
 * fills of the broker and of its followers carry that version.
 */
export class Terms {
  readonly #options: TermsOptions;

  constructor(options: TermsOptions) {
    this.#options = options;
  }

  /**
   * Serialises changes of participants and terms. The order of locks: the directory's lock if an account is opened (`numbersOf`,
   * `decide`), then this one, then the audit log's.
   */
  async lock(tx: Tx): Promise<void> {
    await lockInTransaction(tx, TERMS_LOCK);
  }

  /**
   * Writes new terms of the broker from its current row and its parent's, and of its sub-KOLs, which contain its rate. SEC-11:
   * those without an account get theirs when it is opened.
   */
  async raise(tx: Tx, brokerId: string, cause: string): Promise<TermsChange> {
    await this.lock(tx);
    const now = new Date(this.#options.clock.now());
    const { rows } = await sql<{ account: number; terms_version: bigint; logged: LoggedTerms }>`
      insert into broker_terms (account, wallet_address, kind, broker_id, rate_e6, parent_broker_id, parent_rate_e6,
        bound_share_e6, status, cause, created_at)
      select broker.account, broker.wallet_address, 'broker', broker.id, broker.rate_e6, parent.id, parent.rate_e6,
        broker.bound_share_e6, broker.status, ${cause}, ${now}
      from broker left join broker as parent on parent.id = broker.parent_broker_id
      where (broker.id = ${brokerId} or broker.parent_broker_id = ${brokerId}) and broker.account is not null
      order by broker.id <> ${brokerId}, broker.account
      returning account, terms_version, ${LOGGED_TERMS} as logged`.execute(tx);
    let ref: string | undefined;
    for (const { account, terms_version, logged } of rows) ref = await this.tell(tx, account, terms_version, logged);
    return { versions: rows, ref };
  }

  /** From now on the customer's fills carry the version of the broker's own account. A wallet is bound once. */
  async follow(tx: Tx, account: number, leader: number): Promise<string> {
    const ref = `follow-terms:${account}`;
    await this.#options.engineRequests.tell(tx, ref, { kind: "follow_terms", account, leader });
    return ref;
  }

  /** Sends `carried` as the version of the account's own fills, because of the row `version`. */
  async tell(tx: Tx, account: number, version: bigint, logged: LoggedTerms, carried = version): Promise<string> {
    const ref = `terms:${version}`;
    const command = { kind: "set_terms", account, version: Number(carried) } as const;
    await this.#options.engineRequests.tell(tx, ref, command, logged);
    return ref;
  }

  /**
   * Resolves when the engine has applied the command of that reference and all before it. Call it after the commit: the decision
   * stands, so a late answer is not a failure.
   */
  async told(ref: string | undefined): Promise<void> {
    if (ref === undefined) return;
    const { engineRequests, log } = this.#options;
    const answer = await unlessLate(engineRequests.answer(ref));
    if (answer?.refused !== undefined) log.error({ ref, ...answer.refused }, "the engine refused a change of terms");
  }
}
