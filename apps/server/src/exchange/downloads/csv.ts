/** A record of a history as bots read it: texts, numbers and flags. */
export type CsvRecord = Readonly<Record<string, string | number | boolean>>;

const NEEDS_QUOTES = /[",\r\n]/;

function cellOf(value: string | number | boolean | undefined): string {
  const text = value === undefined ? "" : String(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHeader = (columns: readonly string[]): string => `${columns.join(",")}\n`;

/** One line for each record, with these of its fields. */
export const csvLines = (columns: readonly string[], records: readonly CsvRecord[]): string =>
  records.map((record) => `${columns.map((column) => cellOf(record[column])).join(",")}\n`).join("");
