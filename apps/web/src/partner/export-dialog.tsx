import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { RefusalLine, useTask } from "../kit/task.tsx";
import { toast } from "../kit/toast.tsx";
import { saveFile } from "../lib/download.ts";
import { serverNow } from "../lib/server-time.ts";
import { api } from "../session/session.ts";

const DAY_MS = 86_400_000;
const utcDay = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);

/** All records of a range of days as a file for a spreadsheet. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [from, setFrom] = useState(() => utcDay(serverNow() - 29 * DAY_MS));
  const [to, setTo] = useState(() => utcDay(serverNow()));
  const { isBusy, refusal, run } = useTask();
  const save = async () => {
    saveFile(`rebate-records-${from}-to-${to}.csv`, await api.broker.exportRebateRecords({ from, to }));
    toast("accent", "Export saved", `Records of ${from} to ${to}`);
    onClose();
  };
  return (
    <Dialog
      title="Export records"
      description="Every record of these days as CSV, with exact amounts. At most 366 days."
      onClose={onClose}
    >
      <Form onSubmit={() => run(save)}>
        <div className="grid grid-cols-2 gap-3">
          <TextField label="First day, UTC" kind="date" value={from} onChange={setFrom} />
          <TextField label="Last day, UTC" kind="date" value={to} onChange={setTo} />
        </div>
        <RefusalLine error={refusal} />
        <Button look="primary" type="submit" isBusy={isBusy} disabled={from === "" || to === ""}>
          Save as CSV
        </Button>
      </Form>
    </Dialog>
  );
}
