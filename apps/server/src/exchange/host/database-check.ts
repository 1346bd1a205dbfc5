import { extendDigest, NO_DIGEST, RULES_WITH_REFERENCES, type State } from "@bourse/engine";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import { accountsDb } from "../accounts/tables.ts";
import type { Wallets } from "../journal/wallets.ts";

export interface DatabaseCheckOptions {
  readonly database: Pick<Database, "db">;
  /** After the last command of the log. */
  readonly state: State;
  readonly wallets: Pick<Wallets, "of">;
}

/** The database does not belong to the log, or is older or newer than it. Nothing is served then. */
export class DatabaseMismatch extends StartRefusal {
  constructor(what: string) {
    super(`${what} Start with the database and the log of one backup: "npm run restore" puts both in place.`);
    this.name = "DatabaseMismatch";
  }
}

/** Openings and markets are numbered messages, but by rules 3 the engine does not count their numbers. */
const UNCOUNTED = ["open_account", "add_market", "set_market_status"];
const ROWS_PER_READ = 10_000;

/**
 * LOG-2: holds the database against the log before anything is served. Every account has the log's wallet and no other, and
 * the numbered messages of the outbox are those that the engine has seen, by number and reference. Rules 3 have neither wallets nor
 * references in the log: there only the number of accounts and the last number of a message can be compared.
 */
export async function checkDatabase(options: DatabaseCheckOptions): Promise<void> {
  const decided = await checkWallets(options);
  await checkUnopened(options.database, decided, options.state.accounts.count);
  await checkOutbox(options);
}

/** Only that every account has its wallet, for a process whose engine may be behind the database. Answers how many rows there are. */
export async function checkWallets({ database, state, wallets }: DatabaseCheckOptions): Promise<number> {
  const db = accountsDb(database);
  const { count } = state.accounts;
  const addresses = new Map<number, string>();
  for (let last = 0; ; ) {
    const rows = await db
      .selectFrom("exchange_account")
      .select(["account", "address"])
      .where("account", ">", last)
      .orderBy("account")
      .limit(ROWS_PER_READ)
      .execute();
    for (const { account, address } of rows) addresses.set(account, address);
    if (rows.length < ROWS_PER_READ) break;
    last = rows.at(-1)!.account;
  }
  const missing: number[] = [];
  for (let account = 1; account <= count; account += 1) {
    const address = addresses.get(account);
    if (address === undefined) missing.push(account);
    else if ((wallets.of(account) ?? address) !== address) {
      throw new DatabaseMismatch(`Account ${account} has another wallet in the database than in the log.`);
    }
  }
  if (missing.length > 0) {
    const which = `${missing.length} of the log's ${count} accounts, the first of them account ${missing[0]}`;
    throw new DatabaseMismatch(`The database is older than the log: it lacks ${which}.`);
  }
  return addresses.size;
}

/** Accounts that the engine does not have yet wait for it in the outbox. */
async function checkUnopened({ db }: Pick<Database, "db">, decided: number, opened: number): Promise<void> {
  if (decided <= opened) return;
  const { rows } = await sql<{ account: number }>`
    select account from exchange_account
    where account > ${opened} and not exists (
      select 1 from outbox where ref = 'open-account:' || account and delivered_at is null)
    order by account limit 1`.execute(db);
  const [lost] = rows;
  if (lost === undefined) return;
  const where = `account ${lost.account} was opened, and the log has ${opened} accounts`;
  throw new DatabaseMismatch(
    `The log is older than the database, or part of it is lost: the database says that ${where}.`,
  );
}

async function checkOutbox({ database, state }: DatabaseCheckOptions): Promise<void> {
  const { externalNumber } = state;
  const hasReferences = state.rulesVersion >= RULES_WITH_REFERENCES;
  const { last, delivered } = await outboxEnds(database, hasReferences);
  if (last < externalNumber) {
    const behind = `its outbox ends with message ${last}, the log with message ${externalNumber}`;
    throw new DatabaseMismatch(`The database is older than the log by ${externalNumber - last} messages: ${behind}.`);
  }
  if (delivered > externalNumber) {
    const lost = `the database says that message ${delivered} was delivered, the log ends with message ${externalNumber}`;
    throw new DatabaseMismatch(`The log is older than the database, or part of it is lost: ${lost}.`);
  }
  if (!hasReferences) return;
  const from = state.referencesFrom;
  if ((await digestOf(database, from, externalNumber)) === state.externalDigest) return;
  const numbers = `${from + 1} to ${externalNumber}`;
  throw new DatabaseMismatch(`The database has other messages than the log under the numbers ${numbers}.`);
}

/** The last message that has a number, and the last that was delivered; only those whose numbers the engine counts. */
async function outboxEnds({ db }: Pick<Database, "db">, countsAll: boolean) {
  const { rows } = await sql<{ last: bigint; delivered: bigint }>`
    select coalesce(max(dispatch_seq), 0) as last,
           coalesce(max(dispatch_seq) filter (where delivered_at is not null), 0) as delivered
    from outbox
    where topic = ${COMMAND_TOPIC} and (${countsAll} or payload ->> 'kind' <> all (${UNCOUNTED}::text[]))`.execute(db);
  const { last = 0n, delivered = 0n } = rows[0] ?? {};
  return { last: Number(last), delivered: Number(delivered) };
}

/** As the engine computes it (LOG-1). A message that is missing gives another digest, as one does that was changed. */
async function digestOf({ db }: Pick<Database, "db">, from: number, to: number): Promise<string> {
  let digest = NO_DIGEST;
  for (let last = from; last < to; ) {
    const rows = await db
      .selectFrom("outbox")
      .select(["dispatch_seq", "ref"])
      .where("dispatch_seq", ">", BigInt(last))
      .where("dispatch_seq", "<=", BigInt(to))
      .orderBy("dispatch_seq")
      .limit(ROWS_PER_READ)
      .execute();
    for (const { dispatch_seq, ref } of rows) digest = extendDigest(digest, Number(dispatch_seq), ref);
    if (rows.length < ROWS_PER_READ) break;
    last = Number(rows.at(-1)!.dispatch_seq);
  }
  return digest;
}
