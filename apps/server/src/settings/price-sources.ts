import { type Kind, SettingProblem } from "./kinds.ts";

/** The sources of an index. */
export interface PriceSourcesChoice {
  readonly isSimulated: boolean;
  /** ccxt's names of other exchanges. */
  readonly ccxt: readonly string[];
  /** Whether an operator's programs may push prices. */
  readonly isPushed: boolean;
}

const EXCHANGE_ID = /^[a-z0-9]{2,30}$/;

/**
 * The setting `PRICE_SOURCES`: `simulated`, `ccxt:binance,okx,bybit`, `push`, or several of them joined by `+`. A market
 * needs two fresh sources (FUT-13), so `push` alone needs an operator with two feeds.
 */
export const priceSources: Kind<PriceSourcesChoice> = {
  shape: "simulated, ccxt:<exchange>,<exchange>… or push, joined by +",
  read(text) {
    const parts = text.split("+").map((part) => part.trim());
    let isSimulated = false;
    let isPushed = false;
    const ccxt: string[] = [];
    for (const part of parts) {
      if (part === "simulated") isSimulated = true;
      else if (part === "push") isPushed = true;
      else if (part.startsWith("ccxt:")) ccxt.push(...readExchanges(part.slice("ccxt:".length)));
      else throw new SettingProblem(`names no source of prices: ${part === "" ? "empty" : part}`);
    }
    // A real and a simulated price have no common index.
    if (isSimulated && parts.length > 1) throw new SettingProblem("cannot mix simulated prices with others");
    if (ccxt.length === 1 && !isPushed) throw new SettingProblem("needs two exchanges at least");
    return { isSimulated, ccxt, isPushed };
  },
};

function readExchanges(list: string): string[] {
  const ids = list.split(",").map((id) => id.trim());
  const bad = ids.find((id) => !EXCHANGE_ID.test(id));
  if (bad !== undefined) throw new SettingProblem(`has an exchange that is no name: ${bad === "" ? "empty" : bad}`);
  if (new Set(ids).size !== ids.length) throw new SettingProblem("names an exchange twice");
  return ids;
}
