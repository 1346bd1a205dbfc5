import type { Engine, MarketState } from "@bourse/engine";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import type { OrderRules } from "../orders/order-fields.ts";

export type { MarketState };

/** Markets by symbol. Admins add markets at run time; none is removed. */
export class Markets {
  /** What reading an order depends on besides its market. */
  readonly rules: OrderRules;
  readonly #list: readonly MarketState[];
  readonly #bySymbol = new Map<string, MarketState>();

  constructor(engine: Engine) {
    this.rules = engine.state;
    this.#list = engine.state.markets;
  }

  get all(): readonly MarketState[] {
    return this.#list;
  }

  at(number: number): MarketState {
    return this.#list[number]!;
  }

  find(symbol: string): MarketState | undefined {
    for (let next = this.#bySymbol.size; next < this.#list.length; next += 1) {
      const market = this.#list[next]!;
      this.#bySymbol.set(market.definition.symbol, market);
    }
    return this.#bySymbol.get(symbol);
  }

  /** The market of a requested symbol; -1121 if there is none. */
  named(symbol: string): MarketState {
    const market = this.find(symbol);
    if (market === undefined) throw fapiRefusal("SYMBOL", { details: { rule: "symbol", actual: symbol.slice(0, 40) } });
    return market;
  }

  required(parameters: FapiParameters, name = "symbol"): MarketState {
    return this.named(parameters.requiredText(name));
  }

  optional(parameters: FapiParameters, name = "symbol"): MarketState | undefined {
    const symbol = parameters.text(name);
    return symbol === undefined ? undefined : this.named(symbol);
  }
}
