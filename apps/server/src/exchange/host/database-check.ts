import { RULES_WITH_REFERENCES, type State } from "@bourse/engine";
import { sql } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import { COMMAND_TOPIC } from "../../kernel/engine-requests/engine-requests.ts";
import { edgeBehind, type OutboxEdge, readEdge } from "../../kernel/outbox/edge.ts";
import { StartRefusal } from "../../kernel/start-refusal.ts";
import { accountsDb } from "../accounts/tables.ts";
import type { Wallets } from "../journal/wallets.ts";

export interface DatabaseCheckOptions {
  readonly database: Pick<Database, "db">;
  /** After the last command of the log; of a running engine, which may go on meanwhile. */
  readonly state: State;
  readonly wallets: Pick<Wallets, "of">;
  /** How many accounts must be there, if memory knows more of them than the engine. */
  readonly accounts?: number;
}

/** What the engine has seen. Taken at one instant: the rows that it means do not change any more. */
type Seen = Pick<State, "externalNumber" | "externalDigest" | "referencesFrom" | "rulesVersion">;

const seenBy = ({ externalNumber, externalDigest, referencesFrom, rulesVersion }: State): Seen => ({
  externalNumber,
  externalDigest,
  referencesFrom,
  rulesVersion,
});

/** The database does not belong to the log, or is older or newer than it. Nothing is served then. */
export class DatabaseMismatch extends StartRefusal {
  readonly what: string;

  constructor(what: string, mending = RESTORE) {
    super(`${what} ${mending}`);
    this.name = "DatabaseMismatch";
    this.what = what;
  }
}

const RESTORE = 'Start with the database and the log of one backup: "npm run restore" puts both in place.';
/** LOG-3: what the log knows can be written into a database that lacks it. */
const REBUILD = '"npm run rebuild", with the same settings, writes into the database what the log knows.';

/** Openings and markets are numbered messages, but by rules 3 the engine does not count their numbers. */
const UNCOUNTED = ["open_account", "add_market", "set_market_status"];
const ROWS_PER_READ = 10_000;

/**
 * LOG-2: holds the database against the log before anything is served. Every account has the log's wallet and no other, and
 * the numbered messages of the outbox are those that the engine has seen, by number and reference. Rules 3 have neither wallets nor
 * references in the log: there only the number of accounts and the last number of a message can be compared.
 */
export async function checkDatabase(options: DatabaseCheckOptions): Promise<void> {
  const { database, state, accounts = state.accounts.count } = options;
  const seen = seenBy(state);
  const decided = await checkWallets({ ...options, accounts });
  await checkUnopened(database, decided, accounts);
  await checkOutbox(database, seen, true);
}

/** The same for a process whose engine may be behind the database: only that nothing is missing. */
export async function checkNotBehind(options: DatabaseCheckOptions): Promise<void> {
  const seen = seenBy(options.state);
  await checkWallets(options);
  await checkOutbox(options.database, seen, false);
}

/** Only that every account has its wallet. Answers how many rows there are. */
export async function checkWallets(options: DatabaseCheckOptions): Promise<number> {
  const { database, state, wallets, accounts = state.accounts.count } = options;
  const db = accountsDb(database);
  let [rowCount, last, missing, firstMissing] = [0, 0, 0, 0];
  const lack = (before: number) => {
    const gap = Math.max(0, Math.min(before, accounts + 1) - (last + 1));
    if (missing === 0 && gap > 0) firstMissing = last + 1;
    missing += gap;
  };
  for (let isMore = true; isMore; ) {
    const rows = await db
      .selectFrom("exchange_account")
      .select(["account", "address"])
      .where("account", ">", last)
      .orderBy("account")
      .limit(ROWS_PER_READ)
      .execute();
    for (const { account, address } of rows) {
      lack(account);
      last = account;
      if ((wallets.of(account) ?? address) === address) continue;
      throw new DatabaseMismatch(`Account ${account} has another wallet in the database than in the log.`, REBUILD);
    }
    rowCount += rows.length;
    isMore = rows.length === ROWS_PER_READ;
  }
  lack(accounts + 1);
  if (missing > 0) {
    const which = `${missing} of the log's ${accounts} accounts, the first of them account ${firstMissing}`;
    throw new DatabaseMismatch(`The database is older than the log: it lacks ${which}.`, REBUILD);
  }
  return rowCount;
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

/** `isCurrent`: the engine is at the end of the log, so that it has everything that was delivered. */
async function checkOutbox(database: Pick<Database, "db">, seen: Seen, isCurrent: boolean): Promise<void> {
  const { externalNumber } = seen;
  const { last, delivered } = await outboxEnds(database, seen.rulesVersion);
  if (last < externalNumber) {
    const behind = `its outbox ends with message ${last}, the log with message ${externalNumber}`;
    const older = `The database is older than the log by ${externalNumber - last} messages: ${behind}.`;
    throw new DatabaseMismatch(older, REBUILD);
  }
  if (isCurrent && delivered > externalNumber) {
    const lost = `the database says that message ${delivered} was delivered, the log ends with message ${externalNumber}`;
    throw new DatabaseMismatch(`The log is older than the database, or part of it is lost: ${lost}.`);
  }
  await checkReferences(database, seen);
}

/** The messages that the engine has seen are those of the outbox, by number and reference, from the edge to which it was pruned. */
export async function checkReferences(database: Pick<Database, "db">, seen: Seen): Promise<void> {
  if (seen.rulesVersion < RULES_WITH_REFERENCES) return;
  const pruned = await readEdge(database.db);
  // The engine is far behind the database: there is no message left to compare.
  if (pruned.number > seen.externalNumber) return;
  if ((await digestOf(database, pruned, seen)) === seen.externalDigest) return;
  // Messages were pruned while they were read.
  if ((await readEdge(database.db)).number > pruned.number) return await checkReferences(database, seen);
  const numbers = `${Math.max(seen.referencesFrom, pruned.number) + 1} to ${seen.externalNumber}`;
  throw new DatabaseMismatch(`The database has other messages than the log under the numbers ${numbers}.`, REBUILD);
}

/**
 * The last message that has a number, and the last that was delivered; only those whose numbers the engine counts. What was pruned was
 * delivered.
 */
export async function outboxEnds({ db }: Pick<Database, "db">, rulesVersion: number) {
  const countsAll = rulesVersion >= RULES_WITH_REFERENCES;
  const { rows } = await sql<{ last: bigint; delivered: bigint }>`
    select coalesce(max(dispatch_seq), 0) as last,
           coalesce(max(dispatch_seq) filter (where delivered_at is not null), 0) as delivered
    from outbox
    where topic = ${COMMAND_TOPIC} and (${countsAll} or payload ->> 'kind' <> all (${UNCOUNTED}::text[]))`.execute(db);
  const { last = 0n, delivered = 0n } = rows[0] ?? {};
  const { number: pruned } = await readEdge(db);
  return { last: Math.max(Number(last), pruned), delivered: Math.max(Number(delivered), pruned) };
}

/** As the engine computes it (LOG-1), from the edge on. Undefined if a message is missing. */
async function digestOf(
  { db }: Pick<Database, "db">,
  pruned: OutboxEdge,
  { referencesFrom, externalNumber }: Seen,
): Promise<string | undefined> {
  let edge = { ...pruned, number: Math.max(pruned.number, referencesFrom) };
  while (edge.number < externalNumber) {
    const rows = await db
      .selectFrom("outbox")
      .select(["dispatch_seq", "ref"])
      .where("dispatch_seq", ">", BigInt(edge.number))
      .where("dispatch_seq", "<=", BigInt(externalNumber))
      .orderBy("dispatch_seq")
      .limit(ROWS_PER_READ)
      .execute();
    const messages = rows.map(({ dispatch_seq, ref }) => ({ number: Number(dispatch_seq), ref }));
    if (messages[0]?.number !== edge.number + 1 || messages.at(-1)!.number !== edge.number + messages.length) return;
    edge = edgeBehind(edge, messages, referencesFrom);
  }
  return edge.digest;
}
