import { BUY, breakEven, CROSS, type Engine, type EventOf, NO_MARKET, NO_POSITION, SELL } from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import type { ConditionalFact, OrderFact } from "../orders/order-facts.ts";
import { algoUpdate, orderTradeUpdate, tradeLite, triggerOrderUpdate } from "../orders/user-data-views.ts";
import type { AccountEvent } from "./account-event.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AdlFact } from "./private-facts.ts";
import type { PrivateTopics } from "./private-topics.ts";
import type { Topic } from "./topics.ts";
import {
  accountConfigUpdate,
  accountUpdate,
  adlUpdate,
  type ChangedPosition,
  marginCall,
} from "./user-data-messages.ts";

type Publisher = Pick<Topic, "publish">;

export const userTopicKey = (address: string) => `user:${address}`;

export interface UserDataOptions {
  readonly engine: Engine;
  readonly topics: PrivateTopics;
  readonly reader: AccountReader;
}

/** BON-6: bonus lines that move money without a trade. Costs are reported with the event that causes them. */
const BONUS_REASONS: Readonly<Record<string, { reason: string; sign: 1 | -1 } | undefined>> = {
  GRANT: { reason: "ADMIN_DEPOSIT", sign: 1 },
  RECALL: { reason: "ADMIN_WITHDRAW", sign: -1 },
  EXPIRE: { reason: "ADMIN_WITHDRAW", sign: -1 },
};

/** Sends bots the events of their accounts. Builds no message for accounts that nobody follows. */
export class UserDataStream {
  readonly #options: UserDataOptions;
  /** Realised profit of each position (by number) since the start. */
  readonly #realised = new Map<number, number>();

  constructor(options: UserDataOptions) {
    this.#options = options;
  }

  onOrder(account: number, fact: OrderFact): void {
    const topic = this.#topicOf(account);
    if (topic === undefined) return;
    const { markets } = this.#options.engine.state;
    if (fact.execution === "TRADE") topic.publish(JSON.stringify(tradeLite(fact, markets)));
    const open = this.#openNotionals(account, fact.order.market);
    topic.publish(JSON.stringify(orderTradeUpdate(fact, markets, open)));
  }

  onConditional(account: number, fact: ConditionalFact): void {
    const topic = this.#topicOf(account);
    if (topic === undefined) return;
    const { markets } = this.#options.engine.state;
    const { keepsId, status, market } = fact.order;
    if (!keepsId) topic.publish(JSON.stringify(algoUpdate(fact, markets)));
    else if (status !== "TRIGGERING" && status !== "TRIGGERED") {
      // After its trigger it continues as the order of the same id, which has its own events.
      const open = this.#openNotionals(account, market);
      topic.publish(JSON.stringify(triggerOrderUpdate(fact, markets, open)));
    }
  }

  onFill(fill: EventOf<"fill">, { time_ms }: Applied): void {
    const { positions } = this.#options.engine.state;
    const at = positions.find(fill.account, fill.market);
    const realised_micros = (this.#realised.get(at) ?? 0) + fill.realised_micros;
    if (fill.realised_micros !== 0) this.#realised.set(at, realised_micros);
    const topic = this.#topicOf(fill.account);
    if (topic === undefined) return;
    const { market, positionLots: lots, cost_micros } = fill;
    const position: ChangedPosition = {
      market,
      lots,
      cost_micros,
      breakEven_microTicks: this.#breakEven(fill.account, market, lots, cost_micros),
      realised_micros,
      isIsolated: positions.mode(at) !== CROSS,
      isolated_micros: fill.isolated_micros,
    };
    this.#publish(topic, "ORDER", time_ms, fill.principal_micros + fill.bonus_micros, 0, [position]);
  }

  onAdl(account: number, fact: AdlFact): void {
    this.#topicOf(account)?.publish(JSON.stringify(adlUpdate(fact, this.#options.engine.state.markets)));
  }

  /** Events of an account that concern neither orders nor fills. */
  onOther(event: AccountEvent, { time_ms }: Applied): void {
    const topic = this.#topicOf(event.account);
    if (topic === undefined) return;
    const { accounts, markets } = this.#options.engine.state;
    const { account } = event;
    const wallet = accounts.principal(account) + accounts.bonus(account);
    switch (event.kind) {
      case "deposited":
        this.#publish(topic, "DEPOSIT", time_ms, wallet, event.amount_micros);
        return;
      case "withdrawal_held":
        this.#publish(topic, "WITHDRAW", time_ms, wallet, -event.amount_micros);
        return;
      case "withdrawal_settled":
        if (event.isDone === 0) this.#publish(topic, "WITHDRAW_REJECT", time_ms, wallet, event.amount_micros);
        return;
      case "funding_paid": {
        const isolated = this.#changed(account, event.market).filter(({ isIsolated }) => isIsolated);
        this.#publish(topic, "FUNDING_FEE", time_ms, wallet, -event.amount_micros, isolated);
        return;
      }
      case "liquidation_fee_paid":
        this.#publish(topic, "INSURANCE_CLEAR", time_ms, wallet, -event.amount_micros);
        return;
      case "isolated_margin_moved":
        this.#publish(
          topic,
          "MARGIN_TRANSFER",
          time_ms,
          wallet,
          -event.amount_micros,
          this.#changed(account, event.market),
        );
        return;
      case "margin_mode_set":
        this.#publish(topic, "MARGIN_TYPE_CHANGE", time_ms, wallet, 0, this.#changed(account, event.market));
        return;
      case "bonus_line": {
        const known = BONUS_REASONS[event.line];
        if (known) this.#publish(topic, known.reason, time_ms, wallet, known.sign * event.amount_micros);
        return;
      }
      case "leverage_set":
        topic.publish(JSON.stringify(accountConfigUpdate(event, time_ms, markets)));
        return;
      case "margin_called":
        this.#onMarginCall(topic, event, wallet, time_ms);
    }
  }

  #publish(
    topic: Publisher,
    reason: string,
    time_ms: number,
    wallet_micros: number,
    change_micros: number,
    positions: readonly ChangedPosition[] = [],
  ): void {
    const change = { reason, time_ms, wallet_micros, change_micros, positions };
    topic.publish(JSON.stringify(accountUpdate(change, this.#options.engine.state.markets)));
  }

  #onMarginCall(
    topic: Publisher,
    { account, market }: EventOf<"margin_called">,
    wallet: number,
    time_ms: number,
  ): void {
    const { state, margin } = this.#options.engine;
    const { positions } = state;
    const called = [...this.#options.reader.symbolsOf(account)].filter((at) =>
      market === NO_MARKET ? positions.lots(at) !== 0 && positions.mode(at) === CROSS : positions.market(at) === market,
    );
    const rows = called.map((at) => ({ ...this.#figures(at), maintenance_micros: margin.maintenanceOf(at) }));
    topic.publish(JSON.stringify(marginCall(rows, wallet, time_ms, state.markets)));
  }

  #changed(account: number, market: number): ChangedPosition[] {
    const position = this.#options.engine.state.positions.find(account, market);
    return position === NO_POSITION ? [] : [this.#figures(position)];
  }

  #figures(position: number): ChangedPosition {
    const { positions } = this.#options.engine.state;
    const market = positions.market(position);
    const lots = positions.lots(position);
    const cost_micros = positions.cost(position);
    return {
      market,
      lots,
      cost_micros,
      breakEven_microTicks: this.#breakEven(positions.account(position), market, lots, cost_micros),
      realised_micros: this.#realised.get(position) ?? 0,
      isIsolated: positions.mode(position) !== CROSS,
      isolated_micros: positions.isolated(position),
    };
  }

  /** As `breakEvenPrice` of `positionRisk`. */
  #breakEven(account: number, market: number, lots: number, cost_micros: number): number {
    const { state } = this.#options.engine;
    return breakEven(state, account, state.markets[market]!, lots, cost_micros);
  }

  #openNotionals(account: number, market: number) {
    const { positions } = this.#options.engine.state;
    const at = positions.find(account, market);
    return { bids_micros: positions.openValue(at, BUY), asks_micros: positions.openValue(at, SELL) };
  }

  #topicOf(account: number): Publisher | undefined {
    return this.#options.topics.find(account, userTopicKey);
  }
}
