import { type ReactNode, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { type Reason, ReasonField, reasonOf } from "./reason-field.tsx";
import { counted } from "./words.ts";

interface Keyed {
  /** Identifies the row while its fields change. */
  readonly key: number;
}

/** The rows of an editor as typed. */
export function useRows<Row extends Keyed>(initial: readonly Row[]) {
  const [rows, setRows] = useState(initial);
  const [lastKey, setLastKey] = useState(initial.length);
  return {
    rows,
    change: (row: Row, part: Partial<Row>) => setRows(rows.map((each) => (each === row ? { ...row, ...part } : each))),
    remove: (row: Row) => setRows(rows.filter((each) => each !== row)),
    add: (make: (key: number) => Row) => {
      setRows([...rows, make(lastKey + 1)]);
      setLastKey(lastKey + 1);
    },
    undo: () => setRows(initial),
  };
}

interface EditorFootProps {
  /** What is edited: "levels". */
  readonly of: string;
  /** Undefined while something is wrong. */
  readonly changes: readonly Change[] | undefined;
  readonly warning: ReactNode;
  readonly onUndo: () => void;
  readonly onSave: (reason: Reason) => Promise<unknown>;
  readonly start?: ReactNode;
}

/** Below an editor: how much would change, undo, and the confirmation before it is sent. */
export function EditorFoot({ of, changes, warning, onUndo, onSave, start }: EditorFootProps) {
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const count = changes?.length;
  const state =
    count === undefined
      ? "Correct the errors first."
      : count === 0
        ? "Nothing is changed."
        : `${counted(count, "line")} would change.`;
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
      <span>{start}</span>
      <span className="flex flex-wrap items-center gap-3">
        <span role="status" className="text-sm text-muted">
          {state}
        </span>
        <Button look="quiet" disabled={count === 0} onClick={onUndo}>
          Undo
        </Button>
        <Button look="primary" disabled={!count} onClick={() => setAsking(true)}>
          Review the change
        </Button>
      </span>
      <ConfirmAction
        title={`Change the ${of}`}
        changes={changes ?? []}
        warning={warning}
        actionLabel={`Change ${counted(count ?? 0, "line")} of the ${of}`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => onSave(reasonOf(reason))}
      >
        <ReasonField value={reason} onChange={setReason} />
      </ConfirmAction>
    </div>
  );
}
