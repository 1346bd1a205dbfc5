import type { FormEvent, ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly submitLabel: string;
  /** Whether what was typed can be sent. */
  readonly isReady: boolean;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** What it answers is waited for. */
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
}

/** A form above the page. A refusal stays in sight with everything that was typed. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submitLabel, isReady, isWide = false, onClose, onSubmit, children } = props;
  const { isBusy, refusal, run } = useTask();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    void run(async () => {
      await onSubmit();
    });
  };
  return (
    <Dialog
      title={title}
      {...(description === undefined ? {} : { description })}
      isOpen
      isWide={isWide}
      onOpenChange={(isOpen) => !isOpen && !isBusy && onClose()}
    >
      <form className="flex flex-col gap-3" onSubmit={submit}>
        {children}
        <RefusalLine error={refusal} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button look="primary" type="submit" isBusy={isBusy} disabled={!isReady}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Why something was refused, for forms of the console that stand on their own. */
export const Refusal = ({ of }: { readonly of: unknown }) => <RefusalLine error={of} />;
