import { type Static, Type } from "typebox";

/** Shapes that several areas share. */

export const Address = Type.String({
  description: "Ethereum address: 0x and 40 hex digits",
  examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
});

export const IsoTime = Type.String({ description: "ISO 8601 time in UTC", examples: ["2026-06-01T00:00:00.000Z"] });

/** The refusal of every area but /fapi. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "What is wrong, for people" }),
    code: Type.String({ description: "The same for programs, upper snake case", examples: ["UNAUTHORIZED"] }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: "A refusal" },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The refusal on /fapi. */
export const FapiErrorBody = Type.Object(
  {
    code: Type.Integer({ description: "Negative", examples: [-1021] }),
    msg: Type.String(),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: "A refusal on the exchange-style interface" },
);
export type FapiErrorBody = Static<typeof FapiErrorBody>;
