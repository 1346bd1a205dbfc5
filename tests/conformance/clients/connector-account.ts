import { DerivativesTradingUsdsFuturesRestAPI as Rest } from "@binance/derivatives-trading-usds-futures";
import { present } from "../exchange.ts";
import { type IncomeType, SYMBOL } from "./bot.ts";

const symbol = SYMBOL;

/** Unwraps a reply of the client. */
export async function read<T>(reply: Promise<{ data(): Promise<T> }>): Promise<T> {
  return (await reply).data();
}

/** The account calls of the official connector. */
export class ConnectorAccount {
  readonly #rest: Rest.RestAPI;

  constructor(rest: Rest.RestAPI) {
    this.#rest = rest;
  }

  async balance() {
    const [asset] = await read(this.#rest.futuresAccountBalanceV3());
    return Number(asset?.balance);
  }

  async position() {
    const [held] = await read(this.#rest.positionInformationV3({ symbol }));
    if (held === undefined || Number(held.positionAmt) === 0) return undefined;
    return {
      quantity: Number(held.positionAmt),
      entry: Number(held.entryPrice),
      liquidation: Number(held.liquidationPrice),
    };
  }

  async income(type: IncomeType) {
    const incomeType = Rest.GetIncomeHistoryIncomeTypeEnum[type];
    const lines = await read(this.#rest.getIncomeHistory({ symbol, incomeType }));
    return lines.map(({ income }) => Number(income));
  }

  async fundingRates() {
    const rates = await read(this.#rest.getFundingRateHistory({ symbol }));
    return rates.map(({ fundingRate, fundingTime, markPrice }) => ({
      rate: Number(fundingRate),
      time_ms: Number(fundingTime),
      mark: Number(markPrice),
    }));
  }

  async premium() {
    // One row for one symbol: the client's type also allows the list without a symbol.
    const row = (await read(this.#rest.markPrice({ symbol }))) as Record<string, string | number>;
    return {
      mark: Number(row["markPrice"]),
      index: Number(row["indexPrice"]),
      rate: Number(row["lastFundingRate"]),
      next_ms: Number(row["nextFundingTime"]),
    };
  }

  async feeRates() {
    const rates = await read(this.#rest.userCommissionRate({ symbol }));
    return { maker: Number(rates.makerCommissionRate), taker: Number(rates.takerCommissionRate) };
  }

  async setLeverage(leverage: number) {
    return Number((await read(this.#rest.changeInitialLeverage({ symbol, leverage }))).leverage);
  }

  async leverageTiers() {
    const [row] = (await read(this.#rest.notionalAndLeverageBrackets({ symbol }))) as unknown as {
      brackets: { notionalCap: number; initialLeverage: number; maintMarginRatio: number }[];
    }[];
    return present(row).brackets.map(({ notionalCap, initialLeverage, maintMarginRatio }) => ({
      cap: notionalCap,
      leverage: initialLeverage,
      rate: maintMarginRatio,
    }));
  }

  setIsolated = (isIsolated: boolean) =>
    read(
      this.#rest.changeMarginType({
        symbol,
        marginType: Rest.ChangeMarginTypeMarginTypeEnum[isIsolated ? "ISOLATED" : "CROSSED"],
      }),
    );

  setHedged = (isHedged: boolean) => read(this.#rest.changePositionMode({ dualSidePosition: String(isHedged) }));
  isHedged = async () => present((await read(this.#rest.getCurrentPositionMode())).dualSidePosition);

  async adlQuantile() {
    const [row] = await read(this.#rest.positionAdlQuantileEstimation({ symbol }));
    return row === undefined ? undefined : Number(row.adlQuantile?.BOTH);
  }

  async forcedOrders() {
    const forced = await read(this.#rest.usersForceOrders({ symbol }));
    return forced.map(({ side, executedQty, avgPrice }) => ({
      side: side === "SELL" ? ("SELL" as const) : ("BUY" as const),
      quantity: Number(executedQty),
      price: Number(avgPrice),
    }));
  }
}
