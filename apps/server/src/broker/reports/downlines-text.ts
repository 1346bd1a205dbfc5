import { ratioText } from "../ratios.ts";
import type { CodeType } from "../tables.ts";

/** Amounts and times as the database writes them, because a broker may have ten thousand downlines. */
export interface DownlineRow {
  readonly wallet_address: string;
  readonly bind_time: string;
  readonly code_type: CodeType;
  readonly rate_e6: number;
  readonly share_ratio_e6: number;
  readonly customer_ratio_e6: number | null;
  readonly fee_micros: string;
  readonly customer_micros: string;
  readonly nominal_micros: string;
  readonly net_micros: string;
}

const MICRO_DIGITS = 6;
const MIN_DECIMALS = 2;
const ZERO = 48;

/** The same as `amountText`, from the digits of whole micros and without a bigint: 30.00, 0.000001, -1.50. */
export function amountOfDigits(micros: string): string {
  if (micros === "0") return "0.00";
  const sign = micros.startsWith("-") ? "-" : "";
  const digits = micros.slice(sign.length).padStart(MICRO_DIGITS + 1, "0");
  const point = digits.length - MICRO_DIGITS;
  let end = digits.length;
  while (end > point + MIN_DECIMALS && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** ISO 8601 with milliseconds, from the database's text in UTC: 2026-06-01 12:00:00.5+00. */
export function isoOfTimestamp(text: string): string {
  const milliseconds = text.slice(20, -3).padEnd(3, "0").slice(0, 3);
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

/**
 * Interface 2.5 as the bytes of a JSON array. No value needs escapes: they are addresses, times, numbers and our own words. Written
 * by hand because JSON.stringify of row objects takes several times as long.
 */
export function downlinesText(rows: readonly DownlineRow[]): Buffer {
  const ratios = new Map<number, string>();
  const ratio = (ratio_e6: number): string => {
    const known = ratios.get(ratio_e6);
    if (known !== undefined) return known;
    const text = `"${ratioText(ratio_e6)}"`;
    ratios.set(ratio_e6, text);
    return text;
  };
  const items = rows.map(
    (row) =>
      `{"wallet_address":"${row.wallet_address}","bind_time":"${isoOfTimestamp(row.bind_time)}",` +
      `"code_type":"${row.code_type}","rebate_rate":${ratio(row.rate_e6)},"share_ratio":${ratio(row.share_ratio_e6)},` +
      `"customer_rebate_ratio":${row.customer_ratio_e6 === null ? "null" : ratio(row.customer_ratio_e6)},` +
      `"status":"active","total_fee":"${amountOfDigits(row.fee_micros)}",` +
      `"total_customer_rebate":"${amountOfDigits(row.customer_micros)}",` +
      `"total_nominal_rebate":"${amountOfDigits(row.nominal_micros)}",` +
      `"total_kol_net_rebate":"${amountOfDigits(row.net_micros)}"}`,
  );
  return Buffer.from(`[${items.join(",")}]`, "latin1");
}
