import type { AccountPosition, BalanceData, PositionData, UnifiedAccount } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";

/** A position with the exchange's figures. What moves with the mark price is computed here, by the engine's rules. */
export type Position = AccountPosition;

const MICRO_DIGITS = 6;
const RATE_DIGITS = 8;

export const magnitude = (value: Decimal): Decimal => (value.isNegative() ? Decimal.ZERO.sub(value) : value);

type Held = Pick<Position, "quantity" | "mark_price" | "unrealized_pnl">;

/**
 * FUT-9: a position is its lots and their cost, never an average price. The cost follows without rounding from what the
 * exchange says of one moment: value at the mark less unrealised PnL.
 */
export const costOf = ({ quantity, mark_price, unrealized_pnl }: Held): Decimal =>
  Decimal.parse(quantity).mul(Decimal.parse(mark_price)).sub(Decimal.parse(unrealized_pnl));

export const pnlAt = (position: Held, mark: string): Decimal =>
  Decimal.parse(position.quantity).mul(Decimal.parse(mark)).sub(costOf(position));

/** The gain on the margin that the position was opened with, as a fraction; undefined for what cost nothing. */
export function returnOnMargin(pnl: Decimal, position: Held & Pick<Position, "leverage">): string | undefined {
  const cost = magnitude(costOf(position));
  if (cost.isZero()) return undefined;
  return pnl
    .mul(Decimal.parse(String(position.leverage)))
    .div(cost, RATE_DIGITS, "halfUp")
    .toString();
}

interface Bracket {
  readonly notional_cap: string;
  readonly maintenance_rate: string;
  readonly cumulative: string;
}

/** FUT-9, FUT-10: notional × mmr, rounded up, less the cumulative amount; a notional equal to a cap belongs to it. */
export function maintenanceMargin(brackets: readonly Bracket[], notional: Decimal): Decimal {
  const row = brackets.find(({ notional_cap }) => notional.lte(Decimal.parse(notional_cap))) ?? brackets.at(-1);
  if (row === undefined || notional.isZero()) return Decimal.ZERO;
  return notional
    .mul(Decimal.parse(row.maintenance_rate))
    .round(MICRO_DIGITS, "ceil")
    .sub(Decimal.parse(row.cumulative));
}

export interface LiveFigures {
  readonly unrealized_pnl: Decimal;
  readonly margin_balance: Decimal;
  readonly maintenance_margin: Decimal;
  readonly available: Decimal;
  /** Maintenance / balance: liquidation at 1. */
  readonly margin_ratio: string;
}

type MarketBrackets = { readonly symbol: string; readonly brackets: readonly Bracket[] };

/**
 * The account at the marks of now. Positions of which no mark is known keep the exchange's figures; initial margin and
 * other figures that do not move with the price stay as they are.
 */
export function liveFigures(
  account: UnifiedAccount,
  markets: readonly MarketBrackets[],
  markOf: (symbol: string) => string | undefined,
): LiveFigures {
  let pnl = Decimal.parse(account.unrealized_pnl);
  let maintenance = Decimal.parse(account.maintenance_margin);
  for (const position of account.positions) {
    const mark = markOf(position.symbol);
    const market = markets.find(({ symbol }) => symbol === position.symbol);
    if (position.margin_mode !== "cross" || mark === undefined || market === undefined) continue;
    pnl = pnl.add(pnlAt(position, mark)).sub(Decimal.parse(position.unrealized_pnl));
    const notional = magnitude(Decimal.parse(position.quantity).mul(Decimal.parse(mark)));
    maintenance = maintenance
      .add(maintenanceMargin(market.brackets, notional))
      .sub(Decimal.parse(position.maintenance_margin));
  }
  const balance = Decimal.parse(account.margin_balance).add(pnl).sub(Decimal.parse(account.unrealized_pnl));
  return {
    unrealized_pnl: pnl,
    margin_balance: balance,
    maintenance_margin: maintenance,
    available: balance.sub(Decimal.parse(account.initial_margin)),
    margin_ratio: ratioOf(maintenance, balance),
  };
}

/** Cut to eight decimals; "0" while there is nothing to lose, "1" once there is nothing left. */
export function ratioOf(maintenance: Decimal, balance: Decimal): string {
  if (maintenance.isZero() || maintenance.isNegative()) return "0";
  return balance.lte(maintenance) ? "1" : maintenance.div(balance, RATE_DIGITS, "floor").toString();
}

/** The margin ratio of an isolated position, with its PnL. */
export function isolatedRatio(position: Position, pnl: Decimal, maintenance: Decimal): string {
  return ratioOf(maintenance, Decimal.parse(position.isolated_margin).add(pnl));
}

/**
 * A position as the stream tells it, in the account as it was known. What the stream does not say (liquidation price and
 * margins) is the old one's until the account is read again.
 */
export function withPosition(account: UnifiedAccount, data: PositionData): UnifiedAccount {
  const at = account.positions.findIndex(({ symbol }) => symbol === data.symbol);
  if (data.side === "FLAT") return at < 0 ? account : { ...account, positions: account.positions.toSpliced(at, 1) };
  const known = account.positions[at];
  const { time: _, side, ...told } = data;
  const next: Position = {
    liquidation_price: known?.liquidation_price ?? null,
    initial_margin: known?.initial_margin ?? "0.00",
    maintenance_margin: known?.maintenance_margin ?? "0.00",
    ...told,
    side,
  };
  return { ...account, positions: at < 0 ? [...account.positions, next] : account.positions.with(at, next) };
}

export function withPositions(account: UnifiedAccount, all: readonly PositionData[]): UnifiedAccount {
  const kept = account.positions.filter(({ symbol }) => all.some((data) => data.symbol === symbol));
  return all.reduce(withPosition, { ...account, positions: kept });
}

export function withBalance(account: UnifiedAccount, { asset: _, time: __, ...told }: BalanceData): UnifiedAccount {
  const balance = Decimal.parse(told.margin_balance);
  return { ...account, ...told, margin_ratio: ratioOf(Decimal.parse(told.maintenance_margin), balance) };
}
