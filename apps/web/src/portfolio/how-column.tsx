import { Button } from "../kit/button.tsx";
import type { Column } from "../kit/table.tsx";

/** Leads to the explanation of a row. */
export const howColumn = <Row,>(onHow: (row: Row) => void): Column<Row> => [
  "How it was calculated",
  (row) => (
    <Button size="small" look="quiet" onClick={() => onHow(row)}>
      How?
    </Button>
  ),
  "untitled",
];
