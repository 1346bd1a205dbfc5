import type { MarketInfo, MarketRequest, MarketRulesReply, MarketRulesRequest, MarketRulesView } from "@bourse/api";
import { MARKET_RULE_NAMES, type MarketState } from "@bourse/engine";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { JsonValue } from "../../kernel/database/tables.ts";
import type { EngineRequest, EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import type { Actor } from "../../kernel/http/callers.ts";
import { type Random, randomUuid } from "../../kernel/random.ts";
import { findMarket, marketInfo, STATUS_CODES, type StatusName } from "../account/markets.ts";
import { engineRefusal } from "../account/refusals.ts";
import type { Exchange } from "../host/exchange.ts";
import { readMarket } from "./market-request.ts";
import { assertFair, readRules, rulesReply, rulesView } from "./market-rules.ts";

/** The price functions that adding a market needs. */
export interface StartPrices {
  setStartPrice(symbol: string, price_e8: number): Promise<void>;
  /** Updates the prices of all markets; resolves when the engine has applied them. */
  tick(): Promise<void>;
}

export interface MarketAdminOptions {
  readonly database: Pick<Database, "db">;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly engineRequests: Pick<EngineRequests, "tell" | "answer">;
  readonly random: Random;
  readonly prices: StartPrices;
}

/** A command for the engine and its entry in the audit log. */
interface Decision extends EngineRequest {
  readonly action: string;
  readonly target: string;
  readonly before?: JsonValue;
  readonly after: JsonValue;
  readonly reason: string | undefined;
}

/**
 * FUT-2: adds markets and changes their status at run time. One transaction writes the audit entry and the outbox row;
 * the reply is sent after the engine has applied the command. A command that is delivered twice after a crash has no
 * second effect.
 */
export class MarketAdmin {
  readonly #options: MarketAdminOptions;

  constructor(options: MarketAdminOptions) {
    this.#options = options;
  }

  async add(request: MarketRequest, actor: Actor): Promise<MarketInfo> {
    const { exchange, prices, random } = this.#options;
    const { definition, start_e8, startTicks } = readMarket(request);
    const { symbol } = definition;
    if (exchange.engine.state.markets.some(({ definition }) => definition.symbol === symbol)) {
      throw engineRefusal({ reason: "duplicate_market", limit: 0, actual: 0 });
    }
    const shown = { ...definition, brackets: definition.brackets.map((row) => ({ ...row })) };
    const decision: Decision = {
      ref: `add-market:${symbol}:${randomUuid(random)}`,
      command: { kind: "add_market", definition: shown },
      action: "market.add",
      target: symbol,
      after: { definition: shown, start_e8 },
      reason: request.reason,
    };
    await this.#decide(decision, actor);
    const market = findMarket(exchange, symbol);
    // A price source may already have set a price.
    if (market.markTicks === 0) {
      const ticks = { indexTicks: startTicks, markTicks: startTicks };
      await exchange.submit({ kind: "set_price", market: market.number, ...ticks }, true);
    }
    await prices.setStartPrice(symbol, start_e8);
    await prices.tick();
    return marketInfo(market);
  }

  async setStatus(symbol: string, status: StatusName, actor: Actor, reason?: string): Promise<MarketInfo> {
    const { exchange, random } = this.#options;
    const market = findMarket(exchange, symbol);
    const decision: Decision = {
      ref: `market-status:${randomUuid(random)}`,
      command: { kind: "set_market_status", market: market.number, status: STATUS_CODES[status] },
      action: "market.status",
      target: market.definition.symbol,
      before: { status: marketInfo(market).status },
      after: { status },
      reason,
    };
    await this.#decide(decision, actor);
    return { ...marketInfo(market), status };
  }

  /** FUT-2: the bounds of a market. */
  rules(symbol: string): MarketRulesView {
    const { exchange } = this.#options;
    const { definition, rules } = findMarket(exchange, symbol);
    assertFair(exchange.engine.state.rulesVersion);
    return rulesView(definition.symbol, rules);
  }

  /** Rules that hold already are neither sent nor audited, so that a repeated request has one effect. */
  async setRules(name: string, request: MarketRulesRequest, actor: Actor): Promise<MarketRulesReply> {
    const { exchange, random } = this.#options;
    const market = findMarket(exchange, name);
    assertFair(exchange.engine.state.rulesVersion);
    const { symbol } = market.definition;
    const before = market.rules;
    const rules = readRules(request, market);
    const isChanged = MARKET_RULE_NAMES.some((rule) => rules[rule] !== before[rule]);
    if (request.dry_run === true || !isChanged) return rulesReply(symbol, rules, request.dry_run === true);
    const decision: Decision = {
      ref: `market-rules:${randomUuid(random)}`,
      command: { kind: "set_market_rules", market: market.number, rules },
      action: "market.rules",
      target: symbol,
      before: { ...before },
      after: { ...rules },
      reason: request.reason,
    };
    await this.#decide(decision, actor);
    return rulesReply(symbol, rules, false);
  }

  list(): MarketInfo[] {
    return this.#options.exchange.engine.state.markets.map((market: MarketState) => marketInfo(market));
  }

  async #decide({ ref, command, ...entry }: Decision, actor: Actor): Promise<void> {
    const { database, audit, engineRequests } = this.#options;
    await database.db.transaction().execute(async (tx) => {
      await engineRequests.tell(tx, ref, command);
      await audit.append(tx, { ...actor, ...entry });
    });
    const answer = await engineRequests.answer(ref);
    if (answer?.refused !== undefined) throw engineRefusal(answer.refused);
  }
}
