import type { State } from "@bourse/engine";
import { type NamedType, placeOf } from "./names.ts";
import type { Refuse } from "./request-refusals.ts";

/** Parameters of a request by their names, whether they came as text or as JSON. Empty text is absent. */
export interface OrderParameters {
  text(name: string): string | undefined;
  /** The text of a plain decimal number. */
  decimal(name: string): string | undefined;
  flag(name: string): boolean | undefined;
  requiredText(name: string): string;
  requiredDecimal(name: string): string;
  /** An object within the request. */
  nested?(name: string): OrderParameters | undefined;
}

/** What a field of an order is called on `/fapi/v1/order`, on `/fapi/v1/algoOrder` and in JSON; null: it cannot be sent. */
const NAMES = {
  symbol: ["symbol", "symbol", "symbol"],
  side: ["side", "side", "side"],
  type: ["type", "type", "type"],
  timeInForce: ["timeInForce", "timeInForce", "time_in_force"],
  quantity: ["quantity", "quantity", "quantity"],
  quote: ["quoteOrderQty", null, "quote_quantity"],
  price: ["price", "price", "price"],
  trigger: ["stopPrice", "triggerPrice", "stop_price"],
  activate: [null, "activatePrice", null],
  activation: [null, "activationPrice", null],
  callback: [null, "callbackRate", null],
  reduceOnly: ["reduceOnly", "reduceOnly", "reduce_only"],
  closePosition: ["closePosition", "closePosition", "close_position"],
  priceProtect: ["priceProtect", "priceProtect", null],
  workingType: ["workingType", "workingType", "working_type"],
  selfTradePrevention: ["selfTradePreventionMode", "selfTradePreventionMode", null],
  clientId: ["newClientOrderId", "clientAlgoId", "client_order_id"],
  slippage: [null, null, "max_slippage"],
  takeProfit: [null, null, "take_profit"],
  stopLoss: [null, null, "stop_loss"],
  algoType: [null, "algoType", null],
  positionSide: ["positionSide", "positionSide", null],
  priceMatch: ["priceMatch", "priceMatch", null],
  goodTill: ["goodTillDate", "goodTillDate", null],
  responseType: ["newOrderRespType", "newOrderRespType", null],
} as const;

const COLUMNS = { order: 0, algo: 1, json: 2 } as const;

export type OrderField = keyof typeof NAMES;

/** How an interface asks for orders. What an order is does not depend on it. */
export interface Dialect {
  /** Whose names its fields have. */
  readonly names: keyof typeof COLUMNS;
  readonly refuse: Refuse;
  /** Types that can be placed here; undefined for any other name. */
  readonly typeOf: (name: string) => NamedType | undefined;
  /** `buy` is BUY. */
  readonly takesAnyCase: boolean;
  /** A LIMIT order must say its time in force, and a MARKET order must not. Otherwise GTC, and nothing, is understood. */
  readonly isStrictAboutTimeInForce: boolean;
  /** The order that a conditional order produces has its id (FUT-8). */
  readonly keepsId: boolean;
}

/** What reading a request depends on: the rules that hold, and the exchange's time. */
export type OrderRules = Pick<State, "hasOrderTerms" | "time_ms">;

/** The fields of one request for an order. */
export class OrderFields {
  readonly dialect: Dialect;
  readonly rules: OrderRules;
  readonly #parameters: OrderParameters;

  constructor(parameters: OrderParameters, dialect: Dialect, rules: OrderRules) {
    this.#parameters = parameters;
    this.dialect = dialect;
    this.rules = rules;
  }

  /** Whether it can be sent here. */
  has(field: OrderField): boolean {
    return this.#nameOf(field) !== null;
  }

  name(field: OrderField): string {
    const name = this.#nameOf(field);
    if (name === null) throw new Error(`${field} cannot be sent here`);
    return name;
  }

  text(field: OrderField): string | undefined {
    const name = this.#nameOf(field);
    return name === null ? undefined : this.#parameters.text(name);
  }

  decimal(field: OrderField): string | undefined {
    const name = this.#nameOf(field);
    return name === null ? undefined : this.#parameters.decimal(name);
  }

  flag(field: OrderField): boolean {
    const name = this.#nameOf(field);
    return name !== null && this.#parameters.flag(name) === true;
  }

  nested(field: OrderField): OrderParameters | undefined {
    const name = this.#nameOf(field);
    return name === null ? undefined : this.#parameters.nested?.(name);
  }

  requiredText(field: OrderField): string {
    return this.#parameters.requiredText(this.name(field));
  }

  requiredDecimal(field: OrderField): string {
    return this.#parameters.requiredDecimal(this.name(field));
  }

  /** The name of a choice, in the case in which choices are written. */
  choice(field: OrderField): string | undefined {
    const text = this.text(field);
    return this.dialect.takesAnyCase ? text?.toUpperCase() : text;
  }

  /** The place in a list of names, which is the engine's number; the first where nothing was sent. */
  place(field: OrderField, names: readonly string[]): number {
    const text = this.choice(field);
    if (text === undefined) return 0;
    const place = placeOf(names, text);
    if (place !== -1) return place;
    throw this.dialect.refuse("malformed", { rule: "enum", limit: names.join(", "), parameter: this.name(field) });
  }
  #nameOf(field: OrderField): string | null {
    return NAMES[field][COLUMNS[this.dialect.names]];
  }
}
