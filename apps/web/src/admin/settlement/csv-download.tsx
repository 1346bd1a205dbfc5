import type { PayoutBatch } from "@bourse/api/client";
import { Download } from "lucide-react";
import { Button } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { useTask } from "../../kit/task.tsx";
import { toast, toastError } from "../../kit/toast.tsx";
import { saveFile } from "../../lib/download.ts";
import { staffApi } from "../../session/session.ts";
import { sha256Hex } from "../frame/sha256.ts";

/** The file for accounting. It is saved only if it matches the digest that the batch was made with. */
export function CsvDownload({ batch }: { readonly batch: PayoutBatch }) {
  const { isBusy, run } = useTask(toastError);
  const download = async () => {
    const text = await staffApi.brokerAdmin.payoutBatchCsv(batch.id);
    const digest = await sha256Hex(text);
    if (digest !== batch.sha256) throw new Error("The file does not match the batch's SHA-256. It was not saved.");
    saveFile(`payout-${batch.id}.csv`, text);
    toast("accent", "The CSV matches the batch's SHA-256.");
  };
  return (
    <>
      <span className="flex items-center gap-1 text-xs text-faint">
        SHA-256 <Hash value={batch.sha256} of="SHA-256" />
      </span>
      <Button size="small" isBusy={isBusy} onClick={() => void run(download)}>
        <Download size={13} aria-hidden="true" /> CSV
      </Button>
    </>
  );
}
