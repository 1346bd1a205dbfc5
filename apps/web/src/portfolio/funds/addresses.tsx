import type { WithdrawAddress } from "@bourse/api/client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { useTask } from "../../kit/task.tsx";
import { Time } from "../../kit/time.tsx";
import { api } from "../../session/session.ts";
import { refreshPortfolio, useWithdrawAddresses } from "../queries.ts";

/** Addresses to which API keys may withdraw, besides the wallet itself. */
export function Addresses() {
  const query = useWithdrawAddresses();
  const [leaving, setLeaving] = useState<WithdrawAddress>();
  return (
    <Panel title="Address list" isFlush>
      <p className="px-4 pb-2 text-xs text-muted">
        API keys withdraw only to your wallet and to these. Only your own sign-in can change the list.
      </p>
      <QueryTable
        query={query}
        rowsOf={({ items }) => items}
        label="Withdrawal addresses"
        keyOf={({ address }) => address}
        columns={[
          ["Label", ({ label }) => label ?? "–"],
          ["Address", ({ address }) => <Hash value={address} />],
          ["Since", ({ created_time }) => <Time at={created_time} precision="day" />, "secondary"],
          [
            "Remove",
            (row) => (
              <IconButton
                size="small"
                label={`Remove ${row.label ?? row.address}`}
                icon={<Trash2 size={13} />}
                onClick={() => setLeaving(row)}
              />
            ),
            "untitled",
          ],
        ]}
        loadingRows={2}
        empty={<EmptyState title="No addresses yet" className="py-4" />}
      />
      <AddAddress />
      {leaving !== undefined && (
        <ConfirmAction
          title="Remove an address"
          changes={[{ what: leaving.label ?? "Address", before: leaving.address, after: "removed" }]}
          actionLabel={`Remove ${leaving.label ?? leaving.address}`}
          onClose={() => setLeaving(undefined)}
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
  const { isBusy, words, run } = useTask();
  const add = async () => {
    await api.account.addWithdrawAddress({ address: address.trim(), label: label.trim() || undefined });
    setAddress("");
    setLabel("");
    await refreshPortfolio();
  };
  return (
    <Form onSubmit={() => run(add)} className="grid gap-3 p-4 sm:grid-cols-[1fr_2fr_auto] sm:items-start">
      <TextField label="Label" value={label} maxLength={64} placeholder="cold storage" onChange={setLabel} />
      <TextField
        label="New address"
        error={words}
        kind="code"
        value={address}
        placeholder="0x…"
        onChange={setAddress}
      />
      <Button type="submit" isBusy={isBusy} disabled={address.trim() === ""} className="sm:mt-5">
        Add to the list
      </Button>
    </Form>
  );
}
