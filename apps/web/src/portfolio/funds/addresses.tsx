import type { WithdrawAddress } from "@bourse/api/client";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { useTask } from "../../kit/task.tsx";
import { Time } from "../../kit/time.tsx";
import { wordsOf } from "../../lib/words.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio, useWithdrawAddresses } from "../queries.ts";

/** Where API keys may withdraw to, besides the wallet itself. */
export function Addresses() {
  const query = useWithdrawAddresses();
  const [leaving, setLeaving] = useState<WithdrawAddress>();
  return (
    <Panel title="Address list" isFlush>
      <p className="px-4 pb-2 text-xs text-muted">
        API keys withdraw only to your wallet and to these. Only your own sign-in can change the list.
      </p>
      <Async
        query={query}
        skeleton={<Skeleton rows={2} rowHeight={40} />}
        isEmpty={({ addresses }) => addresses.length === 0}
        empty={<EmptyState title="No addresses yet" className="py-4" />}
      >
        {({ addresses }) => (
          <Table
            label="Withdrawal addresses"
            rows={addresses}
            keyOf={({ address }) => address}
            columns={[
              { key: "label", title: "Label", cell: ({ label }) => label ?? "–" },
              { key: "address", title: "Address", cell: ({ address }) => <Hash value={address} /> },
              {
                key: "since",
                title: "Since",
                isSecondary: true,
                cell: ({ created_time }) => <Time at={created_time} precision="day" />,
              },
              {
                key: "remove",
                title: <span className="sr-only">Remove</span>,
                cell: (row) => (
                  <IconButton
                    size="small"
                    label={`Remove ${row.label ?? row.address}`}
                    icon={<Trash2 size={13} />}
                    onClick={() => setLeaving(row)}
                  />
                ),
              },
            ]}
          />
        )}
      </Async>
      <AddAddress />
      {leaving !== undefined && (
        <ConfirmAction
          title="Take an address off the list"
          changes={[{ what: leaving.label ?? "Address", before: leaving.address, after: "not on the list" }]}
          actionLabel={`Remove ${leaving.label ?? leaving.address}`}
          isOpen
          onOpenChange={() => setLeaving(undefined)}
          onConfirm={async () => {
            await api.account.removeWithdrawAddress(leaving.address);
            await refreshPortfolio();
          }}
        />
      )}
    </Panel>
  );
}

function AddAddress() {
  const [address, setAddress] = useState("");
  const [label, setLabel] = useState("");
  const { isBusy, refusal, run } = useTask();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await run(async () => {
      await api.account.addWithdrawAddress({ address: address.trim(), label: label.trim() || undefined });
      setAddress("");
      setLabel("");
      await refreshPortfolio();
    });
  };
  const words = refusal === undefined ? undefined : wordsOf(refusal);
  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="grid gap-3 p-4 sm:grid-cols-[1fr_2fr_auto] sm:items-start"
    >
      <Field label="Label">
        {(ids) => (
          <TextInput
            {...ids}
            value={label}
            maxLength={64}
            placeholder="cold storage"
            onChange={(event) => setLabel(event.target.value)}
          />
        )}
      </Field>
      <Field label="New address" error={words === undefined ? undefined : `${words.title} ${words.advice ?? ""}`}>
        {(ids) => (
          <TextInput
            {...ids}
            value={address}
            placeholder="0x…"
            spellCheck={false}
            autoComplete="off"
            className="font-mono"
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" isBusy={isBusy} disabled={address.trim() === ""} className="sm:mt-5">
        Add to the list
      </Button>
    </form>
  );
}
