import { parseSize } from "../../kernel/units.ts";

/** The parts of replies that the bots read. Anything of another shape is ignored, so that a bot does not fail. */

export interface DemoMarket {
  readonly symbol: string;
  readonly tickSize_e8: number;
  readonly lotSize_e8: number;
}

export interface OpenOrder {
  readonly orderId: number;
  readonly symbol: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

export const rowsOf = (reply: unknown): readonly Fields[] => (Array.isArray(reply) ? reply.filter(isFields) : []);

/** A decimal in 1e-8; undefined if it is not one. */
function sizeOf(value: unknown): number | undefined {
  return typeof value === "string" ? parseSize(value)?.value : undefined;
}

/** The markets that are open for trading. */
export function readMarkets(reply: unknown): DemoMarket[] {
  const symbols = isFields(reply) ? rowsOf(reply["symbols"]) : [];
  return symbols.flatMap(({ symbol, status, filters }) => {
    if (typeof symbol !== "string" || status !== "TRADING") return [];
    const filter = (type: string) => rowsOf(filters).find(({ filterType }) => filterType === type);
    const tickSize_e8 = sizeOf(filter("PRICE_FILTER")?.["tickSize"]);
    const lotSize_e8 = sizeOf(filter("LOT_SIZE")?.["stepSize"]);
    return tickSize_e8 && lotSize_e8 ? [{ symbol, tickSize_e8, lotSize_e8 }] : [];
  });
}

/** Index prices in 1e-8 by symbol. */
export function readIndexPrices(reply: unknown): Map<string, number> {
  const prices = new Map<string, number>();
  for (const { symbol, indexPrice } of rowsOf(Array.isArray(reply) ? reply : [reply])) {
    const price_e8 = sizeOf(indexPrice);
    if (typeof symbol === "string" && price_e8 !== undefined && price_e8 > 0) prices.set(symbol, price_e8);
  }
  return prices;
}

/** Signed positions in 1e-8 of the base asset, by symbol. */
export function readPositions(reply: unknown): Map<string, number> {
  const positions = new Map<string, number>();
  for (const { symbol, positionAmt } of rowsOf(reply)) {
    const amount_e8 = sizeOf(positionAmt);
    if (typeof symbol === "string" && amount_e8 !== undefined) positions.set(symbol, amount_e8);
  }
  return positions;
}

export function readOpenOrders(reply: unknown): OpenOrder[] {
  return rowsOf(reply).flatMap(({ orderId, symbol }) =>
    typeof orderId === "number" && typeof symbol === "string" ? [{ orderId, symbol }] : [],
  );
}

/** The wallet balance, in 1e-8 USDT. */
export function readBalance_e8(reply: unknown): number {
  const row = rowsOf(reply).find(({ asset }) => asset === "USDT");
  return sizeOf(row?.["balance"]) ?? 0;
}

/** An order's id, or the code of its refusal. */
export function readPlaced(row: unknown): { readonly orderId: number } | { readonly code: number } {
  const { orderId, code } = isFields(row) ? row : {};
  if (typeof orderId === "number") return { orderId };
  return { code: typeof code === "number" ? code : 0 };
}
