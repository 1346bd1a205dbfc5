import { buildMarket, type EngineEvent, type EventOf, notionalOf } from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import { ProjectionFault } from "./columns.ts";
import { incomesOf } from "./incomes.ts";
import { KlineDrafts } from "./klines.ts";
import { OrderDrafts } from "./order-drafts.ts";
import type {
  BonusLineRow,
  FillRow,
  FundingRateRow,
  IncomeRow,
  MarginMoveRow,
  MarketRow,
  TierChangeRow,
} from "./tables.ts";

/** Fills of these causes are no trades between orders: the public never sees them, no price comes of them. */
export const UNPUBLISHED_CAUSES: readonly string[] = ["takeover", "adl"];

/** The rows that a stretch of commands leads to. */
export class BatchRows {
  readonly drafts = new OrderDrafts();
  readonly klines = new KlineDrafts();
  readonly markets: MarketRow[] = [];
  readonly fills: FillRow[] = [];
  readonly incomes: IncomeRow[] = [];
  readonly fundingRates: FundingRateRow[] = [];
  readonly bonusLines: BonusLineRow[] = [];
  readonly tierChanges: TierChangeRow[] = [];
  readonly marginMoves: MarginMoveRow[] = [];
  readonly #units_micros: Map<number, number>;
  #lastIncomeId: number;

  /** `units_micros` by market, to which markets that are added here are added. */
  constructor(units_micros: Map<number, number>, lastIncomeId: number) {
    this.#units_micros = units_micros;
    this.#lastIncomeId = lastIncomeId;
  }

  get lastIncomeId(): number {
    return this.#lastIncomeId;
  }

  add(applied: Applied): void {
    const { events } = applied;
    for (let index = 0; index < events.length; index += 1) {
      const event = events[index]!;
      this.drafts.hear(event, applied);
      this.#addIncomes(event, applied, index);
      this.#addOwn(event, applied, index);
    }
  }

  #addIncomes(event: EngineEvent, { number, time_ms }: Applied, event_index: number): void {
    for (const income of incomesOf(event)) {
      if (income.amount_micros === 0) continue;
      this.#lastIncomeId += 1;
      this.incomes.push({ ...income, income_id: this.#lastIncomeId, time_ms, command_number: number, event_index });
    }
  }

  #addOwn(event: EngineEvent, applied: Applied, event_index: number): void {
    const { number: command_number, time_ms } = applied;
    switch (event.kind) {
      case "fill":
        this.#addFill(event, applied, event_index);
        return;
      case "price_set":
        this.klines.hearPrices(event.market, time_ms, event.markTicks, event.indexTicks);
        return;
      case "market_added":
        this.#addMarket(event, applied);
        return;
      case "funding_settled": {
        const { market, hour, rate_e8, markTicks: mark_ticks, residue_micros } = event;
        this.fundingRates.push({ market, hour, rate_e8, mark_ticks, residue_micros, settled_ms: time_ms });
        return;
      }
      case "bonus_line": {
        const { account, line, amount_micros, bonus_micros, locked_micros, consumed_micros } = event;
        const amounts = { amount_micros, bonus_micros, locked_micros, consumed_micros };
        this.bonusLines.push({ account, command_number, event_index, line, ...amounts, time_ms });
        return;
      }
      case "tier_changed": {
        const { account, change, tier, previousTier: previous_tier, volume14d_micros: volume_14d_micros } = event;
        const tiers = { change, tier, previous_tier, volume_14d_micros };
        this.tierChanges.push({ account, command_number, event_index, ...tiers, time_ms });
        return;
      }
      case "isolated_margin_moved": {
        const { account, market, amount_micros, isolated_micros } = event;
        this.marginMoves.push({ account, market, command_number, amount_micros, isolated_micros, time_ms });
        return;
      }
      default:
    }
  }

  #addFill(event: EventOf<"fill">, { number, time_ms }: Applied, event_index: number): void {
    const { market, ticks, lots, side, cause } = event;
    const unit_micros = this.#units_micros.get(market);
    if (unit_micros === undefined) throw new ProjectionFault(`a fill in market ${market}, which is unknown`);
    const quote_micros = notionalOf(ticks, lots, unit_micros);
    this.fills.push({
      market,
      trade: event.trade,
      side,
      account: event.account,
      order_id: event.order,
      is_maker: event.isMaker === 1,
      cause,
      ticks,
      lots,
      quote_micros,
      fee_micros: event.fee_micros,
      fee_from_bonus_micros: event.feeFromBonus_micros,
      realised_micros: event.realised_micros,
      loss_from_bonus_micros: event.lossFromBonus_micros,
      position_lots: event.positionLots,
      cost_micros: event.cost_micros,
      terms_version: event.termsVersion,
      is_self_trade: event.isSelfTrade === 1,
      time_ms,
      command_number: number,
      event_index,
      mark_ticks: event.markTicks,
      is_off_market: event.isOffMarket === 1,
    });
    if (event.isMaker === 1 || UNPUBLISHED_CAUSES.includes(cause)) return;
    this.klines.hearTrade(market, time_ms, { ticks, lots, quote_micros, takerSide: side });
  }

  #addMarket({ market, symbol }: EventOf<"market_added">, { command }: Applied): void {
    if (command.kind !== "add_market") throw new ProjectionFault(`market ${market} was added by a ${command.kind}`);
    const { tickSize_e8: tick_size_e8, lotSize_e8: lot_size_e8, unit_micros } = buildMarket(command.definition);
    this.#units_micros.set(market, unit_micros);
    this.markets.push({ market, symbol, tick_size_e8, lot_size_e8, unit_micros });
  }
}
