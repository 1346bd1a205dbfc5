/** A row as it comes out of the database, its bigints as numbers: all of them lie within the safe range. */
export type Plain<Row> = { [Name in keyof Row]: Row[Name] extends bigint ? number : Row[Name] };

export function plain<Row extends object>(row: Row): Plain<Row> {
  const values = Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? Number(value) : value]);
  return Object.fromEntries(values) as Plain<Row>;
}
