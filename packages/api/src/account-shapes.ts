import { type Static, Type } from "typebox";

/** Shapes that the account area shares: decimals are strings, times are milliseconds. */

export const Amount = (description: string, example = "1000.00") => Type.String({ description, examples: [example] });
/** WIRE-2: a number or a decimal string, both exact. */
export const AmountInput = (description: string, example = "0.5") =>
  Type.Union([Type.String({ maxLength: 64 }), Type.Number()], { description, examples: [example] });
export const PriceInput = AmountInput("In USDT", "58500");
export type PriceInput = Static<typeof PriceInput>;
export const TimeMs = Type.Integer({ description: "Milliseconds since 1970 UTC", examples: [1780272000000] });
export const SymbolName = Type.String({ description: "A market, in upper or lower case", examples: ["BTCUSDT"] });
export const SymbolPath = Type.Object({ symbol: SymbolName });

export const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** A refusal of the account area: the code of the exchange-style interface and the name of the reason. */
export const AccountError = Type.Object(
  {
    error: Type.String({ examples: ["the margin is insufficient"] }),
    code: Type.String({ examples: ["MARGIN_INSUFFICIENT"] }),
    exchange_code: Type.Optional(Type.Integer({ description: "The code on /fapi", examples: [-2019] })),
    status: Type.Optional(Type.String({ examples: ["SERVICE_UNAVAILABLE"] })),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: "A refusal" },
);
export type AccountError = Static<typeof AccountError>;
