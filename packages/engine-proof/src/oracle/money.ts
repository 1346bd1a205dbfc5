import {
  type CommitWallet,
  type Deposit,
  type FollowTerms,
  type HoldWithdrawal,
  NEXT_RULES,
  type Note,
  type OpenAccount,
  type PayOut,
  type ReturnPayout,
  type SeedFund,
  type SetDiscount,
  type SetRulesVersion,
  type SetTerms,
  type SettleWithdrawal,
} from "@bourse/engine";
import { BILLION_micros, MAX_INSIDE_micros, max as maxOf, toNumber, withdrawable } from "./arithmetic.ts";
import { beginHour } from "./fund.ts";
import { sumOf, sumsOf } from "./margin.ts";
import { isRunning, newAccount, type Refusal, refuse, type World } from "./state.ts";

/** Section 2. */
export function openAccount(world: World, { account, commitment = "" }: OpenAccount): Refusal | null {
  const next = world.accounts.length;
  if (account !== next) return refuse("account_out_of_sequence", BigInt(next), BigInt(account));
  world.accounts.push(newAccount(account));
  if (world.rulesVersion >= 4 && commitment !== "") world.commitments.set(account, commitment);
  world.say({ kind: "account_opened", account });
  return null;
}

/** LOG-1. */
export function commitWallet(world: World, { account, commitment = "" }: CommitWallet): Refusal | null {
  if (world.commitments.has(account)) return refuse("wallet_known");
  world.commitments.set(account, commitment);
  world.say({ kind: "wallet_committed", account });
  return null;
}

export function noted(world: World, { number }: Note): null {
  world.say({ kind: "noted", number });
  return null;
}

/** LOG-5. */
export function setRulesVersion(world: World, { version }: SetRulesVersion): Refusal | null {
  const previous = world.rulesVersion;
  if (version <= previous || version > NEXT_RULES) return refuse("rules_version", BigInt(previous));
  world.rulesVersion = version;
  if (previous < 5 && world.isFair) {
    for (const { fund } of world.markets) fund.since_ms = world.time_ms;
    for (const account of world.accounts.filter(({ bonusState }) => isRunning(bonusState))) {
      account.fair = { grant: account.bonus + account.consumed, slip: 0n, own: 0n, owed: 0n };
    }
    beginHour(world);
  }
  world.say({ kind: "rules_version_set", version, previous });
  return null;
}

export function deposit(world: World, command: Deposit): Refusal | null {
  const account = world.accounts[command.account]!;
  const amount = BigInt(command.amount_micros);
  const after = account.principal + amount;
  if (after > BILLION_micros) return refuse("balance_limit", BILLION_micros, after);
  const inside = world.inside + amount;
  if (inside > MAX_INSIDE_micros) return refuse("balance_limit", MAX_INSIDE_micros, inside);
  account.principal = after;
  world.deposits += amount;
  world.touch(account.number);
  const principal_micros = toNumber(after);
  world.say({ kind: "deposited", account: account.number, amount_micros: toNumber(amount), principal_micros });
  return null;
}

export function holdWithdrawal(world: World, command: HoldWithdrawal): Refusal | null {
  const account = world.accounts[command.account]!;
  const amount = BigInt(command.amount_micros);
  const { unrealised, initial } = sumsOf(world, account.number);
  const free = withdrawable(account.principal, account.bonus, unrealised, initial);
  const hour = Math.floor(world.time_ms / 3_600_000);
  const held = sumOf(account.gains, (gain) => (gain.hour + 72 >= hour ? gain.amount : 0n));
  const max = maxOf(0n, free - held - (account.fair?.owed ?? 0n));
  if (amount > max) return refuse("not_withdrawable", max, amount);
  account.principal -= amount;
  account.inFlight += amount;
  world.touch(account.number);
  world.say({
    kind: "withdrawal_held",
    account: account.number,
    amount_micros: toNumber(amount),
    principal_micros: toNumber(account.principal),
    inFlight_micros: toNumber(account.inFlight),
  });
  return null;
}

export function settleWithdrawal(world: World, command: SettleWithdrawal): Refusal | null {
  const account = world.accounts[command.account]!;
  const amount = BigInt(command.amount_micros);
  if (amount > account.inFlight) return refuse("not_in_flight", account.inFlight, amount);
  account.inFlight -= amount;
  if (command.isDone) world.withdrawals += amount;
  else account.principal += amount;
  world.touch(account.number);
  world.say({
    kind: "withdrawal_settled",
    account: account.number,
    amount_micros: toNumber(amount),
    isDone: command.isDone ? 1 : 0,
    principal_micros: toNumber(account.principal),
    inFlight_micros: toNumber(account.inFlight),
  });
  return null;
}

export function seedFund(world: World, command: SeedFund): Refusal | null {
  const amount = BigInt(command.amount_micros);
  const inside = world.inside + amount;
  if (inside > MAX_INSIDE_micros) return refuse("balance_limit", MAX_INSIDE_micros, inside);
  world.seeds += amount;
  world.fund.principal += amount;
  if (world.isFair) world.fundStart += amount;
  const fund_micros = toNumber(world.fund.principal);
  world.say({ kind: "fund_seeded", amount_micros: toNumber(amount), fund_micros });
  return null;
}

export function payOut(world: World, command: PayOut): Refusal | null {
  const amount = BigInt(command.amount_micros);
  if (amount > world.feeAccount) return refuse("fee_account_short", world.feeAccount, amount);
  world.feeAccount -= amount;
  world.payouts += amount;
  const feeAccount_micros = toNumber(world.feeAccount);
  world.say({ kind: "paid_out", amount_micros: toNumber(amount), feeAccount_micros });
  return null;
}

export function returnPayout(world: World, command: ReturnPayout): Refusal | null {
  const amount = BigInt(command.amount_micros);
  if (amount > world.payouts) return refuse("not_in_flight", world.payouts, amount);
  world.payouts -= amount;
  world.feeAccount += amount;
  const feeAccount_micros = toNumber(world.feeAccount);
  world.say({ kind: "payout_returned", amount_micros: toNumber(amount), feeAccount_micros });
  return null;
}

export function setTerms(world: World, { account, version }: SetTerms): null {
  world.accounts[account]!.termsVersion = version;
  world.say({ kind: "terms_set", account, version });
  return null;
}

export function followTerms(world: World, { account, leader }: FollowTerms): Refusal | null {
  if (world.accounts[leader] === undefined) return refuse("unknown_account");
  world.accounts[account]!.termsLeader = leader;
  world.say({ kind: "terms_followed", account, leader });
  return null;
}

export function setDiscount(world: World, { account, discount_bps }: SetDiscount): null {
  world.accounts[account]!.discount_bps = BigInt(discount_bps);
  world.say({ kind: "discount_set", account, discount_bps });
  return null;
}
