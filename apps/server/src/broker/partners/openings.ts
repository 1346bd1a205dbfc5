import { sql } from "kysely";
import type { AccountDirectory, OpenedAccount } from "../../exchange/index.ts";
import type { Tx } from "../../kernel/database/database.ts";
import { BINDS, CODES, noteBrokers, noteRows } from "../noted.ts";
import type { BrokerOptions } from "../options.ts";
import type { Terms } from "./terms.ts";

export interface OpeningsOptions extends Pick<BrokerOptions, "engineRequests"> {
  readonly directory: Pick<AccountDirectory, "decideAll" | "atOpening">;
  readonly terms: Terms;
}

interface BoundAccount {
  readonly account: number;
  readonly code_id: number;
  /** The inviter whose terms a customer follows; null for a wallet that its code made a broker. */
  readonly leader: string | null;
}

/**
 * SEC-11: roles and binds of wallets without an account are kept by wallet, and the engine and the log hear of them when the account
 * is opened, before any money arrives. A customer follows its broker's account, so the first customer with an account opens the
 * broker's account too: there are at most twice as many accounts as wallets that have had money.
 */
export class PartnerOpenings {
  readonly #options: OpeningsOptions;

  constructor(options: OpeningsOptions) {
    this.#options = options;
    options.directory.atOpening(async (tx, opened) => void (await this.opened(tx, opened)));
  }

  /**
   * Makes what these wallets have in the program effective for their accounts. Returns the outbox reference of the last command.
   * The caller holds the directory's lock, as binds and new brokers do, so none of the wallets gets a bind or a role meanwhile.
   */
  async opened(tx: Tx, opened: readonly OpenedAccount[]): Promise<string | undefined> {
    if (!(await isAnyoneKept(tx, opened))) return undefined;
    const { terms } = this.#options;
    await terms.lock(tx);
    const brokers = await assignBrokers(tx, opened);
    const bound = await assignBinds(tx, opened);
    await this.#note(tx, brokers, bound);
    let ref: string | undefined;
    for (const id of brokers) ref = (await terms.raise(tx, id, "created")).ref ?? ref;
    return (await this.#follow(tx, bound)) ?? ref;
  }

  /** LOG-3: each row after those that it refers to. */
  async #note(tx: Tx, brokers: readonly string[], bound: readonly BoundAccount[]): Promise<void> {
    const { engineRequests } = this.#options;
    const parents = sql`select parent_broker_id from broker as below where below.id = any(${brokers}::uuid[])`;
    await noteBrokers(
      engineRequests,
      tx,
      sql`one.id = any(${brokers}::uuid[]) or one.account is null and one.id in (${parents})`,
    );
    const codes = bound.map(({ code_id }) => code_id);
    const accounts = bound.map(({ account }) => account);
    await noteRows(engineRequests, tx, CODES, sql`one.id = any(${codes}::int[])`);
    await noteRows(engineRequests, tx, BINDS, sql`one.account = any(${accounts}::int[])`);
  }

  async #follow(tx: Tx, bound: readonly BoundAccount[]): Promise<string | undefined> {
    const { directory, terms } = this.#options;
    const leaders = [...new Set(bound.flatMap(({ leader }) => leader ?? []))];
    if (leaders.length === 0) return undefined;
    const accounts = await directory.decideAll(tx, leaders);
    let ref: string | undefined;
    for (const { account, leader } of bound) {
      if (leader !== null) ref = await terms.follow(tx, account, accounts.get(leader)!);
    }
    return ref;
  }
}

/** The wallets as a table `opened`. */
const tableOf = (opened: readonly OpenedAccount[]) => sql`
  unnest(${opened.map(({ address }) => address)}::text[], ${opened.map(({ account }) => account)}::int[])
    as opened (address, account)`;

async function isAnyoneKept(tx: Tx, opened: readonly OpenedAccount[]): Promise<boolean> {
  const wallets = opened.map(({ address }) => address);
  const { rows } = await sql`
    select from broker where account is null and wallet_address = any(${wallets}::text[])
    union all
    select from broker_bind where account is null and wallet_address = any(${wallets}::text[])
    limit 1`.execute(tx);
  return rows.length > 0;
}

async function assignBrokers(tx: Tx, opened: readonly OpenedAccount[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with assigned as (
      update broker set account = opened.account from ${tableOf(opened)}
      where broker.wallet_address = opened.address and broker.account is null
      returning broker.id, broker.account
    )
    select id from assigned order by account`.execute(tx);
  return rows.map(({ id }) => id);
}

async function assignBinds(tx: Tx, opened: readonly OpenedAccount[]): Promise<readonly BoundAccount[]> {
  const { rows } = await sql<BoundAccount>`
    with assigned as (
      update broker_bind set account = opened.account from ${tableOf(opened)}
      where broker_bind.wallet_address = opened.address and broker_bind.account is null
      returning broker_bind.account, code_id, code_type, inviter_broker_id
    )
    select assigned.account, code_id, inviter.wallet_address as leader
    from assigned
    left join broker as inviter on inviter.id = inviter_broker_id and code_type = 'direct'
    order by assigned.account`.execute(tx);
  return rows;
}
