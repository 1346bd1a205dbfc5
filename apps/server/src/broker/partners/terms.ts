import { sql } from "kysely";
import { COMMAND_TOPIC } from "../../exchange/host/outbox-delivery.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { BrokerOptions } from "../options.ts";

export type TermsOptions = Pick<BrokerOptions, "clock" | "log" | "outbox" | "dispatcher" | "outcomes">;

/** What was written, and under which name the engine is told of the last of it. */
export interface TermsChange {
  readonly versions: readonly { readonly account: number; readonly terms_version: bigint }[];
  readonly ref: string;
}

const LOCK = "broker-terms";
const ENGINE_TIMEOUT_ms = 5_000;

/**
 * BRK-8: writes a broker's terms down as a row with a version of its own, and tells the engine the version in the same
 * transaction. Later fills of the broker and of those who follow it carry that version.
 */
export class Terms {
  readonly #options: TermsOptions;

  constructor(options: TermsOptions) {
    this.#options = options;
  }

  /**
   * One change of who takes part and on what terms at a time. Whoever also opens an account takes the directory's lock
   * first (`numbersOf`, `decide`), this one second, and the audit log's last.
   */
  async lock(tx: Tx): Promise<void> {
    await lockInTransaction(tx, LOCK);
  }

  /** The broker's terms as its row and its parent's are now, and those of its sub-KOLs, which hold its rate. */
  async raise(tx: Tx, brokerId: string, cause: string): Promise<TermsChange> {
    await this.lock(tx);
    const now = new Date(this.#options.clock.now());
    const { rows } = await sql<{ account: number; terms_version: bigint }>`
      insert into broker_terms (account, wallet_address, kind, broker_id, rate_e6, parent_broker_id, parent_rate_e6,
        bound_share_e6, status, cause, created_at)
      select broker.account, broker.wallet_address, 'broker', broker.id, broker.rate_e6, parent.id, parent.rate_e6,
        broker.bound_share_e6, broker.status, ${cause}, ${now}
      from broker left join broker as parent on parent.id = broker.parent_broker_id
      where broker.id = ${brokerId} or broker.parent_broker_id = ${brokerId}
      order by broker.id <> ${brokerId}, broker.account
      returning account, terms_version`.execute(tx);
    if (rows.length === 0) throw new Error(`there is no broker ${brokerId}`);
    let ref = "";
    for (const { account, terms_version } of rows) ref = await this.tell(tx, account, terms_version);
    return { versions: rows, ref };
  }

  /** The customer's fills carry whatever version the broker's own account has, from now on. A wallet is bound once. */
  async follow(tx: Tx, account: number, leader: number): Promise<string> {
    const ref = `follow-terms:${account}`;
    const payload = { kind: "follow_terms", account, leader };
    await this.#options.outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref, payload });
    return ref;
  }

  /** The account's own fills carry `carried`, for which the row of `version` is the reason. */
  async tell(tx: Tx, account: number, version: bigint, carried = version): Promise<string> {
    const ref = `terms:${version}`;
    const payload = { kind: "set_terms", account, version: Number(carried) };
    await this.#options.outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref, payload });
    return ref;
  }

  /**
   * Resolves once the engine has what was told under that name, and everything told before it. To be called after the
   * commit: what was decided stands, so a late answer is no failure.
   */
  async told(ref: string): Promise<void> {
    const { dispatcher, outcomes, log } = this.#options;
    dispatcher.notify();
    const outcome = await outcomes.wait(ref, ENGINE_TIMEOUT_ms);
    if (outcome?.refused !== undefined) log.error({ ref, ...outcome.refused }, "the engine refused a change of terms");
  }
}
