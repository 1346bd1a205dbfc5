import type { Applied } from "../../../exchange/host/exchange.ts";
import type { TestDatabase } from "../../../kernel/database/testing.ts";
import { randomUuid, seededRandom } from "../../../kernel/random.ts";
import { type BookedBroker, type BookedCustomer, BrokerBooks, walletOfAccount } from "../../testing/books.ts";
import { projectAccruals } from "../accrual.ts";
import { commandWith, fillEvent, UNITS_micros } from "./fills.ts";
import type { OracleBooks, OracleFill } from "./oracle.ts";

interface Partner {
  readonly booked: BookedBroker;
  readonly parent: Partner | undefined;
  readonly share_e6: number;
  rate_e6: number;
  version: bigint;
}

/** A trader, and the terms version that its fills carry at the moment. */
interface Trader {
  account: number;
  version: () => bigint;
}

const MILLION = 1_000_000;
const CAUSES = ["trade", "trade", "trade", "trade", "trade", "bonus_expiry", "liquidation", "takeover", "adl"] as const;
const SELDOM = 40;

/** Random numbers that are the same for the same seed. */
export function randomNumbers(seed: string) {
  const random = seededRandom(seed);
  const below = (limit: number) => random.bytes(6).readUIntBE(0, 6) % limit;
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  return { random, below, pick, oneIn: (number: number) => below(number) === 0 };
}

/**
 * A program of random chains, rates and fees, written both to a database and to the oracle. Fills go through the projector's
 * program, so that accruals are tested as well.
 */
export class RandomBooks {
  readonly oracle: OracleBooks = {
    fills: [],
    terms: new Map(),
    binds: new Map(),
    wallets: new Map(),
    brokers: new Map(),
  };
  readonly days: readonly string[];
  readonly #numbers: ReturnType<typeof randomNumbers>;
  readonly #database: TestDatabase;
  readonly #books: BrokerBooks;
  readonly #partners: Partner[] = [];
  readonly #traders: Trader[] = [];
  readonly #customers: { trader: Trader; customer: BookedCustomer; isKol: boolean }[] = [];
  #place = 0;

  constructor(database: TestDatabase, seed: string, days: readonly string[]) {
    this.#database = database;
    this.#numbers = randomNumbers(seed);
    this.#books = new BrokerBooks(database);
    this.days = days;
  }

  /** Rates such as 0.4, and sometimes 0, 1 or any other. */
  #ratio_e6(): number {
    const { below, oneIn, pick } = this.#numbers;
    if (oneIn(10)) return pick([0, 1, MILLION - 1, MILLION]);
    return oneIn(3) ? below(MILLION + 1) : pick([100_000, 200_000, 250_000, 300_000, 333_333, 400_000]);
  }

  async fillWithPartners(kols: number, subKols: number, customers: number, affiliates: number): Promise<void> {
    for (let count = 0; count < kols; count += 1) await this.#addPartner(undefined);
    const parents = [...this.#partners];
    for (let count = 0; count < subKols; count += 1) await this.#addPartner(this.#numbers.pick(parents));
    for (let count = 0; count < customers; count += 1) await this.#addCustomer();
    for (let count = 0; count < affiliates; count += 1) await this.#addAffiliate(9_000 + count);
  }

  async #addPartner(parent: Partner | undefined): Promise<void> {
    const [rate_e6, share_e6] = [this.#ratio_e6(), parent === undefined ? 0 : this.#ratio_e6()];
    const chain = parent === undefined ? {} : { parent: parent.booked, parentRate: parent.rate_e6 / MILLION };
    const booked = await this.#books.kol({ rate: rate_e6 / MILLION, share: share_e6 / MILLION, ...chain });
    const partner = { booked, parent, share_e6, rate_e6, version: booked.termsVersion };
    this.#partners.push(partner);
    this.oracle.brokers.set(booked.id, booked.wallet);
    this.oracle.wallets.set(booked.account, booked.wallet);
    this.#noteTerms(partner);
    this.#traders.push({ account: booked.account, version: () => partner.version });
  }

  async #addCustomer(): Promise<void> {
    const inviter = this.#numbers.pick(this.#partners);
    const [ratio_e6, share_e6] = [this.#ratio_e6(), this.#ratio_e6()];
    const draft = { ratio: ratio_e6 / MILLION, share: share_e6 / MILLION };
    const customer = await this.#books.customer(inviter.booked, draft);
    this.oracle.binds.set(customer.account, { ratio_e6, share_e6 });
    this.oracle.wallets.set(customer.account, customer.wallet);
    const trader = { account: customer.account, version: () => inviter.version };
    this.#traders.push(trader);
    this.#customers.push({ trader, customer, isKol: false });
  }

  async #addAffiliate(account: number): Promise<void> {
    const affiliate = walletOfAccount(8_000 + this.#numbers.below(3));
    this.oracle.wallets.set(account, walletOfAccount(account));
    const rate_e6 = this.#ratio_e6();
    const version = await this.#books.affiliateTerms(account, affiliate, rate_e6 / MILLION);
    const none = { broker: undefined, parent: undefined, parentRate_e6: undefined, boundShare_e6: 0 };
    this.oracle.terms.set(version, { version, account, affiliate, rate_e6, ...none });
    this.#traders.push({ account, version: () => version });
  }

  #noteTerms({ booked, parent, rate_e6, share_e6: boundShare_e6, version }: Partner): void {
    const chain = { parent: parent?.booked.id, parentRate_e6: parent?.rate_e6 };
    const own = { version, account: booked.account, broker: booked.id, affiliate: undefined };
    this.oracle.terms.set(version, { ...own, rate_e6, boundShare_e6, ...chain });
  }

  async #renewTerms(partner: Partner): Promise<void> {
    const { booked, parent, rate_e6, share_e6 } = partner;
    const chain = parent === undefined ? {} : { parent: parent.booked, parentRate: parent.rate_e6 / MILLION };
    const status = this.#numbers.oneIn(4) ? "frozen" : "active";
    const terms = { rate: rate_e6 / MILLION, share: share_e6 / MILLION, status, ...chain } as const;
    partner.version = await this.#books.terms(booked, terms);
    this.#noteTerms(partner);
  }

  /** Changes a rate or a status; sub-KOLs of a KOL get new terms as well. */
  async changeTerms(): Promise<void> {
    const partner = this.#numbers.pick(this.#partners);
    // A change of the status alone keeps the rates, and so one set of terms.
    if (partner.parent === undefined && !this.#numbers.oneIn(3)) partner.rate_e6 = this.#ratio_e6();
    await this.#renewTerms(partner);
    for (const below of this.#partners.filter(({ parent }) => parent === partner)) await this.#renewTerms(below);
  }

  /** Makes a customer a KOL: from then on it trades under its own terms. */
  async promoteCustomer(): Promise<void> {
    const entry = this.#numbers.pick(this.#customers);
    if (entry.isKol) return;
    entry.isKol = true;
    const { account, wallet } = entry.customer;
    const id = randomUuid(this.#numbers.random);
    const rate_e6 = this.#ratio_e6();
    const created = { status: "active" as const, created_at: new Date("2026-06-01T12:00:00Z") };
    const names = { id, account, wallet_address: wallet, nickname: null, bd_owner_id: null, parent_broker_id: null };
    await this.#books.db
      .insertInto("broker")
      .values({ ...names, level: 1, rate_e6, ...created })
      .execute();
    const booked = { id, account, wallet, termsVersion: 0n };
    const partner: Partner = { booked, parent: undefined, share_e6: 0, rate_e6, version: 0n };
    this.oracle.brokers.set(id, wallet);
    await this.#renewTerms(partner);
    this.#partners.push(partner);
    entry.trader.version = () => partner.version;
  }

  /** Passes fills of one day to the projection in batches. */
  async trade(day: string, fills: number): Promise<void> {
    const begin_ms = Date.parse(`${day}T00:00:00Z`);
    let batch: Applied[] = [];
    let large = 0;
    for (let count = 0; count < fills; count += 1) {
      const fill = this.#fill(day, large < 4);
      if (fill.fee > 10n ** 14n) large += 1;
      this.oracle.fills.push(fill);
      const { place, account, cause } = fill;
      const event = fillEvent({
        trade: place,
        account,
        cause,
        side: place % 2,
        fee_micros: Number(fill.fee),
        feeFromBonus_micros: Number(fill.fromBonus),
        termsVersion: Number(fill.version),
        isSelfTrade: fill.isSelfTrade ? 1 : 0,
      });
      const quiet = fillEvent({ trade: place, account: 3, fee_micros: 5 });
      batch.push(commandWith(place, begin_ms + this.#numbers.below(86_400_000), [quiet, event]));
      if (batch.length === 60 || count === fills - 1) {
        await this.#project(batch);
        [batch, large] = [[], 0];
      }
    }
  }

  #fill(day: string, mayBeLarge: boolean): OracleFill {
    const { below, oneIn, pick } = this.#numbers;
    this.#place += 1;
    const { account, version } = pick(this.#traders);
    const digits = 1 + below(mayBeLarge && oneIn(SELDOM) ? 15 : 9);
    const fee = oneIn(SELDOM) ? 0n : BigInt(1 + below(10 ** digits));
    const fromBonus = oneIn(8) ? (oneIn(2) ? fee : fee / 3n) : 0n;
    const isSelfTrade = oneIn(15);
    return {
      day,
      account,
      version: version(),
      fee,
      fromBonus,
      isSelfTrade,
      cause: oneIn(4) ? pick(CAUSES) : "trade",
      place: this.#place,
    };
  }

  async #project(applied: readonly Applied[]): Promise<void> {
    const batch = { applied, first: applied[0]!.number, last: applied.at(-1)!.number, units_micros: UNITS_micros };
    await this.#database.db.transaction().execute((tx) => projectAccruals(tx, batch));
  }
}
