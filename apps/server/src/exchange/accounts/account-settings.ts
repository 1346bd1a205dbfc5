import type { MarketState, Refusal } from "@bourse/engine";
import type { AccountSetting } from "../../kernel/engine-requests/engine-requests.ts";
import type { Exchange } from "../host/exchange.ts";
import { refusedIn } from "../orders/refusals.ts";
import type { AccountDirectory } from "./directory.ts";
import type { KeptSettings, SettingChange } from "./kept-settings.ts";

export interface AccountSettingsOptions {
  readonly exchange: Pick<Exchange, "submit">;
  readonly directory: Pick<AccountDirectory, "numberOf" | "reached">;
  readonly kept: Pick<KeptSettings, "keep" | "of">;
}

export type SettingsByMarket = ReadonlyMap<number, AccountSetting>;

const NONE: SettingsByMarket = new Map();

/** Leverage and margin mode of a wallet: in the engine, or kept until its account is opened (SEC-11). */
export class AccountSettings {
  readonly #options: AccountSettingsOptions;

  constructor(options: AccountSettingsOptions) {
    this.#options = options;
  }

  /** Returns why the choice is refused; undefined if it holds. */
  async set(address: string, market: MarketState, change: SettingChange): Promise<Refusal | undefined> {
    const { exchange, directory } = this.#options;
    const account = directory.numberOf(address);
    if (account !== undefined) return refusedIn(await exchange.submit(commandOf(account, market, change)));
    const problem = problemOf(market, change);
    if (problem !== undefined) return problem;
    return await this.#keep(address, market, change);
  }

  /** What a wallet without an account has chosen. */
  async keptOf(address: string): Promise<SettingsByMarket> {
    const { directory, kept } = this.#options;
    return directory.numberOf(address) === undefined ? await kept.of(address) : NONE;
  }

  async #keep(address: string, market: MarketState, change: SettingChange): Promise<Refusal | undefined> {
    const { exchange, directory, kept } = this.#options;
    const opened = await kept.keep(address, market.number, change);
    if (opened === undefined) return undefined;
    const account = await directory.reached(opened, address);
    return refusedIn(await exchange.submit(commandOf(account, market, change)));
  }
}

function commandOf(account: number, { number: market }: MarketState, change: SettingChange) {
  return "leverage" in change
    ? ({ kind: "set_leverage", account, market, leverage: change.leverage } as const)
    : ({ kind: "set_margin_mode", account, market, mode: change.mode } as const);
}

/** What the engine would refuse to an account without orders, positions and bonus. */
function problemOf({ definition }: MarketState, change: SettingChange): Refusal | undefined {
  if (!("leverage" in change)) return undefined;
  const limit = definition.brackets[0]!.maxLeverage;
  const { leverage: actual } = change;
  return actual < 1 || actual > limit ? { reason: "leverage_invalid", limit, actual } : undefined;
}
