import { SCOPE_BOTH, SCOPE_CONDITIONALS, SCOPE_ORDERS } from "@bourse/engine";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { Applied, Exchange, Unstamped } from "../host/exchange.ts";
import type { OpenOrderReader } from "../orders/from-engine.ts";
import { endedOrder, placedConditional, placedOrder } from "../orders/from-events.ts";
import { asOrder, type ConditionalOrder, isOpen, type Order, type OrderName } from "../orders/order.ts";
import type { NewConditional, NewOrder } from "../orders/read-order.ts";
import { refusedIn } from "../orders/refusals.ts";
import type { MarketState, Markets } from "./markets.ts";
import type { ReadModification } from "./modify-request.ts";
import type { FapiHistory } from "./ports.ts";
import { refusalOf } from "./refusals.ts";

export interface OrdersOptions {
  readonly exchange: Exchange;
  readonly history: FapiHistory;
  readonly markets: Markets;
  readonly memory: OpenOrderReader;
}

const byName = (name: OrderName) =>
  "id" in name ? { order: name.id, clientId: "" } : { order: 0, clientId: name.clientId };

/** Places, modifies, cancels and finds the orders of an account. Throws the engine's refusals. */
export class Orders {
  readonly #exchange: Exchange;
  readonly #history: FapiHistory;
  readonly #markets: Markets;
  readonly #memory: OpenOrderReader;

  constructor({ exchange, history, markets, memory }: OrdersOptions) {
    this.#exchange = exchange;
    this.#history = history;
    this.#markets = markets;
    this.#memory = memory;
  }

  /** Resolves after matching. */
  async place(account: number, command: NewOrder | NewConditional, isExempt: boolean): Promise<Order> {
    const applied = await this.#submit({ ...command, account }, isExempt, command.market);
    return command.kind === "place_order" ? placedOrder(applied) : asOrder(placedConditional(applied));
  }

  async placeAlgo(account: number, command: NewConditional, isExempt: boolean): Promise<ConditionalOrder> {
    return placedConditional(await this.#submit({ ...command, account }, isExempt, command.market));
  }

  /** FUT-7. */
  async modify(account: number, name: OrderName, change: ReadModification): Promise<Order> {
    const market = change.market.number;
    const known = this.#memory.findOrder(account, name);
    if (known?.trigger) {
      const msg = "Invalid orderType: only LIMIT orders can be modified.";
      throw fapiRefusal("ORDER_TYPE", { msg, details: { rule: "modify_limit_only" } });
    }
    if (known !== undefined && known.market !== market) throw fapiRefusal("NO_SUCH_ORDER");
    const { side, ticks, lots, priceMatch } = change;
    const command = { kind: "modify_order", account, ...byName(name), side, ticks, lots, priceMatch } as const;
    const applied = await this.#exchange.submit(command, known?.isReduceOnly ?? false);
    const refusal = refusedIn(applied);
    if (refusal?.reason === "unknown_order") throw fapiRefusal("NO_SUCH_ORDER");
    if (refusal !== undefined) throw refusalOf(refusal, change.market.definition);
    const ended = known === undefined ? undefined : endedOrder(known, applied);
    return ended ?? this.#memory.findOrder(account, name) ?? (await this.#recorded(account, market, name));
  }

  async cancel(account: number, market: number, name: OrderName): Promise<Order> {
    const known = this.#memory.findOrder(account, name);
    if (known !== undefined && known.market !== market) throw fapiRefusal("CANCEL_REJECTED");
    // A conditional order may have become an order before the command is applied.
    const scope = known?.trigger ? SCOPE_BOTH : SCOPE_ORDERS;
    const command = { kind: "cancel_order", account, ...byName(name), scope } as const;
    const applied = await this.#submit(command, true, market);
    const ended = known === undefined ? undefined : endedOrder(known, applied);
    return ended ?? (await this.#recorded(account, market, name));
  }

  async cancelAlgo(account: number, name: OrderName): Promise<{ id: number; clientId: string }> {
    const known = this.#memory.findConditional(account, name);
    if (known?.keepsId === true) throw fapiRefusal("CANCEL_REJECTED");
    const command = { kind: "cancel_order", account, ...byName(name), scope: SCOPE_CONDITIONALS } as const;
    const { events } = await this.#submit(command, true, known?.market);
    // Others whose time has come end before it.
    const closed = events.findLast((event) => event.kind === "conditional_closed");
    const id = closed?.conditional ?? 0;
    return { id, clientId: known?.clientId ?? ("clientId" in name ? name.clientId : "") };
  }

  /** Cancels everything that `openOrders` lists for a market, with the attached orders. */
  async cancelAll(account: number, market: number): Promise<void> {
    const waiting = this.#memory.orders(account, market).filter(({ trigger }) => trigger !== null);
    await Promise.all([
      this.#submit({ kind: "cancel_all", account, market, scope: SCOPE_ORDERS }, true, market),
      ...waiting.map(({ id }) => this.#cancelQuietly(account, id, SCOPE_BOTH)),
    ]);
  }

  /** Cancels everything that `openAlgoOrders` lists for a market. */
  async cancelAllAlgo(account: number, market: number): Promise<void> {
    const algos = this.#memory.algoOrders(account, market);
    await Promise.all(algos.map(({ id }) => this.#cancelQuietly(account, id, SCOPE_CONDITIONALS)));
  }

  /** Finds an open or ended order by id or client id; undefined if the account has none in this market. */
  async find(account: number, market: number, name: OrderName): Promise<Order | undefined> {
    const open = this.#memory.findOrder(account, name);
    if (open !== undefined) return open.market === market ? open : undefined;
    return this.#inHistory(account, market, name);
  }

  /** Finds open orders only. */
  findOpen(account: number, market: number, name: OrderName): Order | undefined {
    const order = this.#memory.findOrder(account, name);
    return order?.market === market ? order : undefined;
  }

  open(account: number, market: number | undefined): Order[] {
    return this.#memory.orders(account, market);
  }

  marketOf({ market }: { readonly market: number }): MarketState {
    return this.#markets.at(market);
  }

  /** The order from the database, when memory no longer has it. */
  async #recorded(account: number, market: number, name: OrderName): Promise<Order> {
    const order = await this.#inHistory(account, market, name);
    if (order === undefined || (isOpen(order) && this.#memory.findOrder(account, name) === undefined)) {
      throw fapiRefusal("UNKNOWN_OUTCOME");
    }
    return order;
  }

  async #inHistory(account: number, market: number, name: OrderName): Promise<Order | undefined> {
    const { orders } = this.#history;
    if ("clientId" in name) return orders.byClientId(account, market, name.clientId);
    const order = await orders.byId(account, name.id);
    return order?.market === market ? order : undefined;
  }

  /** Ignores a refusal: an order that no longer exists needs no cancel. */
  async #cancelQuietly(account: number, order: number, scope: typeof SCOPE_BOTH | typeof SCOPE_CONDITIONALS) {
    await this.#exchange.submit({ kind: "cancel_order", account, order, clientId: "", scope }, true);
  }

  async #submit(command: Unstamped, isExempt: boolean, market: number | undefined): Promise<Applied> {
    const applied = await this.#exchange.submit(command, isExempt);
    const refusal = refusedIn(applied);
    if (refusal === undefined) return applied;
    throw refusalOf(refusal, market === undefined ? undefined : this.#markets.at(market).definition);
  }
}
