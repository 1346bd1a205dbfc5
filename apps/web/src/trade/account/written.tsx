import { asWritten } from "./words.ts";

/** A price or quantity of the exchange with all its decimals; a dash for none. */
export function Written({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined) return <span className="text-faint">–</span>;
  return <span className="num">{asWritten(value)}</span>;
}
