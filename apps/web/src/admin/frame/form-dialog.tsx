import type { ReactNode } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Form } from "../../kit/form.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";

interface FormDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly submitLabel: string;
  /** Whether what was typed can be sent. */
  readonly isReady: boolean;
  readonly isWide?: boolean;
  readonly onClose: () => void;
  /** Awaited where it returns a promise. */
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
}

/** A form above the page. A refusal stays visible together with everything that was typed. */
export function FormDialog(props: FormDialogProps) {
  const { submitLabel, isReady, onClose, onSubmit, children, ...dialog } = props;
  const { isBusy, refusal, run } = useTask();
  return (
    <Dialog {...dialog} onClose={() => !isBusy && onClose()}>
      <Form onSubmit={() => isReady && !isBusy && run(onSubmit)}>
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
      </Form>
    </Dialog>
  );
}
