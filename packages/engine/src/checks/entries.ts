import { CROSS, FUND_ACCOUNT, ISOLATED } from "../contract/codes.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Findings } from "./findings.ts";

/** Checks every account's entries: holdings, settings, and the lists that contain them. */
export function checkEntries(state: State, { problems }: Findings): void {
  for (let position = 1; position <= state.positions.count; position += 1) {
    for (const problem of problemsOf(state, position)) problems.push(`${nameOf(state, position)} ${problem}`);
  }
  checkChains(state, problems);
}

export function nameOf({ positions, markets }: State, position: number): string {
  const symbol = markets[positions.market(position)]?.definition.symbol ?? "a market that is none";
  return `account ${positions.account(position)} in ${symbol}`;
}

function problemsOf(state: State, position: number): string[] {
  const { accounts, positions, markets } = state;
  const account = positions.account(position);
  const market = markets[positions.market(position)];
  if (market === undefined) return ["has a symbol there"];
  const found: string[] = [];
  const lots = positions.lots(position);
  const cost = positions.cost(position);
  const isolated = positions.isolated(position);
  const mode = positions.mode(position);
  const leverage = positions.leverage(position);
  if (positions.find(account, market.number) !== position) found.push("has two symbols");
  if (![lots, cost, isolated].every(Number.isSafeInteger)) found.push(`holds ${lots} lots at ${cost} with ${isolated}`);
  if (Math.sign(lots) !== Math.sign(cost)) found.push(`holds ${lots} lots at a cost of ${cost}`);
  if (mode !== CROSS && mode !== ISOLATED) found.push(`has the margin mode ${mode}`);
  if (isolated !== 0 && (mode === CROSS || lots === 0)) found.push(`has an isolated margin of ${isolated} for nothing`);
  if (positions.maxNotional(position) !== maxNotionalAt(market.definition.brackets, leverage)) {
    found.push(`may hold ${positions.maxNotional(position)} at a leverage of ${leverage}`);
  }
  const max = market.definition.brackets[0]!.maxLeverage;
  if (leverage < 1 || leverage > max) found.push(`has a leverage of ${leverage}, the market allows ${max}`);
  if (accounts.bonus(account) > 0 && leverage > accounts.bonusLeverage(account)) {
    found.push(`has a leverage of ${leverage} beside a bonus that allows ${accounts.bonusLeverage(account)}`);
  }
  if (account === FUND_ACCOUNT && (mode !== CROSS || positions.orders(position) !== 0)) {
    found.push("is the fund's, and isolated or with open orders");
  }
  return found;
}

/** Checks the list from the account to its entries, and the count of those that are not flat. */
function checkChains({ accounts, positions }: State, problems: string[]): void {
  let linked = 0;
  for (let account = 0; account <= accounts.count; account += 1) {
    let open = 0;
    let last = NO_POSITION;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const isInOrder = at > last && at <= positions.count && positions.account(at) === account;
      if (!isInOrder) {
        problems.push(`account ${account} has a broken list of symbols at ${at}`);
        break;
      }
      linked += 1;
      last = at;
      if (positions.lots(at) !== 0) open += 1;
    }
    if (accounts.lastPosition(account) !== last) problems.push(`account ${account} has a wrong end of its symbols`);
    if (accounts.openPositions(account) !== open) {
      problems.push(`account ${account} counts ${accounts.openPositions(account)} positions, holds ${open}`);
    }
  }
  if (linked !== positions.count) problems.push(`${positions.count} symbols exist, accounts lead to ${linked}`);
}
