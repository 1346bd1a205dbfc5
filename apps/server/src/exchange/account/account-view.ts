import type { AccountPosition, UnifiedAccount } from "@bourse/api";
import {
  BONUS_STATES,
  BUY,
  bonusLocked,
  CROSS,
  type Engine,
  entryPrice,
  FLOOR,
  mulDiv,
  NO_POSITION,
  ONE_e8,
  SELL,
  shownLiquidationPrice,
} from "@bourse/engine";
import { finePriceText, moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";

/** Null if no price leads to liquidation. */
export function liquidationPriceText(engine: Engine, position: number): string | null {
  const { positions, markets } = engine.state;
  const { definition } = markets[positions.market(position)]!;
  const lots = positions.lots(position);
  const price = shownLiquidationPrice(
    definition,
    lots,
    positions.cost(position),
    engine.margin.balanceBeside(position),
  );
  return price === 0 ? null : finePriceText(definition, price);
}

function positionView(engine: Engine, position: number): AccountPosition {
  const { margin, state } = engine;
  const { positions, markets } = state;
  const { definition, markTicks } = markets[positions.market(position)]!;
  const lots = positions.lots(position);
  const cost = positions.cost(position);
  const value = lots * markTicks * definition.unit_micros;
  const isCross = positions.mode(position) === CROSS;
  const buys = positions.openValue(position, BUY);
  const sells = positions.openValue(position, SELL);
  return {
    symbol: definition.symbol,
    side: lots > 0 ? "LONG" : "SHORT",
    quantity: quantityText(definition, lots),
    entry_price: finePriceText(definition, entryPrice(lots, cost, definition.unit_micros)),
    mark_price: priceText(definition, markTicks),
    liquidation_price: liquidationPriceText(engine, position),
    notional: moneyText(Math.abs(value)),
    unrealized_pnl: moneyText(value - cost),
    initial_margin: moneyText(margin.entryInitial(position, value, buys, sells)),
    maintenance_margin: moneyText(margin.maintenanceOf(position)),
    leverage: positions.leverage(position),
    margin_mode: isCross ? "cross" : "isolated",
    isolated_margin: moneyText(positions.isolated(position)),
  };
}

/** The account's entries, in the order in which it first used the markets. */
export function* symbolsOf({ state }: Engine, account: number): Generator<number> {
  const { accounts, positions } = state;
  for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) yield at;
}

export function activePositions(engine: Engine, account: number): AccountPosition[] {
  const { positions } = engine.state;
  const held = [...symbolsOf(engine, account)].filter((position) => positions.lots(position) !== 0);
  return held.map((position) => positionView(engine, position));
}

/** Rounded down to eight decimals; "0" without maintenance margin, "1" when the balance does not exceed it. */
function marginRatio(maintenance_micros: number, balance_micros: number): string {
  if (maintenance_micros === 0) return "0";
  if (balance_micros <= maintenance_micros) return "1";
  return rateText(mulDiv(maintenance_micros, ONE_e8, balance_micros, FLOOR));
}

/** WIRE-6. A wallet without an account gets zeros. */
export function unifiedAccount(engine: Engine, address: string, account: number | undefined): UnifiedAccount {
  if (account === undefined) return emptyAccount(address);
  const { margin, state } = engine;
  const { accounts, positions } = state;
  const principal = accounts.principal(account);
  const bonus = accounts.bonus(account);
  const withdrawable = margin.withdrawable(account);
  margin.computeAll(account);
  const sums = {
    margin_balance: moneyText(margin.balance_micros),
    available: moneyText(margin.available_micros),
    initial_margin: moneyText(margin.initial_micros),
    maintenance_margin: moneyText(margin.maintenance_micros),
    margin_ratio: marginRatio(margin.maintenance_micros, margin.balance_micros),
    unrealized_pnl: moneyText(margin.unrealised_micros),
    bonus_locked: moneyText(bonus === 0 ? 0 : bonusLocked(bonus, principal, margin.initial_micros)),
  };
  let isolated = 0;
  for (const position of symbolsOf(engine, account)) isolated += positions.isolated(position);
  return {
    address,
    principal: moneyText(principal),
    bonus: moneyText(bonus),
    bonus_status: BONUS_STATES[accounts.bonusState(account)]!,
    isolated_margin: moneyText(isolated),
    in_flight: moneyText(accounts.inFlight(account)),
    ...sums,
    withdrawable: moneyText(withdrawable),
    held_gains: moneyText(state.fairness.heldOf(account)),
    bonus_owed: moneyText(state.fairness.owedOf(account)),
    tier: accounts.tier(account),
    positions: activePositions(engine, account),
  };
}

function emptyAccount(address: string): UnifiedAccount {
  const none = moneyText(0);
  return {
    address,
    principal: none,
    bonus: none,
    bonus_locked: none,
    bonus_status: "none",
    isolated_margin: none,
    in_flight: none,
    margin_balance: none,
    available: none,
    initial_margin: none,
    maintenance_margin: none,
    margin_ratio: "0",
    unrealized_pnl: none,
    withdrawable: none,
    held_gains: none,
    bonus_owed: none,
    tier: 0,
    positions: [],
  };
}
