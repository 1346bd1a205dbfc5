import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { cx } from "../lib/cx.ts";

interface ColumnParts<Row> {
  readonly key: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures are aligned right, so that their decimals line up. */
  readonly isNumber?: boolean;
  /** Not on a phone. */
  readonly isSecondary?: boolean;
  readonly width?: string;
}

/** `number`: aligned right. `secondary`: not on a phone. `untitled`: the title is for screen readers only. */
type Mark = "number" | "secondary" | "untitled";

/** Usually a title, a cell and marks; in parts where the title is more than a text. */
export type Column<Row> =
  | readonly [title: string, cell: (row: Row) => ReactNode, ...marks: readonly Mark[]]
  | ColumnParts<Row>;

const isParts = <Row,>(column: Column<Row>): column is ColumnParts<Row> => !Array.isArray(column);

export function partsOf<Row>(column: Column<Row>): ColumnParts<Row> {
  if (isParts(column)) return column;
  const [key, cell, ...marks] = column;
  return {
    key,
    title: marks.includes("untitled") ? <span className="sr-only">{key}</span> : key,
    cell,
    isNumber: marks.includes("number"),
    isSecondary: marks.includes("secondary"),
  };
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
  /** Tight rows for the trade page. */
  readonly isDense?: boolean;
  readonly onRow?: (row: Row) => void;
  /** For rows that are marked, such as the viewer's own. */
  readonly rowClass?: (row: Row) => string | false;
  readonly empty?: ReactNode;
  readonly className?: string;
}

const cellClass = <Row,>({ isNumber, isSecondary }: ColumnParts<Row>) =>
  cx("px-3 whitespace-nowrap first:pl-4 last:pr-4", isNumber && "num text-right", isSecondary && "max-md:hidden");

function Head<Row>({ columns }: { readonly columns: readonly ColumnParts<Row>[] }) {
  return (
    <thead className="sticky top-0 z-10 bg-panel text-xs text-faint">
      <tr>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            style={column.width === undefined ? undefined : { width: column.width }}
            className={cx("h-8 font-medium", column.isNumber ? "text-right" : "text-left", cellClass(column))}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A table with all its rows. Use VirtualTable for more than some hundred. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, keyOf, isDense = false, onRow, rowClass, empty, className } = props;
  const columns = props.columns.map(partsOf);
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that may scroll must be reachable by keyboard
    <div tabIndex={0} className={cx("min-w-0 overflow-auto", className)}>
      <table aria-label={label} className="w-full border-collapse text-sm">
        <Head columns={columns} />
        <tbody>
          {rows.map((row, index) => (
            <tr
              key={keyOf(row, index)}
              onClick={onRow && (() => onRow(row))}
              className={cx("hover:bg-raised", onRow && "cursor-pointer", rowClass?.(row))}
              style={{ height: isDense ? "var(--row)" : "var(--row-wide)" }}
            >
              {columns.map((column) => (
                <td key={column.key} className={cellClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface VirtualTableProps<Row> extends TableProps<Row> {
  /** Of the scrolling part, in CSS. */
  readonly height: string;
}

/** Only the visible rows are in the page, so that ten thousand scroll like ten. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, keyOf, isDense = false, onRow, rowClass, empty, height, className } = props;
  const columns = props.columns.map(partsOf);
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = isDense ? 28 : 40;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  if (rows.length === 0 && empty !== undefined) return empty;
  const shown = virtual.getVirtualItems();
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard
    <div ref={scroller} tabIndex={0} className={cx("min-w-0 overflow-auto", className)} style={{ maxHeight: height }}>
      <table aria-label={label} aria-rowcount={rows.length} className="w-full border-collapse text-sm">
        <Head columns={columns} />
        <tbody>
          {before > 0 && <tr style={{ height: before }} />}
          {shown.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={keyOf(row, index)}
                aria-rowindex={index + 1}
                onClick={onRow && (() => onRow(row))}
                className={cx("hover:bg-raised", onRow && "cursor-pointer", rowClass?.(row))}
                style={{ height: rowHeight }}
              >
                {columns.map((column) => (
                  <td key={column.key} className={cellClass(column)}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            );
          })}
          {after > 0 && <tr style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}
