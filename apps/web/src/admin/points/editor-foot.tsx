import { type ReactNode, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { type Change, ConfirmAction } from "../../kit/dialog.tsx";
import { ReasonField } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";

interface EditorFootProps {
  /** What is edited: "levels". */
  readonly of: string;
  readonly hasProblems: boolean;
  readonly changes: readonly Change[];
  readonly warning: ReactNode;
  readonly onUndo: () => void;
  readonly onSave: (reason: string) => Promise<unknown>;
  readonly start?: ReactNode;
}

/** Below an editor: what would change, the way back, and the question before it is sent. */
export function EditorFoot({ of, hasProblems, changes, warning, onUndo, onSave, start }: EditorFootProps) {
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const state = hasProblems
    ? "Something must be put right first."
    : changes.length === 0
      ? "Nothing is changed."
      : `${counted(changes.length, "line")} would change.`;
  return (
    <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
      <span>{start}</span>
      <span className="flex flex-wrap items-center gap-3">
        <span role="status" className="text-sm text-muted">
          {state}
        </span>
        <Button look="quiet" disabled={!hasProblems && changes.length === 0} onClick={onUndo}>
          Undo
        </Button>
        <Button look="primary" disabled={hasProblems || changes.length === 0} onClick={() => setAsking(true)}>
          Review the change
        </Button>
      </span>
      <ConfirmAction
        title={`Change the ${of}`}
        changes={changes}
        warning={warning}
        actionLabel={`Change ${counted(changes.length, "line")} of the ${of}`}
        isOpen={isAsking}
        onOpenChange={setAsking}
        onConfirm={() => onSave(reason)}
      >
        <ReasonField value={reason} onChange={setReason} />
      </ConfirmAction>
    </div>
  );
}
