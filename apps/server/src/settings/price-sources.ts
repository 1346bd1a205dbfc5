import { type Kind, SettingProblem } from "./kinds.ts";

/** The sources of an index. */
export interface PriceSourcesChoice {
  readonly isSimulated: boolean;
  /** ccxt's names of other exchanges. */
  readonly ccxt: readonly string[];
  /** Whether an operator's programs may push prices. */
  readonly isPushed: boolean;
  /** The names of their feeds; empty if any may push. */
  readonly feeds: readonly string[];
}

/** FUT-13: what production needs from rules version 5 on. */
const SOURCES_IN_PRODUCTION = 3;
const SIMULATED_SOURCES = 3;

/** How many sources are configured. Feeds without names are one: nobody knows of more before they push. */
export function countSources({ isSimulated, ccxt, isPushed, feeds }: PriceSourcesChoice): number {
  if (isSimulated) return SIMULATED_SOURCES;
  return ccxt.length + (isPushed ? Math.max(1, feeds.length) : 0);
}

/** FUT-13: why production cannot run on these sources by the rules of version 5; undefined if it can. */
export function problemOfSources(choice: PriceSourcesChoice): string | undefined {
  const count = countSources(choice);
  if (count >= SOURCES_IN_PRODUCTION) return undefined;
  return (
    `PRICE_SOURCES names ${count} of the ${SOURCES_IN_PRODUCTION} price sources that production needs by rules version 5: ` +
    "add exchanges (ccxt:<exchange>,<exchange>,<exchange>) or name the feeds that are pushed (push:<feed>,<feed>,<feed>)"
  );
}

const EXCHANGE_ID = /^[a-z0-9]{2,30}$/;
const FEED_NAME = /^[A-Za-z0-9_-]{1,30}$/;
const MAX_FEEDS = 16;

/**
 * The setting `PRICE_SOURCES`: `simulated`, `ccxt:binance,okx,bybit`, `push:a,b,c`, or several of them joined by `+`.
 * `push` without names takes any feed. A market needs two fresh sources (FUT-13), production three configured ones.
 */
export const priceSources: Kind<PriceSourcesChoice> = {
  shape: "simulated, ccxt:<exchange>,<exchange>… or push:<feed>,<feed>…, joined by +",
  read(text) {
    const parts = text.split("+").map((part) => part.trim());
    let isSimulated = false;
    let isPushed = false;
    const ccxt: string[] = [];
    const feeds: string[] = [];
    for (const part of parts) {
      if (part === "simulated") isSimulated = true;
      else if (part === "push") isPushed = true;
      else if (part.startsWith("ccxt:"))
        ccxt.push(...readNames(part.slice("ccxt:".length), "an exchange", EXCHANGE_ID));
      else if (part.startsWith("push:")) feeds.push(...readNames(part.slice("push:".length), "a feed", FEED_NAME));
      else throw new SettingProblem(`names no source of prices: ${part === "" ? "empty" : part}`);
    }
    // A real and a simulated price have no common index.
    if (isSimulated && parts.length > 1) throw new SettingProblem("cannot mix simulated prices with others");
    if (feeds.length > MAX_FEEDS) throw new SettingProblem(`names more than ${MAX_FEEDS} feeds`);
    isPushed ||= feeds.length > 0;
    if (ccxt.length === 1 && !isPushed) throw new SettingProblem("needs two exchanges at least");
    return { isSimulated, ccxt, isPushed, feeds };
  },
};

function readNames(list: string, what: string, form: RegExp): string[] {
  const names = list.split(",").map((name) => name.trim());
  const bad = names.find((name) => !form.test(name));
  if (bad !== undefined) throw new SettingProblem(`has ${what} that is no name: ${bad === "" ? "empty" : bad}`);
  if (new Set(names).size !== names.length) throw new SettingProblem(`names ${what} twice`);
  return names;
}
