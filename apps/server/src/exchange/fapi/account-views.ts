import type { FapiAccount, FapiBalance, FapiPositionRisk } from "@bourse/api";
import { finePriceText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import type { SettingsByMarket } from "../accounts/account-settings.ts";
import type { AdlRanks } from "./adl-ranks.ts";
import type { AccountFigures, AccountReader, PositionFigures } from "./positions.ts";
import type { UpdateTimes } from "./update-times.ts";

export type AccountVersion = 2 | 3;
/** Version 1 of `positionRisk` answers as version 2. */
export type RiskVersion = AccountVersion;

const NONE = "0";

export interface AccountViewsOptions {
  readonly reader: AccountReader;
  readonly times: UpdateTimes;
  readonly ranks: AdlRanks;
}

/** Accounts and positions in the bots' interface. Wallet balances are principal plus bonus (WIRE-6). */
export class AccountViews {
  readonly #reader: AccountReader;
  readonly #times: UpdateTimes;
  readonly #ranks: AdlRanks;

  constructor({ reader, times, ranks }: AccountViewsOptions) {
    this.#reader = reader;
    this.#times = times;
    this.#ranks = ranks;
  }

  balance(account: number): FapiBalance[] {
    const figures = this.#reader.summary(account, this.#reader.positions(account));
    return [
      {
        accountAlias: account === 0 ? "" : `bourse-${account}`,
        asset: "USDT",
        balance: moneyText(figures.crossWallet_micros + figures.isolatedWallet_micros),
        crossWalletBalance: moneyText(figures.crossWallet_micros),
        crossUnPnl: moneyText(figures.crossUnrealised_micros),
        availableBalance: moneyText(figures.available_micros),
        maxWithdrawAmount: moneyText(figures.withdrawable_micros),
        marginAvailable: true,
        updateTime: this.#times.ofAccount(account),
      },
    ];
  }

  /** SEC-11: `kept` has the settings of a wallet without an account. */
  account(account: number, version: AccountVersion, kept?: SettingsByMarket): FapiAccount {
    const positions = this.#reader.positions(account, undefined, kept);
    const figures = this.#reader.summary(account, positions);
    const shown = version === 2 ? positions : positions.filter(isLive);
    const sums = sumsOf(figures);
    const updateTime = this.#times.ofAccount(account);
    return {
      ...(version === 2
        ? {
            feeTier: this.#reader.tier(account),
            feeBurn: false,
            canTrade: true,
            canDeposit: true,
            canWithdraw: true,
            multiAssetsMargin: false,
            tradeGroupId: -1,
            updateTime,
          }
        : {}),
      totalInitialMargin: sums.initialMargin,
      totalMaintMargin: sums.maintMargin,
      totalWalletBalance: sums.walletBalance,
      totalUnrealizedProfit: sums.unrealizedProfit,
      totalMarginBalance: sums.marginBalance,
      totalPositionInitialMargin: sums.positionInitialMargin,
      totalOpenOrderInitialMargin: sums.openOrderInitialMargin,
      totalCrossWalletBalance: sums.crossWalletBalance,
      totalCrossUnPnl: sums.crossUnPnl,
      availableBalance: sums.availableBalance,
      maxWithdrawAmount: sums.maxWithdrawAmount,
      assets: [{ asset: "USDT", ...sums, ...(version === 2 ? { marginAvailable: true } : {}), updateTime }],
      positions: shown.map((position) => this.#accountPosition(account, position, version)),
    };
  }

  positionRisk(account: number, positions: readonly PositionFigures[], version: RiskVersion): FapiPositionRisk[] {
    const shown = version === 2 ? positions : positions.filter(isLive);
    return shown.map((position) => this.#risk(account, position, version));
  }

  #accountPosition(account: number, position: PositionFigures, version: AccountVersion) {
    const { market } = position;
    const margin = marginOf(position);
    const common = {
      symbol: market.definition.symbol,
      positionSide: "BOTH" as const,
      positionAmt: quantityText(market.definition, position.lots),
      unrealizedProfit: moneyText(position.unrealised_micros),
      ...isolatedOf(position),
      notional: moneyText(position.notional_micros),
      initialMargin: margin.initialMargin,
      maintMargin: margin.maintMargin,
      updateTime: this.#times.ofPosition(account, market.number),
    };
    if (version === 3) return common;
    return {
      ...common,
      leverage: String(position.leverage),
      isolated: position.isIsolated,
      entryPrice: fine(position, position.entry_microTicks),
      breakEvenPrice: fine(position, position.breakEven_microTicks),
      positionInitialMargin: margin.positionInitialMargin,
      openOrderInitialMargin: margin.openOrderInitialMargin,
      maxNotional: moneyText(position.maxNotional_micros, 0),
      bidNotional: moneyText(position.bids_micros),
      askNotional: moneyText(position.asks_micros),
    };
  }

  #risk(account: number, position: PositionFigures, version: RiskVersion): FapiPositionRisk {
    const { market } = position;
    const common = {
      symbol: market.definition.symbol,
      positionSide: "BOTH" as const,
      positionAmt: quantityText(market.definition, position.lots),
      entryPrice: fine(position, position.entry_microTicks),
      breakEvenPrice: fine(position, position.breakEven_microTicks),
      markPrice: priceText(market.definition, market.markTicks),
      unRealizedProfit: moneyText(position.unrealised_micros),
      liquidationPrice: fine(position, position.liquidation_microTicks),
      ...isolatedOf(position),
      notional: moneyText(position.notional_micros),
      updateTime: this.#times.ofPosition(account, market.number),
    };
    if (version === 2) {
      return {
        ...common,
        marginType: position.isIsolated ? "isolated" : "cross",
        leverage: String(position.leverage),
        isAutoAddMargin: "false",
        maxNotionalValue: moneyText(position.maxNotional_micros, 0),
      };
    }
    return {
      ...common,
      marginAsset: "USDT",
      ...marginOf(position),
      adl: this.#ranks.quantileOf(market, position.position),
      bidNotional: moneyText(position.bids_micros),
      askNotional: moneyText(position.asks_micros),
    };
  }
}

/** The entry has a position or an open order. */
const isLive = (position: PositionFigures) => position.lots !== 0 || position.openOrders > 0;

function fine({ market }: PositionFigures, microTicks: number): string {
  return microTicks === 0 ? NONE : finePriceText(market.definition, microTicks);
}

/** "0" for a cross position, by which clients recognise the margin mode. */
function isolatedOf({ isIsolated, isolatedWallet_micros, unrealised_micros }: PositionFigures) {
  return {
    isolatedMargin: isIsolated ? moneyText(isolatedWallet_micros + unrealised_micros, 0) : NONE,
    isolatedWallet: isIsolated ? moneyText(isolatedWallet_micros, 0) : NONE,
  };
}

function marginOf(position: PositionFigures) {
  return {
    initialMargin: moneyText(position.positionInitial_micros + position.orderInitial_micros),
    maintMargin: moneyText(position.maintenance_micros),
    positionInitialMargin: moneyText(position.positionInitial_micros),
    openOrderInitialMargin: moneyText(position.orderInitial_micros),
  };
}

function sumsOf(figures: AccountFigures) {
  const wallet_micros = figures.crossWallet_micros + figures.isolatedWallet_micros;
  return {
    walletBalance: moneyText(wallet_micros),
    unrealizedProfit: moneyText(figures.unrealised_micros),
    marginBalance: moneyText(wallet_micros + figures.unrealised_micros),
    maintMargin: moneyText(figures.maintenance_micros),
    initialMargin: moneyText(figures.positionInitial_micros + figures.orderInitial_micros),
    positionInitialMargin: moneyText(figures.positionInitial_micros),
    openOrderInitialMargin: moneyText(figures.orderInitial_micros),
    crossWalletBalance: moneyText(figures.crossWallet_micros),
    crossUnPnl: moneyText(figures.crossUnrealised_micros),
    availableBalance: moneyText(figures.available_micros),
    maxWithdrawAmount: moneyText(figures.withdrawable_micros),
  };
}
