import { setImmediate as nextTurn } from "node:timers/promises";
import type { Command, State } from "@bourse/engine";
import { sql } from "kysely";
import {
  type Applied,
  appliedOf,
  checkReferences,
  checkWallets,
  DatabaseMismatch,
  outboxEnds,
  readCursor,
  type Wallets,
} from "../exchange/index.ts";
import type { Database } from "../kernel/database/database.ts";
import { answerTo } from "../kernel/engine-requests/answers.ts";
import { count, Progress, type Say } from "../kernel/progress.ts";
import { RebuildFault } from "./fault.ts";
import type { LogWalk, RebuildLog } from "./log.ts";
import { payloadOf } from "./requests.ts";
import { type Accounts, movesOf, type Tail, type TailMessage } from "./tail.ts";

/** What the log has that the database lacks, found without writing anything. */
export interface Survey {
  /** The projector's cursor, and the last command of the log. */
  readonly cursor: number;
  readonly last: number;
  /** Requests of the outside world whose rows the database lacks. */
  readonly requests: number;
  readonly tail: Tail;
  /** After the last command of the log. */
  readonly state: State;
  readonly wallets: Wallets;
}

const TURN_EVERY_commands = 4_096;
const EMPTY_DATABASE = "rebuild into an empty database instead, which then has only what log and chain know";

/**
 * Replays the log and holds the database against it. Up to the last command that the database has seen or has marked as delivered
 * both must agree; what the database has decided beyond that may be in the log or not, and becomes the tail.
 */
export async function survey(database: Pick<Database, "db">, log: RebuildLog, say: Say): Promise<Survey> {
  const cursor = (await readCursor(database.db)).command_number;
  const walk = log.walkFrom(cursor);
  const surveyor = new Surveyor(database, walk, cursor);
  const progress = new Progress(say, (done) => `comparing the database with the log: ${count(done)} commands`);
  await surveyor.begin();
  let turn = 0;
  for (const command of walk.commands()) {
    await surveyor.see(command);
    turn += 1;
    if (turn % TURN_EVERY_commands !== 0) continue;
    progress.add(TURN_EVERY_commands);
    await nextTurn();
  }
  return surveyor.end();
}

class Surveyor {
  readonly #database: Pick<Database, "db">;
  readonly #walk: LogWalk;
  readonly #cursor: number;
  #delivered = 0;
  /** Set once the log has come to where the database certainly was. */
  #agreed: { readonly accounts: number; readonly external: number } | undefined;
  #messages = new Map<string, TailMessage>();
  #accounts: Accounts = [];
  readonly #opened = new Map<number, Date>();
  #requests = 0;

  constructor(database: Pick<Database, "db">, walk: LogWalk, cursor: number) {
    this.#database = database;
    this.#walk = walk;
    this.#cursor = cursor;
  }

  async begin(): Promise<void> {
    const { state } = this.#walk.engine;
    this.#delivered = (await outboxEnds(this.#database, state.rulesVersion)).delivered;
    await this.#look();
  }

  async see(command: Command): Promise<void> {
    if (this.#agreed === undefined) return await this.#look();
    // Most commands are orders, whose events nobody asks for here.
    if (!("number" in command)) return;
    const applied = appliedOf(this.#walk.engine, command);
    const heard = answerTo(applied);
    if (heard === undefined) return;
    this.#requests += 1;
    const { reference } = command;
    if (reference === undefined) throw withoutReferences(heard.seq);
    if (command.kind === "open_account") this.#opened.set(command.account, new Date(applied.time_ms));
    const waiting = this.#messages.get(reference);
    if (waiting !== undefined) this.#met(waiting, applied);
  }

  end(): Survey {
    const { engine, wallets } = this.#walk;
    const { state } = engine;
    if (this.#agreed === undefined) {
      const seen = `the database has seen command ${this.#cursor} and delivered message ${this.#delivered}`;
      const found = `the log ends with command ${state.commandNumber} and message ${state.externalNumber}`;
      throw new RebuildFault(
        `The log is older than the database, or part of it is lost: ${seen}, ${found}. Restore the log, or a whole backup with "npm run restore".`,
      );
    }
    const { accounts } = this.#agreed;
    const openings = Array.from({ length: state.accounts.count - accounts }, (_, place) => {
      const account = accounts + 1 + place;
      const address = wallets.of(account);
      if (address === undefined) throw withoutWallet(account);
      return { account, address, opened_at: this.#opened.get(account)! };
    });
    const moves = movesOf(this.#accounts, openings, state.accounts.count);
    const messages = [...this.#messages.values()];
    for (const message of messages) assertMovable(message, new Set(moves.map(({ from }) => from)));
    const tail = { ...this.#agreed, openings, moves, messages };
    return { cursor: this.#cursor, last: state.commandNumber, requests: this.#requests, tail, state, wallets };
  }

  /** Compares everything, where the log has come to what the database has certainly seen. */
  async #look(): Promise<void> {
    const { state } = this.#walk.engine;
    const { commandNumber, externalNumber, accounts } = state;
    if (commandNumber < this.#cursor || externalNumber < this.#delivered) return;
    const { wallets } = this.#walk;
    try {
      await checkWallets({ database: this.#database, state, wallets });
      await checkReferences(this.#database, state);
    } catch (error) {
      if (!(error instanceof DatabaseMismatch)) throw error;
      const place = `Up to command ${commandNumber}, which it has seen, the database does not belong to the log`;
      throw new RebuildFault(`${place} (${error.what}): ${EMPTY_DATABASE}.`);
    }
    this.#agreed = { accounts: accounts.count, external: externalNumber };
    this.#messages = await waitingMessages(this.#database, externalNumber);
    this.#accounts = await accountsAfter(this.#database, accounts.count);
  }

  /** The log has a request of the same reference: it must be the same one. An opening is recognised by its wallet instead. */
  #met(message: TailMessage, { command }: Applied): void {
    const { kind } = message.payload;
    if (kind === "open_account" || kind === "deposit") return;
    const logged = Object.entries(payloadOf(command));
    const differing = logged.find(([name, value]) => JSON.stringify(message.payload[name]) !== JSON.stringify(value));
    if (differing === undefined) return;
    throw new RebuildFault(
      `"${message.ref}" says something else in the database than in the log (${differing[0]}): ${EMPTY_DATABASE}.`,
    );
  }
}

/** Deposits follow their wallet to another account. Whatever else was decided for an account may depend on more than its number. */
function assertMovable({ ref, payload }: TailMessage, moved: ReadonlySet<number>): void {
  const { kind, account } = payload;
  if (kind === "open_account" || kind === "deposit" || typeof account !== "number" || !moved.has(account)) return;
  throw new RebuildFault(
    `The database has decided "${ref}" for account ${account}, whose number is another wallet's in the log: ${EMPTY_DATABASE}.`,
  );
}

const OLDER_RULES =
  'Restore a backup ("npm run restore") that was made after it, or the newest one, and raise its rules with "npm run upgrade"';

const withoutReferences = (seq: number) =>
  new RebuildFault(
    `Message ${seq} of the log has no reference, because the log was at rules version 3 then, and the database lacks it. ${OLDER_RULES}.`,
  );

const withoutWallet = (account: number) =>
  new RebuildFault(
    `The log does not say whose account ${account} is, because it was at rules version 3 when it was opened, and the database lacks it. ${OLDER_RULES}.`,
  );

async function waitingMessages({ db }: Pick<Database, "db">, after: number): Promise<Map<string, TailMessage>> {
  const { rows } = await sql<TailMessage>`
    select id, ref, payload from outbox where dispatch_seq is null or dispatch_seq > ${after} order by id`.execute(db);
  return new Map(rows.map((row) => [row.ref, row]));
}

async function accountsAfter({ db }: Pick<Database, "db">, after: number): Promise<Accounts> {
  const { rows } = await sql<Accounts[number]>`
    select account, address, opened_at from exchange_account where account > ${after} order by account`.execute(db);
  return rows;
}
