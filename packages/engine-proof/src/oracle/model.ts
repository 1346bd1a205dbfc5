import { type Command, type EngineEvent, NEWEST_RULES } from "@bourse/engine";
import { min } from "./arithmetic.ts";
import {
  closeExpiredBonus,
  closeOffTouched,
  expireBonus,
  freezeBonus,
  grantBonus,
  recallBonus,
  unfreezeBonus,
} from "./bonus.ts";
import { bestOpposite } from "./book.ts";
import { fireConditionals, placeConditional } from "./conditionals.ts";
import {
  areFieldsFine,
  hasField,
  hasTerms,
  isAccountNumber,
  isCommandNumber,
  isNumberOptional,
  isStampFine,
  isTime_ms,
} from "./fields.ts";
import { passHour } from "./fund.ts";
import { standingOf, sumOf } from "./margin.ts";
import { addMarket, applyFunding, setMarketRules, setMarketStatus, setPrice } from "./markets.ts";
import { expireDue } from "./matching.ts";
import {
  commitWallet,
  deposit,
  followTerms,
  holdWithdrawal,
  noted,
  openAccount,
  payOut,
  returnPayout,
  seedFund,
  setDiscount,
  setRulesVersion,
  setTerms,
  settleWithdrawal,
} from "./money.ts";
import { cancelAll, cancelOrder, modifyOrder, placeOrder } from "./orders.ts";
import { moveIsolatedMargin, setLeverage, setMarginMode } from "./settings.ts";
import { ALL_CROSS, BUY, FUND, ISOLATED, type Refusal, refuse, SELL, World } from "./state.ts";
import { passMidnights } from "./tiers.ts";

type Handlers = {
  [Kind in Command["kind"]]: (world: World, command: Extract<Command, { kind: Kind }>) => Refusal | null;
};

const HANDLERS: Handlers = {
  place_order: placeOrder,
  place_conditional: placeConditional,
  cancel_order: cancelOrder,
  cancel_all: cancelAll,
  modify_order: modifyOrder,
  set_leverage: setLeverage,
  set_margin_mode: setMarginMode,
  move_isolated_margin: moveIsolatedMargin,
  set_price: setPrice,
  apply_funding: applyFunding,
  advance_time: () => null,
  open_account: openAccount,
  add_market: addMarket,
  set_market_status: setMarketStatus,
  set_market_rules: setMarketRules,
  expire_bonus: expireBonus,
  close_expired_bonus: closeExpiredBonus,
  deposit,
  hold_withdrawal: holdWithdrawal,
  settle_withdrawal: settleWithdrawal,
  grant_bonus: grantBonus,
  freeze_bonus: freezeBonus,
  unfreeze_bonus: unfreezeBonus,
  recall_bonus: recallBonus,
  set_terms: setTerms,
  follow_terms: followTerms,
  set_discount: setDiscount,
  seed_fund: seedFund,
  pay_out: payOut,
  return_payout: returnPayout,
  set_rules_version: setRulesVersion,
  commit_wallet: commitWallet,
  note: noted,
};

/** A balance at the mark price, of an account's cross entries (market −1) or of an isolated position. */
export interface Balance {
  readonly account: number;
  readonly market: number;
  readonly maintenance: bigint;
  readonly balance: bigint;
}

export interface Audit {
  /** The two sides of INV-1. */
  readonly left: bigint;
  readonly right: bigint;
  /** INV-2: all 0. */
  readonly lotsByMarket: bigint[];
  /** Whether any book is crossed. */
  readonly crossed: boolean;
  /** The lowest balance of any account but the fund's. */
  readonly lowest: bigint;
}

/**
 * docs/rules/engine.md implemented in the obvious way: plain lists, sorted where order matters, everything computed
 * from scratch, all amounts `bigint`. The engine has to give the same events for the same commands.
 */
export class NaiveEngine {
  /** For those who look on: generators of commands and tests. */
  readonly world: World;

  constructor(rulesVersion = NEWEST_RULES) {
    this.world = new World(rulesVersion);
  }

  apply(command: Command): EngineEvent[] {
    const { world } = this;
    world.startCommand();
    const fields: Readonly<Record<string, unknown>> = Object(command);
    const refusal = this.#run(fields);
    if (refusal !== null) {
      const isNamed = hasField(fields["kind"], "account") && isAccountNumber(fields["account"]);
      const named = isNamed ? Number(fields["account"]) : 0;
      const account = world.accounts[named] === undefined ? 0 : named;
      world.say({ kind: "refused", account, ...refusal });
    }
    for (const market of [...world.traded]) fireConditionals(world, market);
    closeOffTouched(world);
    return world.events;
  }

  audit(): Audit {
    const { world } = this;
    const left =
      sumOf(world.accounts, (account) => account.principal + account.bonus + account.inFlight) +
      sumOf(world.holdings, (holding) => holding.isolated - holding.cost) +
      world.feeAccount;
    const lotsByMarket = world.markets.map((market) =>
      sumOf(
        world.holdings.filter((holding) => holding.market === market.number),
        (holding) => holding.lots,
      ),
    );
    const balances = this.balances().filter(({ account }) => account !== FUND);
    const lowest = balances.length === 0 ? 0n : min(...balances.map(({ balance }) => balance));
    return { left, right: world.inside, lotsByMarket, crossed: this.#isCrossed(), lowest };
  }

  /** Every account's cross balance and every isolated position. */
  balances(): Balance[] {
    const { world } = this;
    const cross = world.accounts.map(({ number }) => ({ account: number, market: ALL_CROSS }));
    const isolated = world.holdings.filter((holding) => holding.mode === ISOLATED);
    return [...cross, ...isolated].map(({ account, market }) => {
      const { maintenance, balance } = standingOf(world, account, market);
      return { account, market, maintenance, balance };
    });
  }

  #run(fields: Readonly<Record<string, unknown>>): Refusal | null {
    const { world } = this;
    if (!isTime_ms(fields["time_ms"])) return refuse("bad_field");
    const time_ms = Math.max(world.time_ms, Number(fields["time_ms"]));
    passMidnights(world, time_ms);
    world.time_ms = time_ms;
    passHour(world);
    expireDue(world);
    const { kind } = fields;
    if (kind === "set_market_rules" && !world.isFair) return refuse("bad_field");
    const knowsReferences = world.rulesVersion >= 4;
    const isNumbered =
      hasField(kind, "number") || (knowsReferences && isNumberOptional(kind) && fields["number"] !== undefined);
    if (isNumbered && knowsReferences && !isStampFine(fields)) return refuse("bad_field");
    if (isNumbered && !isCommandNumber(fields["number"])) return refuse("bad_field");
    if (isNumbered) {
      const number = Number(fields["number"]);
      const { lastNumber } = world;
      if (number <= lastNumber) {
        world.say({ kind: "ignored", number, lastNumber });
        return null;
      }
      world.lastNumber = number;
    }
    if (!areFieldsFine(fields) || (!world.hasOrderTerms && hasTerms(fields))) return refuse("bad_field");
    const command: Command = fields;
    // A wallet's commitment is a field of this kind alone: it is looked at before the account.
    const isWithoutWallet = command.kind === "commit_wallet" && (!knowsReferences || !command.commitment);
    if (isWithoutWallet) return refuse("bad_field");
    const { account, market } = fields as { account: number; market: number };
    const isOfAccount = hasField(command.kind, "account") && command.kind !== "open_account";
    if (isOfAccount && world.accounts[account] === undefined) return refuse("unknown_account");
    const isOfMarket = hasField(command.kind, "market") && market >= 0;
    if (isOfMarket && world.markets[market] === undefined) return refuse("unknown_market");
    const handle = HANDLERS[command.kind] as (world: World, command: Command) => Refusal | null;
    return handle(world, command);
  }

  #isCrossed(): boolean {
    return this.world.markets.some(({ number }) => {
      const bid = bestOpposite(this.world, number, SELL);
      const ask = bestOpposite(this.world, number, BUY);
      return bid !== null && ask !== null && bid >= ask;
    });
  }
}
