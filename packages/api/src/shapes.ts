import { type Static, Type } from "typebox";

/** Shapes that several areas share. */

export const Address = Type.String({
  description: "Ethereum address: 0x and 40 hex digits",
  examples: ["0x52908400098527886e0f7030069857d2e4169ee7"],
});

export const IsoTime = Type.String({ description: "ISO 8601 time in UTC", examples: ["2026-06-01T00:00:00.000Z"] });

export const Hash = (description: string) =>
  Type.String({
    description: `${description}: 0x and 64 hex digits`,
    examples: ["0x6f1c2b9d8e7f60514233241506f7e8d9cabbacbd9e8f70615243342516071829"],
  });

/** Of a proof that a leaf is in a Merkle tree. */
export const MerkleSiblings = Type.Array(
  Type.Object({
    position: Type.Union([Type.Literal("left"), Type.Literal("right")], {
      description: "On which side of the path it is",
      examples: ["right"],
    }),
    hash: Hash("The neighbour"),
  }),
  { description: "The siblings on the path, from the leaf up" },
);

/** An example of a complete sign-in message. */
export const MESSAGE_EXAMPLE = [
  "127.0.0.1:8080 wants you to sign in with your Ethereum account:",
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "",
  "Sign in to Bourse.",
  "",
  "URI: http://127.0.0.1:8080",
  "Version: 1",
  "Chain ID: 43113",
  "Nonce: k3F0aB1c2D3e4F5g6H7i8J9k",
  "Issued At: 2026-06-01T00:00:00.000Z",
  "Expiration Time: 2026-06-01T00:05:00.000Z",
].join("\n");

/** The refusal of every area but /fapi. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: "The problem as text", examples: ["authentication required"] }),
    code: Type.String({ description: "The problem as a code in upper snake case", examples: ["UNAUTHORIZED"] }),
    exchange_code: Type.Optional(
      Type.Integer({ description: "In the account area: the code of the same refusal on /fapi", examples: [-2019] }),
    ),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: "A refusal" },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The refusal on /fapi. */
export const FapiErrorBody = Type.Object(
  {
    code: Type.Integer({ description: "Negative", examples: [-1021] }),
    msg: Type.String({ examples: ["Timestamp for this request is outside of the recvWindow."] }),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  { description: "A refusal on the exchange-style interface" },
);
export type FapiErrorBody = Static<typeof FapiErrorBody>;
