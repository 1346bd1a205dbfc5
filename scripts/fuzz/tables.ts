/** Counts by row and column, as text. */
export function countTable(title: string, rows: ReadonlyMap<string, ReadonlyMap<string, number>>): string[] {
  const columns = [...new Set([...rows.values()].flatMap((counts) => [...counts.keys()]))].sort();
  const header = [title, ...columns, "all"];
  const sums = new Map<string, number>();
  const lines = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, counts]) => {
      for (const [column, count] of counts) sums.set(column, (sums.get(column) ?? 0) + count);
      return lineOf(name, columns, counts);
    });
  return aligned([header, ...lines, lineOf("all", columns, sums)]);
}

function lineOf(name: string, columns: readonly string[], counts: ReadonlyMap<string, number>): string[] {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return [name, ...columns.map((column) => shown(counts.get(column) ?? 0)), shown(all)];
}

const shown = (count: number) => (count === 0 ? "" : count.toLocaleString("en-US"));

function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = lines[0]!.map((_, place) => Math.max(...lines.map((line) => (line[place] ?? "").length)));
  return lines.map((line) =>
    line
      .map((cell, place) => (place === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[place]!)))
      .join("  ")
      .trimEnd(),
  );
}
