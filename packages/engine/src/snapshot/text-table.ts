/** A title and the text of a cell. */
export type Columns<Row> = readonly (readonly [title: string, text: (row: Row) => string])[];

/** Lines of cells as text, each column as wide as its widest cell. Cells that begin like a number are aligned right. */
export function textTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]!.length), title.length),
  );
  const isNumeric = header.map((_, column) => rows.every((row) => /^(-?\d[\d.]*|)$/.test(row[column]!)));
  const format = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [header, ...rows].map((cells) => `  ${format(cells)}`);
}

/** A whole number of units of 10^-places as decimal text, with at least `digits` decimals. */
export function decimal(parts: bigint, places: number, digits = places): string {
  const sign = parts < 0n ? "-" : "";
  const text = (parts < 0n ? -parts : parts).toString().padStart(places + 1, "0");
  const whole = text.slice(0, text.length - places);
  const fraction = text
    .slice(text.length - places)
    .replace(/0+$/, "")
    .padEnd(digits, "0");
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
