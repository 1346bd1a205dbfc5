import { setTimeout as delay } from "node:timers/promises";
import { disclosureOf } from "@bourse/engine";
import { sql, type Transaction } from "kysely";
import type { Clock } from "../../kernel/clock.ts";
import type { Database, Tx } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { EngineRequest, EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { within } from "../../kernel/wait.ts";
import { type Applied, type Exchange, ExchangeUnavailable } from "../host/exchange.ts";
import { type KeptByWallet, OPENING_LOCK, takeKept } from "./kept-settings.ts";
import { accountsDb, type ExchangeAccountTables } from "./tables.ts";

export interface DirectoryOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly engineRequests: Pick<EngineRequests, "tellAll" | "notify">;
  readonly exchange: Pick<Exchange, "engine" | "listen">;
  /** Receives the error of a failed read of accounts that other processes opened; the read is repeated. */
  readonly onError?: (error: unknown) => void;
  readonly maxOpening_ms?: number;
}

export interface OpenedAccount {
  readonly account: number;
  readonly address: string;
}

/** Writes what belongs to new accounts; called in the transaction that opens them, once for all of them. */
export type OpeningStep = (tx: Tx, opened: readonly OpenedAccount[]) => Promise<void>;

const READ_AGAIN_ms = 200;
/** Much longer than an opening takes. Bounds the wait while the exchange is stopped. */
const MAX_OPENING_ms = 10_000;
/** SEC-11: what the wallet has chosen before goes with the opening. */
const openingOf = ({ account, address }: OpenedAccount, kept: KeptByWallet): EngineRequest => {
  const settings = kept.get(address);
  const command = { kind: "open_account", account } as const;
  return {
    ref: `open-account:${account}`,
    command: settings === undefined ? command : { ...command, settings },
    secret: address,
  };
};

/**
 * Maps wallets to accounts of the engine. The database decides: a transaction assigns the number, once per wallet, and
 * the engine opens accounts in the same sequence. Memory holds a copy for every request.
 */
export class AccountDirectory {
  readonly #options: DirectoryOptions;
  readonly #numbers = new Map<string, number>();
  readonly #addresses: (string | undefined)[] = [""];
  /** All accounts up to this number are in memory. */
  #knownUpTo = 0;
  /** Accounts that have a number but that the engine has not opened yet. */
  readonly #opening = new Map<number, PromiseWithResolvers<void>>();
  readonly #openingSteps: OpeningStep[] = [];
  readonly #onKnown: ((account: number, address: string) => void)[] = [];
  /** Runs while the wallets of accounts that other processes opened are read. */
  #reading: Promise<void> | undefined;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    options.exchange.listen((applied) => this.#onApplied(applied));
  }

  /** Reads new accounts from the database: at the start, and after another process has assigned a number. */
  async load(): Promise<void> {
    const rows = await accountsDb(this.#options.database)
      .selectFrom("exchange_account")
      .select(["account", "address"])
      .where("account", ">", this.#knownUpTo)
      .orderBy("account")
      .execute();
    for (const { account, address } of rows) this.#remember(account, address);
  }

  /** The account of a wallet (lower case); undefined if it has none. Never waits. */
  numberOf(address: string): number | undefined {
    const account = this.#numbers.get(address);
    return account !== undefined && account <= this.#options.exchange.engine.state.accounts.count ? account : undefined;
  }

  /** The wallets of all accounts up to this one are known, also of those that the engine has not opened yet. */
  get knownUpTo(): number {
    return this.#knownUpTo;
  }

  /** Calls the listener once for every account whose wallet becomes known. */
  onKnown(listener: (account: number, address: string) => void): void {
    this.#onKnown.push(listener);
  }

  /** Resolves when the wallets of all accounts of the engine are known; undefined if they are known already. */
  current(): Promise<void> | undefined {
    return this.#reading;
  }

  addressOf(account: number): string | undefined {
    return this.#addresses[account];
  }

  /**
   * The account of a wallet; opens one if there is none and resolves when the engine has it. Rejects with
   * ExchangeUnavailable after a timeout; the number stays assigned, and the account is opened when the exchange runs
   * again. SEC-11: not for requests of clients, which open no accounts.
   */
  async ensure(address: string): Promise<number> {
    const known = this.numberOf(address);
    if (known !== undefined) return known;
    return await this.reached(this.#numbers.get(address) ?? (await this.#decide(address)), address);
  }

  /** Resolves with the account, whose number the database has given to the wallet, when the engine has it; rejects as `ensure` does. */
  async reached(account: number, address: string): Promise<number> {
    this.#remember(account, address);
    if (account > this.#options.exchange.engine.state.accounts.count) await this.#opened(account);
    return account;
  }

  /** Adds a step that runs with every account opened from now on; commands that it writes come after the opening. */
  atOpening(step: OpeningStep): void {
    this.#openingSteps.push(step);
  }

  /**
   * The accounts of those wallets (lower case) that have one. Until the transaction ends no other account can be
   * opened.
   */
  async numbersOf(tx: Tx, addresses: readonly string[]): Promise<Map<string, number>> {
    await lockInTransaction(tx, OPENING_LOCK);
    const { rows } = await sql<OpenedAccount>`
      select account, address from exchange_account where address = any(${addresses}::text[])`.execute(tx);
    return new Map(rows.map(({ account, address }) => [address, account]));
  }

  /** Assigns a number in the caller's transaction. The caller calls `load` after the commit. */
  async decide(tx: Tx, address: string): Promise<number> {
    const { clock, engineRequests } = this.#options;
    const accounts = tx as unknown as Transaction<ExchangeAccountTables>;
    await lockInTransaction(tx, OPENING_LOCK);
    const found = await accounts
      .selectFrom("exchange_account")
      .select("account")
      .where("address", "=", address)
      .executeTakeFirst();
    if (found !== undefined) return found.account;
    const last = await accounts
      .selectFrom("exchange_account")
      .select((eb) => eb.fn.max("account").as("account"))
      .executeTakeFirst();
    const next = (last?.account ?? 0) + 1;
    await accounts
      .insertInto("exchange_account")
      .values({ account: next, address, opened_at: new Date(clock.now()) })
      .execute();
    const kept = await takeKept(tx, [address]);
    await engineRequests.tellAll(tx, [openingOf({ account: next, address }, kept)]);
    for (const step of this.#openingSteps) await step(tx, [{ account: next, address }]);
    return next;
  }

  /** Does the same for many distinct wallets (lower case), with a constant number of statements. */
  async decideAll(tx: Tx, addresses: readonly string[]): Promise<Map<string, number>> {
    const { clock, engineRequests } = this.#options;
    const known = await this.numbersOf(tx, addresses);
    const missing = addresses.filter((address) => !known.has(address));
    if (missing.length === 0) return known;
    const { rows } = await sql<OpenedAccount>`
      insert into exchange_account (account, address, opened_at)
      select (select coalesce(max(account), 0) from exchange_account) + place, address, ${new Date(clock.now())}::timestamptz
      from unnest(${missing}::text[]) with ordinality as wallet (address, place)
      returning account, address`.execute(tx);
    const opened = rows.toSorted((a, b) => a.account - b.account);
    const kept = await takeKept(tx, missing);
    await engineRequests.tellAll(
      tx,
      opened.map((one) => openingOf(one, kept)),
    );
    for (const step of this.#openingSteps) await step(tx, opened);
    for (const { account, address } of opened) known.set(address, account);
    return known;
  }

  /** LOG-1: writes requests that commit every account to its wallet, for accounts that were opened without a commitment. */
  async commitWallets(tx: Tx): Promise<void> {
    await lockInTransaction(tx, OPENING_LOCK);
    const accounts = tx as unknown as Transaction<ExchangeAccountTables>;
    const rows = await accounts
      .selectFrom("exchange_account")
      .select(["account", "address"])
      .orderBy("account")
      .execute();
    await this.#options.engineRequests.tellAll(
      tx,
      rows.map(({ account, address }) => ({
        ref: `wallet:${account}`,
        command: { kind: "commit_wallet", account },
        secret: address,
      })),
    );
  }

  async #decide(address: string): Promise<number> {
    const { database, engineRequests } = this.#options;
    const account = await database.db.transaction().execute((tx) => this.decide(tx, address));
    engineRequests.notify();
    return account;
  }

  async #opened(account: number): Promise<void> {
    let waiter = this.#opening.get(account);
    if (waiter === undefined) {
      waiter = Promise.withResolvers<void>();
      this.#opening.set(account, waiter);
    }
    const late = () => new ExchangeUnavailable("the account could not be opened in time");
    await within(waiter.promise, this.#options.maxOpening_ms ?? MAX_OPENING_ms, late);
  }

  #remember(account: number, address: string): void {
    this.#numbers.set(address, account);
    while (this.#addresses.length < account) this.#addresses.push(undefined);
    this.#addresses[account] = address;
    while (this.#addresses[this.#knownUpTo + 1] !== undefined) this.#knownUpTo += 1;
    for (const listener of this.#onKnown) listener(account, address);
  }

  #onApplied({ command, events }: Applied): void {
    for (const event of events) {
      if (event.kind !== "account_opened") continue;
      // LOG-1: the log itself knows the wallet.
      const wallet = disclosureOf(command)?.fields;
      if (wallet !== undefined) this.#remember(event.account, wallet);
      this.#opening.get(event.account)?.resolve();
      this.#opening.delete(event.account);
      if (this.#addresses[event.account] === undefined) this.#reading ??= this.#readOthers();
    }
  }

  /** Reads accounts that another process opened. Their rows are committed before the engine receives the command. */
  async #readOthers(): Promise<void> {
    const { exchange, onError = () => {} } = this.#options;
    while (this.#knownUpTo < exchange.engine.state.accounts.count) {
      await this.load().catch(async (error: unknown) => {
        onError(error);
        await delay(READ_AGAIN_ms);
      });
    }
    this.#reading = undefined;
  }
}
