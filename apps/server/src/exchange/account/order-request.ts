import { type AccountOrderRequest, fapiErrors } from "@bourse/api";
import { type MarketState, TRAILING_STOP } from "@bourse/engine";
import { ApiError } from "../../kernel/errors.ts";
import { readDecimal } from "../../kernel/json-decimal.ts";
import { namedType } from "../orders/names.ts";
import type { Dialect, OrderParameters, OrderRules } from "../orders/order-fields.ts";
import { type ReadOrder, readOrder as read } from "../orders/read-order.ts";
import { refusal, refuse } from "./refusals.ts";

/** The fields of a JSON object that its schema has accepted: a number is a JSON number or decimal text. */
class JsonParameters implements OrderParameters {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #prefix: string;

  constructor(values: object, prefix = "") {
    this.#values = values as Readonly<Record<string, unknown>>;
    this.#prefix = prefix;
  }

  text(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value === undefined || value === null || value === "" ? undefined : String(value);
  }

  requiredText(name: string): string {
    return this.text(name) ?? this.#missing(name);
  }

  flag(name: string): boolean | undefined {
    return this.text(name) === undefined ? undefined : this.#values[name] === true;
  }

  decimal(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    return readDecimal(`${this.#prefix}${name}`, value as string | number).toString();
  }

  requiredDecimal(name: string): string {
    try {
      return this.decimal(name) ?? this.#missing(name);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "BAD_REQUEST") throw error;
      throw refusal("BAD_REQUEST", fapiErrors.MANDATORY.code, error.message, error.details);
    }
  }

  nested(name: string): JsonParameters | undefined {
    const value = this.#values[name];
    return typeof value === "object" && value !== null ? new JsonParameters(value, `${name}.`) : undefined;
  }

  #missing(name: string): never {
    throw refuse("mandatory", { rule: "mandatory", parameter: `${this.#prefix}${name}` });
  }
}

/** WIRE-7: `POST /orders`. */
const JSON_ORDER: Dialect = {
  names: "json",
  refuse,
  typeOf: (name) => {
    const type = namedType(name);
    return type?.conditional === TRAILING_STOP ? undefined : type;
  },
  takesAnyCase: true,
  isStrictAboutTimeInForce: false,
  keepsId: true,
};

export const readOrder = (
  request: AccountOrderRequest,
  findMarket: (symbol: string) => MarketState,
  rules: OrderRules,
): ReadOrder => read(new JsonParameters(request), JSON_ORDER, findMarket, rules);
