import { type Hex, isHex } from "viem";
import type { PageSize } from "../../kernel/pages.ts";
import { refusals } from "../refusals.ts";

const HASH_chars = 2 + 64;

/** Lower case, so that a transaction has one spelling. */
export function readTxHash(name: string, text: string): Hex {
  const hash = text.toLowerCase();
  if (hash.length !== HASH_chars || !isHex(hash)) throw refusals.invalidField(name, "must be 0x and 64 hex digits");
  return hash;
}

export interface NumberedPageQuery {
  readonly page?: number | undefined;
  readonly per_page?: number | undefined;
}

export interface PageQuery extends NumberedPageQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** WIRE-2: a page size above the maximum is reduced to it. */
export function readNumberedPage({ page = 1, per_page }: NumberedPageQuery, { usual, most }: PageSize) {
  const size = Math.min(per_page ?? usual, most);
  return { page, per_page: size, offset: (page - 1) * size };
}

/**
 * The page of a list that is asked for by cursor, or by its number as in earlier releases. `shown` is what the reply says of a page
 * with a number.
 */
export function readEitherPage(query: PageQuery, size: PageSize) {
  const { cursor, limit, page, per_page } = query;
  if (cursor !== undefined && page !== undefined) throw refusals.invalidField("cursor", "must not be given with page");
  if (limit !== undefined && per_page !== undefined)
    throw refusals.invalidField("limit", "is per_page: give one of them");
  const { offset, ...shown } = readNumberedPage({ page, per_page: limit ?? per_page }, size);
  if (cursor !== undefined) return { part: { cursor, limit: shown.per_page }, shown: {} };
  return { part: { offset, limit: shown.per_page }, shown };
}
