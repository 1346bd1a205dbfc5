import type { ReactNode } from "react";
import { type Column, partsOf, Table } from "../../kit/table.tsx";
import { useMedia } from "../../lib/use-media.ts";

interface RowsProps<Row> {
  readonly label: string;
  /** The first names the row, the last has what can be done about it. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly empty: ReactNode;
}

const ROOM_FOR_A_TABLE = "(min-width: 768px)";

/** A dense table, and on a phone a card for each row: nothing is out of sight at the side. */
export function Rows<Row>({ label, columns, rows, keyOf, empty }: RowsProps<Row>) {
  const isWide = useMedia(ROOM_FOR_A_TABLE);
  if (rows.length === 0) return empty;
  if (isWide) return <Table label={label} columns={columns} rows={rows} keyOf={keyOf} isDense />;
  const shown = columns.map(partsOf).filter(({ isSecondary }) => !isSecondary);
  const [head, ...rest] = shown;
  const actions = rest.pop();
  if (head === undefined || actions === undefined) return null;
  return (
    <div className="flex flex-col gap-2 p-2">
      {actions.title}
      <ul aria-label={label} className="flex flex-col gap-2">
        {rows.map((row) => (
          <li key={keyOf(row)} className="flex flex-col gap-2 rounded-md bg-ground p-3">
            <div className="flex items-center justify-between gap-2">
              {head.cell(row)}
              {actions.cell(row)}
            </div>
            <dl className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-sm">
              {rest.map((column) => (
                <div key={column.key} className="flex min-w-0 flex-col">
                  <dt className="text-xs text-faint">{column.title}</dt>
                  <dd className="min-w-0 truncate">{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}
