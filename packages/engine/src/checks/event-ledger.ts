import { NO_SLOT } from "../book/order-pool.ts";
import { FUND_ACCOUNT, HALTED } from "../contract/codes.ts";
import type { EngineEvent, EventOf } from "../contract/events.ts";
import type { Engine } from "../engine.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { CaseBelowZero } from "./findings.ts";

interface OpenOrder {
  readonly account: number;
  readonly clientId: string;
  lots: number;
  executedLots: number;
}

interface NamedConditional {
  readonly account: number;
  readonly clientId: string;
}

/**
 * What a reader of the events alone knows: what every account is worth, its bonus by the lines of its ledger, its
 * positions, its open orders. Comparing it with the engine proves that the events omit nothing, to the last micro.
 * Read-only, and independent of all rules.
 */
export class EventLedger {
  /** Sum of principal, isolated margin and bonus, by account; the fund's under its number. */
  readonly #worth = new Map<number, bigint>();
  readonly #bonus = new Map<number, bigint>();
  /** By account and market. */
  readonly #lots = new Map<string, number>();
  readonly #costs = new Map<string, number>();
  readonly #orders = new Map<number, OpenOrder>();
  readonly #conditionals = new Map<number, NamedConditional>();
  /** FUT-8: those that may be armed again. */
  readonly #fired = new Map<number, NamedConditional>();
  /** Cases whose liquidation ended without success. */
  readonly #unresolved = new Set<string>();
  readonly #halted = new Set<number>();
  /**
   * Markets whose price was set while they were halted, and not since: their accounts have not been checked for
   * liquidation.
   */
  readonly #unjudged = new Set<number>();
  #feeAccount = 0n;
  /** Client ids of orders that have ended since the last comparison. */
  readonly #ended: NamedConditional[] = [];

  hear(events: readonly EngineEvent[]): void {
    for (const event of events) {
      this.#hearOrders(event);
      this.#hearMoney(event);
      if (event.kind === "fill") this.#hearFill(event);
      if (event.kind === "bonus_line") this.#hearLine(event);
      if (event.kind === "bonus_repaid") this.#addBonus(event.account, event.amount_micros);
      if (event.kind === "market_status_set") setMember(this.#halted, event.market, event.status_code === HALTED);
      if (event.kind === "price_set") setMember(this.#unjudged, event.market, this.#halted.has(event.market));
      if (event.kind === "liquidation_ended") {
        const key = keyOf(event.account, event.market);
        setMember(this.#unresolved, key, event.isResolved === 0);
      }
    }
  }

  /** Every difference between the engine and what its events reported. */
  compare({ state }: Engine): string[] {
    const problems: string[] = [];
    const { accounts, positions, totals } = state;
    const expect = (what: string, heard: bigint | number, real: number): void => {
      if (BigInt(heard) !== BigInt(real)) problems.push(`events make ${what} ${heard}, the engine has ${real}`);
    };
    for (let account = 0; account <= accounts.count; account += 1) {
      let worth = accounts.principal(account) + accounts.bonus(account);
      for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
        worth += positions.isolated(at);
        const market = positions.market(at);
        const key = keyOf(account, market);
        expect(`the lots of account ${account} in market ${market}`, this.#lots.get(key) ?? 0, positions.lots(at));
        expect(`the cost of account ${account} in market ${market}`, this.#costs.get(key) ?? 0, positions.cost(at));
      }
      expect(`account ${account} worth`, this.#worth.get(account) ?? 0n, worth);
      expect(`the bonus of account ${account}`, this.#bonus.get(account) ?? 0n, accounts.bonus(account));
    }
    expect("the fee account", this.#feeAccount, totals.feeAccount_micros);
    this.#compareOrders(state, problems);
    return problems;
  }

  /** The cases below zero that had no liquidation attempt and that no halted market explains. */
  unexplained(cases: readonly CaseBelowZero[]): CaseBelowZero[] {
    const isUnjudged = (account: number): boolean =>
      [...this.#unjudged].some((market) => (this.#lots.get(keyOf(account, market)) ?? 0) !== 0);
    return cases.filter(
      ({ account, market }) =>
        account !== FUND_ACCOUNT && !this.#unresolved.has(keyOf(account, market)) && !isUnjudged(account),
    );
  }

  #compareOrders(state: Engine["state"], problems: string[]): void {
    const { pool, index, conditionals, details } = state;
    if (pool.taken !== this.#orders.size)
      problems.push(`events left ${this.#orders.size} orders open, not ${pool.taken}`);
    for (const [id, order] of this.#orders) {
      const slot = index.get(id);
      const isSame =
        slot !== NO_SLOT &&
        pool.originalLots(slot) === order.lots &&
        pool.remainingLots(slot) === order.lots - order.executedLots;
      if (!isSame) problems.push(`order ${id} is not as its events left it`);
    }
    if (conditionals.count !== this.#conditionals.size) {
      problems.push(`events left ${this.#conditionals.size} conditional orders open, not ${conditionals.count}`);
    }
    for (const id of this.#conditionals.keys()) {
      if (conditionals.get(id) === undefined) problems.push(`conditional order ${id} is gone without an event`);
    }
    for (const { account, clientId } of this.#ended) {
      const id = details.idOfName(account, clientId);
      if (id !== 0 && !this.#orders.has(id) && !this.#conditionals.has(id)) {
        problems.push(`the client id ${clientId} of account ${account} still leads to ${id}, which has ended`);
      }
    }
    this.#ended.length = 0;
  }

  #hearOrders(event: EngineEvent): void {
    switch (event.kind) {
      case "order_opened":
        this.#orders.set(event.order, { ...event, executedLots: 0 });
        return;
      case "order_amended":
        this.#orders.get(event.order)!.lots = event.lots;
        return;
      case "order_closed":
        this.#endOrder(event.order);
        return;
      case "conditional_opened":
        this.#conditionals.set(event.conditional, event);
        return;
      case "conditional_triggered":
        this.#fired.set(event.conditional, this.#endConditional(event.conditional)!);
        return;
      case "conditional_rearmed":
        this.#conditionals.set(event.conditional, this.#fired.get(event.conditional)!);
        return;
      case "conditional_closed":
        this.#endConditional(event.conditional);
        return;
      default:
    }
  }

  /** Undefined if it has fired: then it is closed for the second time, after its last try. */
  #endConditional(id: number): NamedConditional | undefined {
    const conditional = this.#conditionals.get(id);
    if (conditional !== undefined) this.#ended.push(conditional);
    this.#conditionals.delete(id);
    return conditional;
  }

  #hearMoney(event: EngineEvent): void {
    for (const [account, micros] of paymentsOf(event)) this.#add(account, micros);
    if (event.kind === "paid_out") this.#feeAccount -= BigInt(event.amount_micros);
    if (event.kind === "payout_returned") this.#feeAccount += BigInt(event.amount_micros);
  }

  #hearFill(event: EventOf<"fill">): void {
    this.#add(event.account, event.realised_micros - event.fee_micros);
    this.#feeAccount += BigInt(event.fee_micros);
    const key = keyOf(event.account, event.market);
    this.#lots.set(key, (this.#lots.get(key) ?? 0) + (event.side === 0 ? event.lots : -event.lots));
    this.#costs.set(key, event.cost_micros);
    const order = this.#orders.get(event.order);
    if (order === undefined) return;
    order.executedLots += event.lots;
    if (order.executedLots === order.lots) this.#endOrder(event.order);
  }

  #hearLine({ account, line, amount_micros }: EventOf<"bonus_line">): void {
    if (line === "LOCK" || line === "UNLOCK") return;
    const change = line === "GRANT" ? amount_micros : -amount_micros;
    this.#addBonus(account, change);
    // Consumed bonus pays a cost that another event reports, or raises principal: the worth stays the same.
    if (line === "GRANT" || line === "RECALL" || line === "EXPIRE") this.#add(account, change);
  }

  #addBonus(account: number, micros: number): void {
    this.#bonus.set(account, (this.#bonus.get(account) ?? 0n) + BigInt(micros));
  }

  #endOrder(id: number): void {
    const order = this.#orders.get(id);
    if (order !== undefined) this.#ended.push(order);
    this.#orders.delete(id);
  }

  #add(account: number, micros: number): void {
    this.#worth.set(account, (this.#worth.get(account) ?? 0n) + BigInt(micros));
  }
}

function keyOf(account: number, market: number): string {
  return `${account}:${market}`;
}

/** Amounts per account, positive for what it received; without fills and lines of the bonus ledger. */
function paymentsOf(event: EngineEvent): [number, number][] {
  switch (event.kind) {
    case "deposited":
      return [[event.account, event.amount_micros]];
    case "withdrawal_held":
    case "funding_paid":
      return [[event.account, -event.amount_micros]];
    case "withdrawal_settled":
      return [[event.account, event.isDone === 1 ? 0 : event.amount_micros]];
    case "fund_seeded":
      return [[FUND_ACCOUNT, event.amount_micros]];
    case "funding_settled":
      return [[FUND_ACCOUNT, event.residue_micros]];
    case "liquidation_fee_paid":
      return [
        [event.account, -event.amount_micros],
        [FUND_ACCOUNT, event.amount_micros],
      ];
    default:
      return [];
  }
}

function setMember<Member>(set: Set<Member>, member: Member, isMember: boolean): void {
  if (isMember) set.add(member);
  else set.delete(member);
}
