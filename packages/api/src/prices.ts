import { type Static, Type } from "typebox";
import { orNull, PriceInput } from "./account-shapes.ts";
import { listFields } from "./lists.ts";

/** Index prices: their sources, and how they are submitted or pinned. */

const PriceText = Type.String({ examples: ["60000.0"] });
const PricedSymbol = Type.String({ minLength: 1, maxLength: 20, examples: ["BTCUSDT"] });

/** FUT-13. */
export const PriceReport = Type.Object({
  symbol: Type.String({ examples: ["BTCUSDT"] }),
  index_price: orNull(PriceText),
  mark_price: orNull(PriceText),
  pinned: Type.Boolean({ description: "Pinned by the development endpoint" }),
  reduce_only: Type.Boolean({ description: "For want of an index, or for a minute after a halt for want of one" }),
  guard: orNull(
    Type.Object(
      {
        phase: Type.Union([Type.Literal("reduce_only"), Type.Literal("halted"), Type.Literal("resuming")]),
        since: orNull(Type.String({ examples: ["2026-06-01T12:00:00.000Z"] })),
      },
      { description: "What the want of an index has made of the market, and since when there was none" },
    ),
  ),
  no_index: orNull(
    Type.Union([Type.Literal("too_few_sources"), Type.Literal("sources_disagree")], {
      description: "Why the sources make no index now",
    }),
  ),
  sources: Type.Array(
    Type.Object({
      name: Type.String({ examples: ["push:operator"] }),
      price: PriceText,
      age_ms: Type.Integer(),
      fresh: Type.Boolean({ description: "At most ten seconds old" }),
      use: Type.Union(
        [Type.Literal("counted"), Type.Literal("clamped"), Type.Literal("dropped"), Type.Literal("stale")],
        {
          description: "`dropped`: more than 5 % from the median; `clamped`: counted at the clamp, being further away",
        },
      ),
    }),
  ),
});
export type PriceReport = Static<typeof PriceReport>;
export const PriceReports = Type.Object(listFields(PriceReport, "By market", "prices"));
export type PriceReports = Static<typeof PriceReports>;

export const PushedPriceRequest = Type.Object({
  symbol: PricedSymbol,
  price: PriceInput,
  feed: Type.Optional(
    Type.String({
      description: "Each feed is one source; a market needs two fresh ones",
      examples: ["venue-a"],
    }),
  ),
});
export type PushedPriceRequest = Static<typeof PushedPriceRequest>;

/** RUN-6. */
export const PinnedPriceRequest = Type.Object({
  symbol: PricedSymbol,
  price: Type.Union([PriceInput, Type.Null()], {
    description: "Pins the index price; null releases it. Rounded to the nearest tick.",
    examples: ["58500"],
  }),
});
export type PinnedPriceRequest = Static<typeof PinnedPriceRequest>;
export const PinnedPrice = Type.Object({
  symbol: Type.String(),
  pinned: Type.Boolean(),
  index_price: PriceText,
  mark_price: PriceText,
});
export type PinnedPrice = Static<typeof PinnedPrice>;
