import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { PageCursors } from "../../kernel/page-cursor.ts";
import { assertKept, type TimeWindow } from "../../kernel/windows.ts";
import type { Projector } from "../projector/projector.ts";
import { projectionDb } from "../projector/tables.ts";
import { AlgoHistory } from "./algo-history.ts";
import { MarketHistory } from "./market-history.ts";
import { MoneyHistory } from "./money-history.ts";
import { OrderHistory } from "./order-history.ts";
import { RiskHistory } from "./risk-history.ts";
import { StatisticsHistory } from "./statistics-history.ts";
import { TradeHistory } from "./trade-history.ts";

export interface HistoryOptions {
  readonly database: Pick<Database, "db">;
  readonly projector: Pick<Projector, "waitForAccount" | "waitForAll" | "pendingOrder" | "isSpilled">;
  readonly clock: Clock;
  /** Signs page cursors. The key is the same after a restart, so that clients can continue. */
  readonly cursorKey: Uint8Array;
  /** `HISTORY_DAYS`; 0 keeps everything. */
  readonly keptDays?: number;
}

/**
 * Reads from the tables. Reads for an account wait until the projector has written the account's last event, so that a
 * client sees the effect of its own requests; they throw ProjectionTimeout if that takes too long.
 */
export class History {
  readonly orders: OrderHistory;
  readonly algos: AlgoHistory;
  readonly trades: TradeHistory;
  readonly money: MoneyHistory;
  readonly markets: MarketHistory;
  readonly risk: RiskHistory;
  readonly statistics: StatisticsHistory;

  constructor({ database, projector, clock, cursorKey, keptDays = 0 }: HistoryOptions) {
    const db = projectionDb(database);
    const assertCovers = (query: TimeWindow) => assertKept(query, keptDays, clock.now());
    const parts = { db, projector, clock, assertCovers, cursors: new PageCursors(cursorKey) };
    this.orders = new OrderHistory(parts);
    this.algos = new AlgoHistory(parts);
    this.trades = new TradeHistory(parts);
    this.money = new MoneyHistory(parts);
    this.markets = new MarketHistory(parts);
    this.risk = new RiskHistory(parts);
    this.statistics = new StatisticsHistory(parts, this.markets);
  }
}
