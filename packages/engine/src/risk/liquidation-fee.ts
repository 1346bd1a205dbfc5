import { CROSS, FUND_ACCOUNT } from "../contract/codes.ts";
import { liquidationFee } from "../rules/liquidation.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";

/**
 * FUT-12: the fee of a step, to the fund. Never more than what is left: the balance of the case, or for an isolated
 * position that is flat what has returned to principal.
 */
export function chargeLiquidationFee(
  state: State,
  ledger: Ledger,
  position: number,
  value_micros: number,
  principalBefore_micros: number,
  balance_micros: number,
): void {
  const { accounts, positions, markets, events } = state;
  const market = markets[positions.market(position)]!;
  const account = positions.account(position);
  const isIsolated = positions.mode(position) !== CROSS;
  const isFlat = positions.lots(position) === 0;
  const left = isIsolated && isFlat ? accounts.principal(account) - principalBefore_micros : balance_micros;
  const amount = liquidationFee(value_micros, market.definition.liquidationFee_e8, left);
  if (amount === 0) return;
  let fromBonus = 0;
  if (!isIsolated) fromBonus = ledger.charge(account, amount);
  else if (isFlat) accounts.addPrincipal(account, -amount);
  else positions.addIsolated(position, -amount);
  accounts.addPrincipal(FUND_ACCOUNT, amount);
  if (market.isFair) market.fund.realised_micros += amount;
  events.emit("liquidation_fee_paid", {
    account,
    market: market.number,
    amount_micros: amount,
    fromBonus_micros: fromBonus,
    principal_micros: accounts.principal(account),
    bonus_micros: accounts.bonus(account),
    isolated_micros: positions.isolated(position),
    fund_micros: accounts.principal(FUND_ACCOUNT),
  });
  ledger.touch(account);
  ledger.bonusLine(account, "CONSUME_FEE", fromBonus);
}
