import type { InviteCode } from "@bourse/api/client";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "../kit/button.tsx";
import { Field, TextInput } from "../kit/field.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { toast } from "../kit/toast.tsx";
import { wordsOf } from "../lib/words.ts";
import { staffApi } from "../session/session.ts";
import { CodeCard } from "./code-card.tsx";
import { useBdCodes } from "./queries.ts";

const LONGEST_NOTE = 200;
const HIGHEST_LEVEL = 1000;

export function BdCodes() {
  const codes = useBdCodes();
  return (
    <div className="flex flex-col gap-4 p-4">
      <NewBdCode />
      <Async
        query={codes}
        skeleton={<Skeleton rows={4} rowHeight={64} />}
        isEmpty={(all) => all.length === 0}
        empty={<EmptyState title="No codes yet">A code makes one KOL, within 7 days.</EmptyState>}
      >
        {(all) => <CodeList codes={all} />}
      </Async>
    </div>
  );
}

/** The desk's figures count codes too, so they are asked again with the list. */
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
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const level = /^\d{1,4}$/.test(levelText) ? Number(levelText) : 0;
  const isLevel = level >= 1 && level <= HIGHEST_LEVEL;
  const words = failure === undefined ? undefined : wordsOf(failure);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const { code } = await staffApi.bd.createInviteCode({
        level,
        note: note.trim() === "" ? undefined : note.trim(),
      });
      setNote("");
      await renew();
      toast("accent", `Code ${code} is ready`, "It makes one KOL, within 7 days.");
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      aria-label="New code for a KOL"
      className="flex flex-wrap items-start gap-3 rounded-lg bg-raised p-3"
      onSubmit={(event) => void submit(event)}
    >
      <Field
        label="Tier of the KOL"
        className="w-36"
        hint="Its rate is the tier's"
        error={isLevel ? words && `${words.title} ${words.advice ?? ""}` : `A whole number, 1 to ${HIGHEST_LEVEL}`}
      >
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            className="num bg-hover"
            value={levelText}
            onChange={({ target }) => setLevel(target.value.trim())}
          />
        )}
      </Field>
      <Field label="Note, for yourself" hint="Whom it is for" className="min-w-48 flex-1">
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={LONGEST_NOTE}
            className="bg-hover"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </Field>
      <Button look="primary" type="submit" isBusy={isBusy} disabled={!isLevel} className="mt-5">
        Make a code
      </Button>
    </form>
  );
}
