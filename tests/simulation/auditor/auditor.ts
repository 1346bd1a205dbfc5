import type { FundingRates, Invariants } from "@bourse/api";
import type { Static } from "typebox";
import { MARKETS } from "../actors/markets.ts";
import type { Client } from "../ground/client.ts";
import type { Admin, Person } from "../ground/person.ts";
import type { PrivateStream } from "../ground/stream.ts";
import type { Notes } from "../notes.ts";
import { AccountAudit, type Holding, type HourRate } from "./account-audit.ts";
import { AccountBooks } from "./account-books.ts";
import { micros, shown, sum, units } from "./arithmetic.ts";
import { type Complaint, Ledger, type Topic } from "./complaints.ts";

const HOUR_ms = 3_600_000;
const PAGE = 500;
/** FUT-12: the fund's initial balance. */
const SEED = 100_000_000_000n;

/** A further part of the auditor, for one program. */
export interface Section {
  audit(context: AuditContext): Promise<void>;
}

/** What a section may read. */
export interface AuditContext {
  readonly ledger: Ledger;
  readonly notes: Notes;
  readonly client: Client;
  readonly admin: Admin;
  readonly people: readonly Person[];
  readonly booksOf: (person: Person) => AccountBooks;
  readonly now_ms: number;
}

/** They are red when people lose the fund's money or move their own far from the mark, which is no fault of the platform. */
const ABOUT_PEOPLE: ReadonlySet<string> = new Set(["INV-10", "INV-11"]);

/**
 * Checks the platform from outside: it keeps its own books of what clients received, and compares them with the
 * interface. It reads neither the database nor the engine.
 */
export class Auditor {
  readonly ledger = new Ledger();
  readonly #client: Client;
  readonly #admin: Admin;
  readonly #notes: Notes;
  readonly #streams: ReadonlyMap<Person, PrivateStream>;
  readonly #books = new Map<Person, AccountBooks>();
  readonly #accounts: AccountAudit;
  readonly #sections: readonly Section[];
  readonly #start_ms: number;
  audits = 0;

  constructor(options: {
    readonly client: Client;
    readonly admin: Admin;
    readonly notes: Notes;
    readonly streams: ReadonlyMap<Person, PrivateStream>;
    readonly sections: readonly Section[];
    readonly start_ms: number;
  }) {
    this.#client = options.client;
    this.#admin = options.admin;
    this.#notes = options.notes;
    this.#streams = options.streams;
    this.#accounts = new AccountAudit(this.ledger, options.notes);
    this.#sections = options.sections;
    this.#start_ms = options.start_ms;
    for (const person of options.streams.keys()) this.#books.set(person, new AccountBooks(person.name, this.ledger));
  }

  get complaints(): readonly Complaint[] {
    return this.ledger.complaints;
  }

  /** The number of events over all accounts. */
  get happened(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const { happened } of this.#books.values()) {
      for (const [name, times] of happened) all.set(name, (all.get(name) ?? 0) + times);
    }
    return all;
  }

  booksOf(person: Person): AccountBooks {
    return this.#books.get(person)!;
  }

  /** Audits everything; no request may be open. */
  async audit(): Promise<void> {
    this.audits += 1;
    const holdings = new Map<Person, Holding>();
    const rates = await this.#fundingRates();
    for (const [person, stream] of this.#streams) {
      this.#auditStream(stream);
      const books = this.booksOf(person);
      books.read(stream.events);
      holdings.set(person, await this.#accounts.audit(person, books, rates));
    }
    this.#auditAcknowledged();
    this.#auditPositions();
    await this.#auditTotals(holdings);
    await this.#auditInvariants();
    await this.#auditHealth();
    const context: AuditContext = {
      ledger: this.ledger,
      notes: this.#notes,
      client: this.#client,
      admin: this.#admin,
      people: [...this.#streams.keys()],
      booksOf: (person) => this.booksOf(person),
      now_ms: this.#client.now_ms,
    };
    for (const section of this.#sections) await section.audit(context);
  }

  #auditStream(stream: PrivateStream): void {
    stream.compare();
    const complaints = stream.complaints.splice(0);
    this.ledger.check("stream", complaints.length === 0, () => complaints.map(({ text }) => text).join("\n"));
  }

  async #fundingRates(): Promise<HourRate[]> {
    const rates: HourRate[] = [];
    for (const { symbol } of MARKETS) {
      const hours: number[] = [];
      let cursor = "";
      do {
        const url = `/funding-rates/${symbol}?limit=${PAGE}${cursor}`;
        const page: FundingRates = await this.#client.get<FundingRates>(url);
        for (const { time, rate, mark_price } of page.items) {
          rates.push({ symbol, time_ms: time, rate: units(rate, 8), mark: mark_price });
          hours.push(Math.floor(time / HOUR_ms));
        }
        cursor = page.next_cursor === null ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
      } while (cursor !== "");
      const first = Math.floor(this.#start_ms / HOUR_ms) + 1;
      const last = Math.floor(this.#client.now_ms / HOUR_ms);
      const due = Array.from({ length: last - first + 1 }, (_, place) => first + place);
      this.ledger.equal("funding", hours.join(), due.join(), `${symbol}: the hours that were settled`);
    }
    return rates;
  }

  /** INV-7: no request has an unknown outcome at the end. */
  #auditAcknowledged(): void {
    const open = [...this.#notes.orders.values(), ...this.#notes.withdrawals.values()].filter(
      ({ knowledge }) => knowledge === "unknown",
    );
    this.ledger.equal("acknowledged", open.length, 0, "requests whose outcome nobody knows");
  }

  /**
   * INV-2: both sides of each trade were reported; a trade with one reported side was the fund's, whose position is
   * flat again.
   */
  #auditPositions(): void {
    const sides = new Map<string, { quantity: bigint; isForced: boolean }>();
    for (const books of this.#books.values()) {
      for (const fill of books.fills) {
        const key = `${fill.symbol} ${fill.trade}`;
        const seen = sides.get(key) ?? { quantity: 0n, isForced: false };
        seen.quantity += fill.side === "BUY" ? fill.quantity : -fill.quantity;
        seen.isForced ||= fill.cause === "takeover";
        sides.set(key, seen);
      }
    }
    for (const { symbol } of MARKETS) {
      const own = [...sides].filter(([key]) => key.startsWith(`${symbol} `));
      const oneSided = own.filter(([, { quantity }]) => quantity !== 0n);
      const hasTakeover = oneSided.some(([, { isForced }]) => isForced);
      const text = () => `${symbol}: trades with one side only: ${oneSided.map(([key]) => key).join(", ")}`;
      this.ledger.check("INV-2", oneSided.length === 0 || hasTakeover, text);
    }
  }

  /** INV-1, from what all clients received. Once the fund has traded, its fees and costs are not known outside. */
  async #auditTotals(holdings: ReadonlyMap<Person, Holding>): Promise<void> {
    const [fund] = await this.#client.get<[{ assets: [{ balance: string }] }]>("/fapi/v1/insuranceBalance");
    const books = [...this.#books.values()];
    const held = sum([...holdings.values()].map(({ total }) => total));
    const costs = sum(books.flatMap(({ positions }) => [...positions.values()].map(({ cost }) => cost)));
    const fees = sum(books.map((each) => each.fees));
    const bonus = sum(books.map(({ granted, returned }) => granted - returned));
    const deposits = sum(this.#notes.deposits.map(({ amount }) => amount));
    const confirmed = sum([...holdings.values()].map((holding) => holding.confirmed));
    if (books.some(({ fills }) => fills.some(({ cause }) => cause === "takeover"))) return;
    const left = held - costs + micros(fund.assets[0].balance) + fees;
    this.ledger.equal("INV-1", shown(left), shown(deposits - confirmed + SEED + bonus), "all money");
  }

  async #auditInvariants(): Promise<void> {
    const { invariants } = await this.#admin.get<Static<typeof Invariants>>("/api/v1/admin/invariants");
    for (const { code, ok, detail } of invariants) {
      if (ABOUT_PEOPLE.has(code)) continue;
      const topic = (code === "ENGINE" ? "INV-1" : code) as Topic;
      this.ledger.check(topic, ok === true, () => `the platform itself says of ${code}: ${detail}`);
    }
  }

  async #auditHealth(): Promise<void> {
    const { checks } = await this.#client.get<{ checks: Record<string, { ok: boolean; detail: string }> }>("/readyz");
    for (const [name, { ok, detail }] of Object.entries(checks)) {
      this.ledger.check("health", ok, () => `${name}: ${detail}`);
    }
  }
}
