import { type Hex, isHex } from "viem";
import { refusals } from "../refusals.ts";

const HASH_chars = 2 + 64;

/** Lower case, so that a transaction has one spelling. */
export function readTxHash(name: string, text: string): Hex {
  const hash = text.toLowerCase();
  if (hash.length !== HASH_chars || !isHex(hash)) throw refusals.invalidField(name, "must be 0x and 64 hex digits");
  return hash;
}

export interface PageQuery {
  readonly page?: number;
  readonly per_page?: number;
}

/** WIRE-2: a page size above the maximum is reduced to it. */
export function readPage({ page = 1, per_page }: PageQuery, limits: { readonly most: number; readonly usual: number }) {
  const size = Math.min(per_page ?? limits.usual, limits.most);
  return { page, per_page: size, offset: (page - 1) * size };
}
