import { Upload } from "lucide-react";
import { type ChangeEvent, useRef } from "react";
import { Button } from "../../kit/button.tsx";
import { Field } from "../../kit/field.tsx";
import { Table } from "../../kit/table.tsx";
import { TextArea } from "../../kit/text-area.tsx";
import { toastError } from "../../kit/toast.tsx";
import { counted } from "../frame/words.ts";
import type { AddressList } from "./addresses.ts";

interface RecipientsFieldProps {
  readonly text: string;
  readonly list: AddressList;
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

const SHOWN_LEFT = 100;

/** Pasted or read from a file. Entries that are left out are listed with their line. */
export function RecipientsField({ text, list, problem, onChange }: RecipientsFieldProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const read = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // The same file can be chosen again after it was corrected.
    event.target.value = "";
    file?.text().then(onChange, toastError);
  };
  const { wallets, left } = list;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Field
        label="Wallets, one a line"
        hint={
          text.trim() === ""
            ? "Commas, semicolons, quotes and a heading are allowed."
            : `${counted(wallets.length, "wallet")}${left.length === 0 ? "" : `, ${counted(left.length, "entry", "entries")} left out`}`
        }
        error={text.trim() === "" ? undefined : problem}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={9}
            className="font-mono text-xs"
            placeholder={"0x…\n0x…"}
            value={text}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div>
        <input ref={chooser} type="file" accept=".csv,.txt,text/plain,text/csv" className="hidden" onChange={read} />
        <Button onClick={() => chooser.current?.click()}>
          <Upload size={15} aria-hidden="true" /> Read from a file
        </Button>
      </div>
      {left.length > 0 && (
        <Table
          label="Left out of the list"
          isDense
          className="max-h-56 rounded-md bg-raised"
          rows={left.slice(0, SHOWN_LEFT)}
          keyOf={({ line, text: entry, why }) => `${line} ${entry} ${why}`}
          columns={[
            { key: "line", title: "Line", isNumber: true, width: "4rem", cell: ({ line }) => line },
            [
              "Entry",
              ({ text: entry }) => (
                <code className="block max-w-44 truncate font-mono text-xs" title={entry}>
                  {entry}
                </code>
              ),
            ],
            ["Left out because", ({ why }) => <span className="block min-w-40 whitespace-normal">{why}</span>],
          ]}
        />
      )}
    </div>
  );
}
