import { type FormEvent, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Field, TextInput } from "../kit/field.tsx";
import { toast } from "../kit/toast.tsx";
import { saveFile } from "../lib/download.ts";
import { serverNow } from "../lib/server-time.ts";
import { wordsOf } from "../lib/words.ts";
import { api } from "../session/session.ts";

const DAY_MS = 86_400_000;
const utcDay = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);

interface ExportDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** All records of a range of days as a file for a spreadsheet. */
export function ExportDialog({ isOpen, onOpenChange }: ExportDialogProps) {
  const [from, setFrom] = useState(() => utcDay(serverNow() - 29 * DAY_MS));
  const [to, setTo] = useState(() => utcDay(serverNow()));
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const csv = await api.broker.exportRebateRecords({ from, to });
      saveFile(`rebate-records-${from}-to-${to}.csv`, csv);
      toast("accent", "Export saved", `Records of ${from} to ${to}`);
      onOpenChange(false);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Export records"
      description="Every record of these days as CSV, with exact amounts. At most 366 days."
      isOpen={isOpen}
      onOpenChange={onOpenChange}
    >
      <form className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        <div className="grid grid-cols-2 gap-3">
          <Field label="First day, UTC">
            {(ids) => (
              <TextInput {...ids} type="date" required value={from} onChange={({ target }) => setFrom(target.value)} />
            )}
          </Field>
          <Field label="Last day, UTC">
            {(ids) => (
              <TextInput {...ids} type="date" required value={to} onChange={({ target }) => setTo(target.value)} />
            )}
          </Field>
        </div>
        {failure !== undefined && (
          <p role="alert" className="text-sm text-bad">
            {wordsOf(failure).title} {wordsOf(failure).advice}
          </p>
        )}
        <Button look="primary" type="submit" isBusy={isBusy} disabled={from === "" || to === ""}>
          Save as CSV
        </Button>
      </form>
    </Dialog>
  );
}
