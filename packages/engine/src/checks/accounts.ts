import { CROSS, FUND_ACCOUNT, NO_MARKET } from "../contract/codes.ts";
import { allowsOnlyReducing, BONUS_STATES } from "../rules/bonus-states.ts";
import { FEE_TIERS, tierOfVolume } from "../rules/fees.ts";
import { sumVolumes, TIER_WINDOW_days } from "../rules/volumes.ts";
import { FLAG_TOUCHED, OWN_TERMS } from "../state/accounts.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Findings } from "./findings.ts";
import { isAmount } from "./sums.ts";

/** Checks money, bonus, tier and terms of every account, and that no balance is below zero. */
export function checkAccounts(state: State, findings: Findings): void {
  const { problems } = findings;
  for (let account = 0; account <= state.accounts.count; account += 1) {
    checkMoney(state, account, problems);
    checkBonus(state, account, problems);
    checkTier(state, account, problems);
    checkTerms(state, account, problems);
    checkBalances(state, account, findings);
  }
}

function checkMoney({ accounts }: State, account: number, problems: string[]): void {
  if (!Number.isSafeInteger(accounts.principal(account))) {
    problems.push(`account ${account} has a principal of ${accounts.principal(account)}`);
  }
  if (!isAmount(accounts.inFlight(account))) {
    problems.push(`account ${account} has ${accounts.inFlight(account)} in flight`);
  }
  if (accounts.hasFlag(account, FLAG_TOUCHED)) problems.push(`account ${account} was not closed off`);
}

function checkBonus({ accounts }: State, account: number, problems: string[]): void {
  const bonus = accounts.bonus(account);
  const locked = accounts.locked(account);
  const state = BONUS_STATES[accounts.bonusState(account)];
  if (!isAmount(bonus) || !isAmount(accounts.consumed(account))) {
    problems.push(`account ${account} has a bonus of ${bonus}, consumed ${accounts.consumed(account)}`);
  }
  if (!(isAmount(locked) && locked <= bonus))
    problems.push(`account ${account} has ${locked} of ${bonus} bonus locked`);
  const isRunning = state === "active" || (state !== undefined && allowsOnlyReducing(state));
  if (isRunning !== bonus > 0) problems.push(`account ${account} has a bonus of ${bonus} in the state ${state}`);
  // BON-7: principal is below zero only if no bonus is left to pay.
  if (bonus > 0 && accounts.principal(account) < 0) {
    problems.push(`account ${account} has a principal of ${accounts.principal(account)} beside a bonus of ${bonus}`);
  }
  if (account === FUND_ACCOUNT && bonus !== 0) problems.push("the fund has a bonus");
}

/** FUT-15: upgrades are immediate, so a tier is never below that of the volume. */
function checkTier({ accounts, day }: State, account: number, problems: string[]): void {
  const volume = sumVolumes(accounts.volumes, accounts.volumesAt(account), day, TIER_WINDOW_days);
  if (accounts.volume14d(account) !== volume) {
    problems.push(`account ${account} keeps a volume of ${accounts.volume14d(account)}, its days make ${volume}`);
  }
  const tier = accounts.tier(account);
  const isTier = tier >= 0 && tier < FEE_TIERS.length;
  if (!isTier || tier < tierOfVolume(volume))
    problems.push(`account ${account} has tier ${tier} at a volume of ${volume}`);
}

/** BRK-8: an account follows another account, never itself; the fund neither follows nor is followed. */
function checkTerms({ accounts }: State, account: number, problems: string[]): void {
  const leader = accounts.termsLeader(account);
  const isOther = account !== FUND_ACCOUNT && leader !== account && accounts.isAccount(leader);
  if (leader !== OWN_TERMS && !isOther) problems.push(`account ${account} follows the terms of account ${leader}`);
}

/** Checks the cross entries together with the account's money, and each isolated position separately. */
function checkBalances(state: State, account: number, { problems, belowZero }: Findings): void {
  const { accounts, positions, markets } = state;
  let balance = BigInt(accounts.principal(account)) + BigInt(accounts.bonus(account));
  let crossPositions = 0;
  for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
    const lots = positions.lots(at);
    if (lots === 0) continue;
    const { markTicks, definition, number } = markets[positions.market(at)]!;
    const value = BigInt(lots) * BigInt(markTicks) * BigInt(definition.unit_micros);
    const unrealised = value - BigInt(positions.cost(at));
    if (positions.mode(at) === CROSS) {
      crossPositions += 1;
      balance += unrealised;
      continue;
    }
    const own = BigInt(positions.isolated(at)) + unrealised;
    if (own < 0n) belowZero.push({ account, market: number, balance_micros: own });
  }
  if (balance >= 0n) return;
  if (crossPositions > 0) belowZero.push({ account, market: NO_MARKET, balance_micros: balance });
  else problems.push(`account ${account} has no position that could be closed and a balance of ${balance}`);
}
