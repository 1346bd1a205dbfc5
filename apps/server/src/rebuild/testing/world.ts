import { definitionOf, Engine, FIRST_MARKETS, PLAIN_ORDER } from "@bourse/engine";
import { sql } from "kysely";
import { Prng } from "../../../../../packages/engine/src/book/testing/prng.ts";
import { bonusPart, projectBonus } from "../../bonus/index.ts";
import { bonusTx } from "../../bonus/tables.ts";
import { type Applied, checkDatabase, DatabaseMismatch, Projector, readCursor, Wallets } from "../../exchange/index.ts";
import { rethrow } from "../../exchange/testing/memory-exchange.ts";
import { ManualClock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { MemoryLog } from "../../kernel/journal/command-log.ts";
import { markDelivered, numberMessages, undeliveredMessages } from "../../kernel/outbox/store.ts";
import { randomUuid, seededRandom } from "../../kernel/random.ts";
import { projectWallet, walletPart } from "../../wallet/index.ts";
import type { RebuildPart } from "../part.ts";
import { isFitting, rebuild } from "../rebuild.ts";
import { survey } from "../survey.ts";
import { assertMoney, assertTables, walletOf } from "./audit.ts";
import { FakeVault, VAULT } from "./fake-vault.ts";
import { appliedIn, memoryLogOf } from "./memory-log.ts";
import { startProcess } from "./process.ts";
import { copyTables, putBack, type TableCopy } from "./table-copies.ts";

const START_ms = Date.UTC(2026, 5, 1);
const USDT = 1_000_000;
const CHAIN_KEY = "test.chain_events";
const WALLETS = 6;
const PARTS = [walletPart, bonusPart];
const PROJECTIONS = [projectWallet, projectBonus];
const ALL = 1_000;

/** A copy of the database, and how long log and chain were at that moment. */
export interface Moment {
  readonly copy: TableCopy;
  readonly commands: number;
  readonly events: number;
  /** Part of the log that there was then has been lost since. */
  isLost: boolean;
}

/** How a start looks at the database; all but the first are planted bugs. */
export type Checking = "whole" | "none" | "numbers";

/**
 * An exchange whose every step is taken by hand: decisions, numbering, delivery, marking, projecting, reading the chain and paying.
 * So its database can be copied at any moment, and put back later.
 */
export class World {
  readonly database: Database;
  readonly vault = new FakeVault();
  readonly clock = new ManualClock(START_ms);
  moments: Moment[] = [];
  /** How long the chain was before each command of the log. */
  #eventsBefore: number[] = [];
  /** How long the chain was at the end of the log, if the log was cut and has not gone on since. */
  #logEvents: number | undefined;
  readonly #prng: Prng;
  readonly #random;
  #log = new MemoryLog();
  #applied: Applied[] = [];
  #process!: ReturnType<World["start"]>;
  #campaign = 0;

  constructor(database: Database, seed: number) {
    this.database = database;
    this.#prng = new Prng(seed);
    this.#random = seededRandom(`world ${seed}`);
  }

  get records(): readonly Uint8Array[] {
    return this.#log.records;
  }

  get #db() {
    return this.database.db;
  }

  get state() {
    return this.#process.exchange.engine.state;
  }

  /** A new exchange with an empty database. */
  async begin(empty: TableCopy): Promise<void> {
    await putBack(this.#db, empty);
    this.#process = this.start();
    for (const market of FIRST_MARKETS.slice(0, 1)) {
      await this.#process.exchange.submit({ kind: "add_market", definition: definitionOf(market) });
      await this.#process.exchange.submit({ kind: "set_price", market: 0, indexTicks: 600_000, markTicks: 600_000 });
    }
  }

  /** A process on the database and the log as they are. */
  start() {
    const engine = new Engine();
    this.#applied = appliedIn(this.#log.records, engine);
    const process = startProcess({ ...this.#ground(), engine, log: this.#log });
    process.exchange.listen((applied) => {
      this.#applied.push(applied);
      this.#eventsBefore[applied.number - 1] = this.vault.events.length;
    });
    return process;
  }

  #ground() {
    const { database, clock, vault } = this;
    return { database, clock, vault, random: this.#random };
  }

  /** So many random steps, some of them followed by a copy of the database. */
  async live(steps: number, { trades = false, copies = 30 } = {}): Promise<void> {
    this.#logEvents = undefined;
    for (let step = 0; step < steps; step += 1) {
      this.clock.advance(this.#prng.between(1, 5_000));
      await this.#step(trades);
      if (this.#prng.isIn(copies)) await this.keepMoment();
    }
  }

  async keepMoment(): Promise<void> {
    const copy = await copyTables(this.#db);
    this.moments.push({ copy, commands: this.records.length, events: this.vault.events.length, isLost: false });
  }

  async #step(trades: boolean): Promise<void> {
    const prng = this.#prng;
    const wallet = walletOf(prng.between(1, WALLETS));
    switch (prng.below(trades ? 14 : 10)) {
      case 0:
        return await this.decide(wallet);
      case 1:
      case 2:
        return this.vault.deposit(wallet, prng.between(1, 900) * USDT);
      case 3:
      case 4:
        return await this.sync();
      case 5:
        return await this.#withdraw(wallet, prng.between(1, 400) * USDT);
      case 6:
        return await this.number(prng.between(1, 3));
      case 7:
        return await this.deliver(prng.between(1, 4), prng.isIn(80));
      case 8:
        return await this.#project(prng.between(1, 20));
      case 9:
        return prng.isIn(60) ? void (await this.#process.payments.run()) : await this.#grant(wallet);
      default:
        return await this.#trade();
    }
  }

  /** Gives the wallet an account, which the engine does not have yet. */
  async decide(wallet: string): Promise<void> {
    await this.#db.transaction().execute((tx) => this.#process.directory.decide(tx, wallet));
  }

  async number(limit = ALL): Promise<void> {
    await numberMessages(this.#db, limit, new Date(this.clock.now()));
  }

  /** Reads the chain's new events; the place up to which it has read is in the database. */
  async sync(): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const row = await tx.selectFrom("kernel_state").select("value").where("key", "=", CHAIN_KEY).executeTakeFirst();
      const events = this.vault.events.slice(Number(row?.value ?? 0));
      await this.#process.listener.apply(tx, events);
      const [value, updated_at] = [JSON.stringify(this.vault.events.length), new Date(this.clock.now())];
      await tx
        .insertInto("kernel_state")
        .values({ key: CHAIN_KEY, value, updated_at })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
        .execute();
    });
  }

  async #withdraw(address: string, amount_micros: number): Promise<void> {
    await this.#process.directory.load();
    const to = this.#prng.isIn(20) ? VAULT : address;
    const order = { address, to, amount_micros, request_id: null };
    // It is not answered in time, or the wallet has no account yet.
    await this.#process.withdrawals.request(order).catch(() => undefined);
  }

  async #grant(address: string): Promise<void> {
    const now = new Date(this.clock.now());
    this.#campaign += 1;
    const { rows } = await sql`select from bonus_account where address = ${address} and ended_at is null`.execute(
      this.#db,
    );
    if (rows.length > 0) return;
    const [batch_id, amount_micros] = [randomUuid(this.#random), BigInt(this.#prng.between(1, 50) * USDT)];
    await this.#db.transaction().execute(async (kernelTx) => {
      const tx = bonusTx(kernelTx);
      const campaign = await tx
        .insertInto("bonus_campaign")
        .values({
          name: `campaign ${this.#campaign}`,
          amount_micros,
          validity_days: 7,
          redemption_closes_at: now,
          created_at: now,
          updated_at: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const terms = { grant_tier: "gold", max_leverage: 10 };
      const batch = { id: batch_id, campaign_id: campaign.id, batch_name: "b", per_address_micros: amount_micros };
      const made = { operator_addr: address, created_count: 1, failed_count: 0, created_by: "test", created_at: now };
      await tx
        .insertInto("bonus_batch")
        .values({ ...batch, ...terms, ...made, notes: null })
        .execute();
      await this.#process.issuer.issue(tx, { campaign, batch_id, amount_micros, ...terms, addresses: [address], now });
    });
  }

  async #trade(): Promise<void> {
    const { count } = this.state.accounts;
    if (count === 0) return;
    const order = { ...PLAIN_ORDER, market: 0, lots: this.#prng.between(1, 5), account: this.#prng.between(1, count) };
    const side = this.#prng.pick([0, 1] as const);
    await this.#process.exchange.submit({ ...order, side, ticks: 600_000 + this.#prng.between(-2, 2) });
  }

  /** Some messages; a crash may come before they are marked. */
  async deliver(limit = ALL, marks = true): Promise<void> {
    const messages = await undeliveredMessages(this.#db, limit);
    for (const message of messages) await this.#process.deliver(message);
    const [first, last] = [messages[0], messages.at(-1)];
    if (!marks || first === undefined || last === undefined) return;
    await markDelivered(this.#db, first.seq, last.seq, new Date(this.clock.now()));
  }

  async #project(commands: number): Promise<void> {
    const { database, clock } = this;
    const reread = async function* () {};
    const faults = { onError: rethrow, onFault: rethrow };
    const projector = new Projector({ database, clock, projections: PROJECTIONS, reread, ...faults });
    const cursor = await projector.load();
    const some = this.#applied.slice(cursor, cursor + commands);
    projector.start();
    for (const applied of some) projector.hear(applied);
    if (some.length > 0) await projector.waitFor(some.at(-1)!.number, 60_000);
    await projector.stop();
  }

  /** Until nothing is on its way any more. */
  async settle(): Promise<void> {
    for (let before = -1; before !== this.records.length + this.vault.events.length; ) {
      before = this.records.length + this.vault.events.length;
      await this.sync();
      await this.#process.payments.run();
      await this.number();
      await this.deliver();
      await this.#project(ALL);
    }
  }

  /** The process dies, and the database is another one. Nothing is started. */
  async loseDatabase(copy: TableCopy): Promise<void> {
    await putBack(this.#db, copy);
  }

  /** The log ends with this command, and the chain where it ended then, or with what that database had read of it. */
  async loseLog(commands: number, moment: Moment): Promise<void> {
    this.#logEvents = this.#eventsBefore[commands] ?? this.vault.events.length;
    const records = this.#log.records.slice(0, commands);
    this.#log = new MemoryLog();
    await this.#log.append(records);
    this.#eventsBefore.length = commands;
    moment.isLost = moment.commands > commands;
    this.moments = this.moments.filter((one) => one.commands <= commands);
    this.#cutChain(Math.max(this.#logEvents, moment.events));
  }

  /** After a loss of the log there is no database that fits: it is empty, and the chain is not newer than the log. */
  async loseAll(empty: TableCopy): Promise<void> {
    if (this.#logEvents !== undefined) this.#cutChain(this.#logEvents);
    await this.loseDatabase(empty);
  }

  #cutChain(events: number): void {
    this.vault.cutTo(events);
    this.moments = this.moments.filter((one) => one.events <= events);
  }

  /** Starts as the server does. */
  async restart(checking: Checking = "whole"): Promise<void> {
    const process = this.start();
    const { state } = process.exchange.engine;
    const wallets = new Wallets();
    for (const { command } of this.#applied) wallets.see(command, state);
    if (checking === "whole") {
      const cursor = (await readCursor(this.#db)).command_number;
      // Recovery refuses it in the same way, before the database is looked at.
      if (cursor > state.commandNumber) throw new DatabaseMismatch(`the database has seen command ${cursor}`);
      await checkDatabase({ database: this.database, state, wallets });
    }
    if (checking === "numbers") await checkNumbers(this.database, state.externalNumber);
    this.#process = process;
  }

  /** Answers whether there was something to write. */
  async rebuild(...more: readonly RebuildPart[]): Promise<boolean> {
    const { database, clock } = this;
    const log = memoryLogOf(this.records);
    const say = () => {};
    const found = await survey(database, log, say);
    await rebuild({ database, clock, log, parts: [...PARTS, ...more], projections: PROJECTIONS, say }, found);
    return !isFitting(found) || found.cursor < found.last;
  }

  /** Every wallet has what it brought and did not get back, in its own account; nothing more was credited. */
  assertMoney(): void {
    const wallets = new Wallets();
    for (const { command } of this.#applied) wallets.see(command, this.state);
    assertMoney(this.vault, this.state, wallets, WALLETS);
  }

  /** The tables say the same as the chain, and nothing is on its way. */
  assertTables(): Promise<void> {
    return assertTables(this.#db, this.vault);
  }
}

/** A planted bug: numbers are compared, references and wallets are not. */
async function checkNumbers({ db }: Database, externalNumber: number): Promise<void> {
  const { rows } = await sql<{ last: bigint }>`select coalesce(max(dispatch_seq), 0) as last from outbox`.execute(db);
  if (Number(rows[0]!.last) < externalNumber) throw new Error("the database is older than the log");
}
