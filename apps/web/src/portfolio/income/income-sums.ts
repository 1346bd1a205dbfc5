import type { AccountIncome, IncomeType } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { formatUtc } from "../../lib/time.ts";

export const INCOME_WORDS: Readonly<Record<IncomeType, string>> = {
  REALIZED_PNL: "Realised PnL",
  FUNDING_FEE: "Funding",
  COMMISSION: "Trading fee",
  TRANSFER: "Deposit or withdrawal",
  WELCOME_BONUS: "Bonus",
  INSURANCE_CLEAR: "Liquidation fee",
};

export const INCOME_TYPES = Object.keys(INCOME_WORDS) as IncomeType[];

export const incomeName = (type: string): string => INCOME_WORDS[type as IncomeType] ?? type;

/** Money from outside or to it, which is neither profit nor loss. */
export const isMoved = (type: string): boolean => type === "TRANSFER" || type === "WELCOME_BONUS";

export interface IncomeSum {
  readonly type: string;
  readonly amount: string;
  readonly count: number;
}

/** What each type comes to, in the order of the types. */
export function sumsByType(rows: readonly Pick<AccountIncome, "type" | "amount">[]): IncomeSum[] {
  const sums = new Map<string, { amount: Decimal; count: number }>();
  for (const { type, amount } of rows) {
    const before = sums.get(type) ?? { amount: Decimal.ZERO, count: 0 };
    sums.set(type, { amount: before.amount.add(Decimal.parse(amount)), count: before.count + 1 });
  }
  const order = (type: string) => {
    const place = INCOME_TYPES.indexOf(type as IncomeType);
    return place === -1 ? INCOME_TYPES.length : place;
  };
  return [...sums]
    .sort(([a], [b]) => order(a) - order(b) || (a < b ? -1 : 1))
    .map(([type, { amount, count }]) => ({ type, amount: amount.toString(), count }));
}

/** Spreadsheets run texts that begin like formulas; a leading apostrophe keeps them texts. Numbers may be negative. */
function cell(value: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.])/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** What is loaded, exact, newest first as on the screen. */
export function incomeCsv(rows: readonly AccountIncome[]): string {
  const head = ["id", "time_utc", "type", "symbol", "amount_usdt", "trade_id"];
  const lines = rows.map(({ id, time, type, symbol, amount, trade_id }) =>
    [id, formatUtc(time), type, symbol ?? "", amount, trade_id === null ? "" : String(trade_id)].map(cell).join(","),
  );
  return `${[head.join(","), ...lines].join("\r\n")}\r\n`;
}
