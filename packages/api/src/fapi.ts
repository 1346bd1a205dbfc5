import { type Static, Type } from "typebox";

export * from "./fapi-account.ts";
export * from "./fapi-downloads.ts";
export * from "./fapi-market.ts";
export * from "./fapi-orders.ts";
export * from "./fapi-statistics.ts";

/** Documentation of the exchange-style parameters that every signed request carries. */
export const signedParameters = {
  timestamp: Type.Integer({ description: "Milliseconds; must lie within recvWindow of the server's time" }),
  recvWindow: Type.Optional(Type.Integer({ description: "Milliseconds, default 5000, at most 60000" })),
  signature: Type.String({ description: "HMAC SHA-256 in hex over query and body as sent" }),
};

export const ServerTime = Type.Object({ serverTime: Type.Integer({ examples: [1780272000000] }) });
export type ServerTime = Static<typeof ServerTime>;
export const DualSide = Type.Object({ dualSidePosition: Type.Boolean() });
export const MultiAssets = Type.Object({ multiAssetsMargin: Type.Boolean() });
export const FeeBurn = Type.Object({ feeBurn: Type.Boolean() });
export const Success = Type.Object({ code: Type.Literal(200), msg: Type.Literal("success") });
