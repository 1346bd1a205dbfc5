import type { InviteCode } from "@bourse/api/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { useTask } from "../kit/task.tsx";
import { toast } from "../kit/toast.tsx";
import { staffApi } from "../session/session.ts";
import { CodeCard } from "./code-card.tsx";
import { useBdCodes } from "./queries.ts";

const MAX_NOTE = 200;
const MAX_LEVEL = 1000;

export function BdCodes() {
  const codes = useBdCodes();
  return (
    <div className="flex flex-col gap-4 p-4">
      <NewBdCode />
      <Async
        query={codes}
        rows={4}
        rowHeight={64}
        empty={<EmptyState title="No codes yet">A code makes one KOL, within 7 days.</EmptyState>}
      >
        {(all) => <CodeList codes={all} />}
      </Async>
    </div>
  );
}

/** The desk's figures count codes too, so they are read again with the list. */
function useRenewal() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["bd"] });
}

function CodeList({ codes }: { readonly codes: readonly InviteCode[] }) {
  const renew = useRenewal();
  return (
    <ul aria-label="Your codes" className="grid gap-3 lg:grid-cols-2">
      {codes.map((code) => (
        <li key={code.id} className="rounded-lg ring-1 ring-line">
          <CodeCard
            code={code}
            onStatus={async (status) => {
              await staffApi.broker.changeInviteCode(code.id, { status });
              await renew();
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function NewBdCode() {
  const renew = useRenewal();
  const [levelText, setLevel] = useState("1");
  const [note, setNote] = useState("");
  const { isBusy, words, run } = useTask();
  const level = /^\d{1,4}$/.test(levelText.trim()) ? Number(levelText) : 0;
  const isLevel = level >= 1 && level <= MAX_LEVEL;
  const make = async () => {
    const { code } = await staffApi.bd.createInviteCode({ level, note: note.trim() === "" ? undefined : note.trim() });
    setNote("");
    await renew();
    toast("accent", `Code ${code} is ready`, "It makes one KOL, within 7 days.");
  };
  return (
    <Form
      label="New code for a KOL"
      className="flex flex-wrap items-start gap-3 rounded-lg bg-raised p-3"
      onSubmit={() => run(make)}
    >
      <TextField
        label="Tier of the KOL"
        className="w-36"
        hint="The KOL gets the tier's rate"
        error={isLevel ? words : `A whole number, 1 to ${MAX_LEVEL}`}
        kind="whole"
        inputClass="bg-hover"
        value={levelText}
        onChange={setLevel}
      />
      <TextField
        label="Note, for yourself"
        hint="For whom it is"
        className="min-w-48 flex-1"
        inputClass="bg-hover"
        maxLength={MAX_NOTE}
        value={note}
        onChange={setNote}
      />
      <Button look="primary" type="submit" isBusy={isBusy} disabled={!isLevel} className="mt-5">
        Make a code
      </Button>
    </Form>
  );
}
