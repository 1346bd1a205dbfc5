import { X } from "lucide-react";
import { Dialog as RadixDialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { TextField } from "./field.tsx";
import { RefusalLine, useTask } from "./task.tsx";

interface DialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** A dialog that is rendered only while it is needed leaves this out. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

/** A modal above the page. Escape closes it; focus returns to the element that had it. */
export function Dialog({ title, description, isOpen = true, onClose, children, isWide = false }: DialogProps) {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/60%)]" />
        <RadixDialog.Content
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={`data-[state=open]:slide-in fixed top-1/2 left-1/2 z-50 flex max-h-[90dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 flex-col gap-3 overflow-y-auto rounded-lg bg-panel p-5 shadow-float ${isWide ? "max-w-3xl" : "max-w-md"}`}
        >
          <div className="flex items-start justify-between gap-3">
            <RadixDialog.Title className="text-base font-semibold">{title}</RadixDialog.Title>
            <RadixDialog.Close asChild>
              <IconButton size="small" label="Close" icon={<X size={15} />} />
            </RadixDialog.Close>
          </div>
          {description !== undefined && (
            <RadixDialog.Description className="text-sm text-muted">{description}</RadixDialog.Description>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

export interface Change {
  readonly what: string;
  readonly before?: ReactNode;
  readonly after: ReactNode;
}

interface ConfirmProps {
  readonly title: string;
  /** What will change, line by line. */
  readonly changes: readonly Change[];
  readonly warning?: ReactNode;
  /** Names the thing and the amount: "Pay 1,204.55 USDT to 38 partners". */
  readonly actionLabel: string;
  /** A word that must be typed before the button works, for what cannot be undone. */
  readonly typed?: string | undefined;
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<unknown>;
  /** More fields to fill in, such as a reason for the audit log. */
  readonly children?: ReactNode;
}

/** Shows what a dangerous action will change and asks once more. Closes after success; a refusal stays visible. */
export function ConfirmAction(props: ConfirmProps) {
  const { title, changes, warning, actionLabel, typed, isOpen = true, onClose, onConfirm, children } = props;
  const [word, setWord] = useState("");
  const { isBusy, refusal, run, forget } = useTask();
  const close = () => {
    if (isBusy) return;
    setWord("");
    forget();
    onClose();
  };
  const confirm = () =>
    run(async () => {
      await onConfirm();
      setWord("");
      onClose();
    });
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} description="This will change:">
      <dl className="flex flex-col gap-1.5 rounded-md bg-raised p-3 text-sm">
        {changes.map(({ what, before, after }) => (
          <div key={what} className="flex items-baseline justify-between gap-3">
            <dt className="text-muted">{what}</dt>
            <dd className="min-w-0 text-right break-words tabular-nums">
              {before !== undefined && <span className="text-faint line-through">{before}</span>}{" "}
              <span className="font-medium">{after}</span>
            </dd>
          </div>
        ))}
      </dl>
      {warning && <p className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{warning}</p>}
      {children}
      {typed !== undefined && <TextField label={`Type ${typed} to continue`} value={word} onChange={setWord} />}
      <RefusalLine error={refusal} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button look="quiet" onClick={close}>
          Keep as it is
        </Button>
        <Button
          look="danger"
          // A long name is broken, never cut.
          className="h-auto! min-h-8 max-w-full py-1 whitespace-normal!"
          isBusy={isBusy}
          disabled={typed !== undefined && word !== typed}
          onClick={() => void confirm()}
        >
          {actionLabel}
        </Button>
      </div>
    </Dialog>
  );
}
