import type {
  AccountIncome,
  AccountOrder,
  AccountTrade,
  DepositList,
  UnifiedAccount,
  WithdrawalList,
} from "@bourse/api";
import { MARKETS } from "../actors/markets.ts";
import type { Person } from "../ground/person.ts";
import type { Notes } from "../notes.ts";
import { type AccountBooks, nameOf } from "./account-books.ts";
import { abs, ceilDivide, micros, notionalOf, quantityOf, shown, sum, units } from "./arithmetic.ts";
import type { Ledger } from "./complaints.ts";

const HOUR_ms = 3_600_000;
const PAGE = 500;
const RATE = 10n ** 8n;

/** A market's funding of an hour, from public data. */
export interface HourRate {
  readonly symbol: string;
  readonly time_ms: number;
  /** 1e-8. */
  readonly rate: bigint;
  readonly mark: string;
}

/** What an account has according to its own page, and what has left it. */
export interface Holding {
  readonly total: bigint;
  readonly confirmed: bigint;
}

type Pages<Item> = { readonly next_cursor: string | null } & { readonly [list: string]: readonly Item[] | unknown };

/** Compares one account's pages with its books. */
export class AccountAudit {
  readonly #ledger: Ledger;
  readonly #notes: Notes;

  constructor(ledger: Ledger, notes: Notes) {
    this.#ledger = ledger;
    this.#notes = notes;
  }

  async audit(person: Person, books: AccountBooks, rates: readonly HourRate[]): Promise<Holding> {
    await this.#auditTrades(person, books);
    await this.#auditOrders(person, books);
    return await this.#auditMoney(person, books, rates);
  }

  /** The fills of the private events are those of the list of trades, each once. */
  async #auditTrades(person: Person, books: AccountBooks): Promise<void> {
    const trades = await this.#pages<AccountTrade>(person, "/account/trades", "trades");
    const received = new Map(books.fills.map((fill) => [nameOf(fill), fill]));
    this.#ledger.equal("fill", trades.length, books.fills.length, `${person.name}: trades listed`);
    for (const trade of trades) {
      const name = nameOf({ symbol: trade.symbol, trade: trade.id, side: trade.side });
      const fill = received.get(name);
      if (!this.#ledger.check("fill", fill !== undefined, () => `${person.name}: ${name} was never received`)) continue;
      const listed = [trade.price, quantityOf(trade.quantity), micros(trade.fee), micros(trade.realized_pnl)].join(" ");
      const expected = [fill!.price, fill!.quantity, fill!.fee, fill!.realised].join(" ");
      this.#ledger.equal("fill", listed, expected, `${person.name}: ${name}`);
      fill!.feeFromBonus = micros(trade.fee_from_bonus);
      fill!.isOffMarket = isOffMarket(trade);
      this.#ledger.equal("fill", trade.is_off_market, fill!.isOffMarket, `${person.name}: ${name} is off the market`);
      received.delete(name);
    }
    for (const name of received.keys())
      this.#ledger.check("fill", false, () => `${person.name}: ${name} is not listed`);
  }

  /** Every order of the private events is listed once, in the same state; every acknowledged order is among them. */
  async #auditOrders(person: Person, books: AccountBooks): Promise<void> {
    const listed = await this.#pages<AccountOrder>(person, "/account/orders", "orders");
    const byId = new Map<number, AccountOrder>();
    for (const order of listed) {
      this.#ledger.check("order", !byId.has(order.id), () => `${person.name}: order ${order.id} is listed twice`);
      byId.set(order.id, order);
    }
    for (const order of books.orders.values()) {
      const found = byId.get(order.orderId);
      const what = `${person.name}: order ${order.orderId} (${order.clientId})`;
      if (!this.#ledger.check("order", found !== undefined, () => `${what} is not listed`)) continue;
      const state = `${found!.status} ${quantityOf(found!.executed_quantity)}`;
      this.#ledger.equal("order", state, `${order.status} ${order.executed}`, what);
    }
    for (const note of this.#notes.orders.values()) {
      if (note.person !== person || note.knowledge !== "acknowledged") continue;
      const what = () => `${person.name}: order ${note.orderId} (${note.clientId}) was acknowledged and is not there`;
      this.#ledger.check("acknowledged", byId.has(note.orderId!), what);
    }
    const never = new Set(
      [...this.#notes.orders.values()].filter(({ knowledge }) => knowledge === "never").map(({ clientId }) => clientId),
    );
    for (const { client_order_id } of listed) {
      const what = () => `${person.name}: order ${client_order_id} had not happened, and is there`;
      this.#ledger.check("acknowledged", !never.has(client_order_id), what);
    }
  }

  /** The balance follows from deposits, withdrawals, fills, funding and bonus; and so do the lines of income. */
  async #auditMoney(person: Person, books: AccountBooks, rates: readonly HourRate[]): Promise<Holding> {
    const account = await person.get<UnifiedAccount>("/unified/account");
    const income = await this.#pages<AccountIncome>(person, "/account/income", "income");
    const funding = this.#auditFunding(person, books, income, rates);
    const cleared = sum(income.filter(({ type }) => type === "INSURANCE_CLEAR").map(({ amount }) => micros(amount)));
    const brought = await this.#auditDeposits(person);
    const { confirmed, held } = await this.#auditWithdrawals(person);
    const { principal, bonus, isolated_margin, in_flight } = account;
    const total = sum([principal, bonus, isolated_margin, in_flight].map(micros));
    const bonusMoved = books.granted - books.returned;
    const expected = brought - confirmed + books.realised - books.fees + funding + cleared + bonusMoved;
    this.#ledger.equal("balance", shown(total), shown(expected), `${person.name}: what the account holds`);
    this.#ledger.equal("balance", micros(in_flight), held, `${person.name}: what is held for withdrawals`);
    const lines = sum(income.map(({ amount }) => micros(amount)));
    const inAccount = total - micros(in_flight);
    this.#ledger.equal("income", shown(lines), shown(inAccount), `${person.name}: the sum of all income`);
    const last = books.lastBalance;
    if (last !== undefined) {
      const streamed = [last.principal, last.bonus, last.isolated_margin, last.in_flight].join(" ");
      const is = [principal, bonus, isolated_margin, in_flight].join(" ");
      this.#ledger.equal("stream", streamed, is, `${person.name}: the last streamed balance`);
    }
    this.#auditHeld(person, books, account);
    return { total, confirmed };
  }

  #auditHeld(person: Person, books: AccountBooks, { positions }: UnifiedAccount): void {
    const held = new Map(positions.map((position) => [position.symbol, position]));
    for (const { symbol } of MARKETS) {
      const own = books.position(symbol);
      const shownQuantity = held.get(symbol)?.quantity ?? "0";
      this.#ledger.equal("position", quantityOf(shownQuantity), own.quantity, `${person.name}: ${symbol} held`);
      const found = held.get(symbol);
      if (found === undefined) continue;
      const value = notionalOf(found.mark_price, own.quantity);
      this.#ledger.equal("position", micros(found.unrealized_pnl), value - own.cost, `${person.name}: ${symbol} PnL`);
    }
  }

  /**
   * FUT-14: one payment per hour for the position at that moment, rounded up, and no other. The funding of one market
   * may liquidate an account in another market whose funding comes next: fills at the same moment come before or after
   * it. If a crash delays an hour's settlement, it is settled before the next one, by the position at that time.
   */
  #auditFunding(
    person: Person,
    books: AccountBooks,
    income: readonly AccountIncome[],
    rates: readonly HourRate[],
  ): bigint {
    const lines = income.filter(({ type }) => type === "FUNDING_FEE").toSorted((one, other) => one.time - other.time);
    for (const { symbol } of MARKETS) {
      const own = lines.filter((line) => line.symbol === symbol);
      const hours = rates
        .filter((hour) => hour.symbol === symbol)
        .toSorted((one, other) => one.time_ms - other.time_ms);
      for (const hour of hours) {
        const [line] = own;
        const due = paymentsAt(books, hour, hour.time_ms);
        const isOnTime = line !== undefined && hourOf(line.time) === hourOf(hour.time_ms);
        // There was no position, so nothing was paid.
        if (!isOnTime && due.includes(0n)) continue;
        const paid = micros(own.shift()?.amount ?? "0");
        const possible = line === undefined ? due : [...due, ...paymentsAt(books, hour, line.time)];
        const expected = possible.find((payment) => payment === paid) ?? due[0]!;
        const what = `${person.name}: funding of ${symbol} ${new Date(hour.time_ms).toISOString()}`;
        this.#ledger.equal("funding", shown(paid), shown(expected), what);
      }
      this.#ledger.equal("funding", own.length, 0, `${person.name}: payments of ${symbol} for no hour`);
    }
    return sum(lines.map(({ amount }) => micros(amount)));
  }

  /** Each deposit on the chain is credited once. */
  async #auditDeposits(person: Person): Promise<bigint> {
    const { items: deposits } = await person.get<DepositList>(`/deposit/list?limit=${PAGE}`);
    const own = this.#notes.deposits.filter((note) => note.person === person);
    const listed = deposits.map(({ tx_hash, amount, status }) => `${tx_hash} ${micros(amount)} ${status}`).sort();
    const expected = own.map(({ hash, amount }) => `${hash} ${amount} credited`).sort();
    this.#ledger.equal("deposit", listed.join("\n"), expected.join("\n"), `${person.name}: deposits`);
    return sum(own.map(({ amount }) => amount));
  }

  /** Each acknowledged request is listed once, and nothing else is. */
  async #auditWithdrawals(person: Person): Promise<{ confirmed: bigint; held: bigint }> {
    const { items: withdrawals } = await person.get<WithdrawalList>(`/withdraw/list?limit=${PAGE}`);
    const own = [...this.#notes.withdrawals.values()].filter(
      (note) => note.person === person && note.knowledge === "acknowledged",
    );
    const listed = withdrawals.filter(({ status }) => status !== "rejected");
    const rejected = new Set(withdrawals.filter(({ status }) => status === "rejected").map(({ id }) => id));
    const found = listed.map(({ request_id, id, amount }) => `${request_id} ${id} ${micros(amount)}`).sort();
    const expected = own
      .filter(({ id }) => !rejected.has(id!))
      .map((note) => `${note.requestId} ${note.id} ${note.amount}`);
    this.#ledger.equal("withdrawal", found.join("\n"), expected.sort().join("\n"), `${person.name}: withdrawals`);
    const amountOf = (wanted: readonly string[]) =>
      sum(withdrawals.filter(({ status }) => wanted.includes(status)).map(({ amount }) => micros(amount)));
    return { confirmed: amountOf(["confirmed"]), held: amountOf(["requested", "sent"]) };
  }

  async #pages<Item>(person: Person, path: string, list: string): Promise<Item[]> {
    const items: Item[] = [];
    let cursor = "";
    do {
      const page: Pages<Item> = await person.get<Pages<Item>>(`${path}?limit=${PAGE}${cursor}`);
      items.push(...(page[list] as Item[]));
      cursor = page.next_cursor === null ? "" : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    } while (cursor !== "");
    return items;
  }
}

const hourOf = (time_ms: number) => Math.floor(time_ms / HOUR_ms);

/**
 * What an account owes for an hour if it is settled at a moment, for each possible order of the fills at that moment.
 */
const paymentsAt = (books: AccountBooks, { symbol, rate, mark }: HourRate, time_ms: number): bigint[] =>
  books.heldAt(symbol, time_ms).map((held) => -ceilDivide(notionalOf(mark, held) * rate, RATE));

const ONE_e8 = 100_000_000n;
/** FUT-15: how far from the mark a price is fair. */
const fairBound_e8 = (symbol: string) => (MAJORS.has(symbol) ? 300_000n : 500_000n);
const MAJORS: ReadonlySet<string> = new Set(["BTCUSDT", "ETHUSDT"]);

function isOffMarket({ symbol, price, mark_price }: AccountTrade): boolean {
  if (mark_price === null) return false;
  const distance = abs(units(price, 8) - units(mark_price, 8));
  return distance * ONE_e8 > units(mark_price, 8) * fairBound_e8(symbol);
}
