import type { MarketInfo, MarketRequest } from "@bourse/api";
import type { MarketState } from "@bourse/engine";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JsonValue } from "../../kernel/database/tables.ts";
import type { OutboxDispatcher } from "../../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../../kernel/outbox/outbox.ts";
import { type Random, randomUuid } from "../../kernel/random.ts";
import { ENGINE_TIMEOUT_ms } from "../../wallet/deposits.ts";
import type { OutboxOutcomes } from "../../wallet/outcomes.ts";
import type { Turner } from "../../wallet/switches.ts";
import { findMarket, marketInfo, STATUS_CODES, type StatusName } from "../account/markets.ts";
import { engineRefusal } from "../account/refusals.ts";
import { type Exchange, OutcomeUnknown } from "../host/exchange.ts";
import { COMMAND_TOPIC } from "../host/outbox-delivery.ts";
import { readMarket } from "./market-request.ts";

/** What prices need to know of a new market. */
export interface StartPrices {
  setStartPrice(symbol: string, price_e8: number): Promise<void>;
  /** One round over all markets; done when the engine has what came of it. */
  tick(): Promise<void>;
}

export interface MarketAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: OutboxOutcomes;
  readonly random: Random;
  readonly prices: StartPrices;
}

/** What is asked of the engine and how it stands in the audit log. */
interface Decision {
  readonly ref: string;
  readonly command: { readonly [name: string]: JsonValue };
  readonly action: string;
  readonly target: string;
  readonly before?: JsonValue;
  readonly after: JsonValue;
}

/**
 * FUT-2: markets at run time. What an admin decides is written to the audit log and the outbox in one transaction, so that
 * either both happen or neither, and answered once the engine has it. Delivered twice after a crash, neither command does
 * anything more: the market is there, the status is set.
 */
export class MarketAdmin {
  readonly #options: MarketAdminOptions;

  constructor(options: MarketAdminOptions) {
    this.#options = options;
  }

  async add(request: MarketRequest, turner: Turner): Promise<MarketInfo> {
    const { exchange, prices, random } = this.#options;
    const { definition, start_e8, startTicks } = readMarket(request);
    const { symbol } = definition;
    if (exchange.engine.state.markets.some(({ terms }) => terms.symbol === symbol)) {
      throw engineRefusal({ reason: "duplicate_market", limit: 0, actual: 0 });
    }
    const shown = { ...definition, brackets: definition.brackets.map((row) => ({ ...row })) };
    const decision: Decision = {
      ref: `add-market:${symbol}:${randomUuid(random)}`,
      command: { kind: "add_market", definition: shown },
      action: "market.add",
      target: symbol,
      after: { definition: shown, start_e8 },
    };
    await this.#decide(decision, turner);
    const market = findMarket(exchange, symbol);
    // Unless its sources were quicker.
    if (market.markTicks === 0) {
      const ticks = { indexTicks: startTicks, markTicks: startTicks };
      await exchange.submit({ kind: "set_price", market: market.number, ...ticks }, true);
    }
    await prices.setStartPrice(symbol, start_e8);
    await prices.tick();
    return marketInfo(market);
  }

  async setStatus(symbol: string, status: StatusName, turner: Turner): Promise<MarketInfo> {
    const { exchange, random } = this.#options;
    const market = findMarket(exchange, symbol);
    const decision: Decision = {
      ref: `market-status:${randomUuid(random)}`,
      command: { kind: "set_market_status", market: market.number, status: STATUS_CODES[status] },
      action: "market.status",
      target: market.terms.symbol,
      before: { status: marketInfo(market).status },
      after: { status },
    };
    await this.#decide(decision, turner);
    return { ...marketInfo(market), status };
  }

  list(): MarketInfo[] {
    return this.#options.exchange.engine.state.markets.map((market: MarketState) => marketInfo(market));
  }

  async #decide({ ref, command, ...entry }: Decision, turner: Turner): Promise<void> {
    const { database, audit, outbox, dispatcher, outcomes } = this.#options;
    await database.db.transaction().execute(async (tx) => {
      await outbox.enqueue(tx, { topic: COMMAND_TOPIC, ref, payload: command });
      await audit.append(tx, { ...turner, ...entry });
    });
    dispatcher.notify();
    const outcome = await outcomes.wait(ref, ENGINE_TIMEOUT_ms);
    if (outcome === undefined) throw new OutcomeUnknown(`the engine has not answered to ${ref} yet`);
    if (outcome.refused !== undefined) throw engineRefusal(outcome.refused);
  }
}
