import type { BdAccount } from "@bourse/api/client";
import { useState } from "react";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Checkbox } from "../../kit/field.tsx";
import { Async, Skeleton } from "../../kit/states.tsx";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { ReasonField, reasonOf } from "../frame/reason-field.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { OwnerSelect } from "./owner-select.tsx";
import { nameOfBd, useBds, useKols } from "./queries.ts";

interface MoveKolsDialogProps {
  readonly bd: BdAccount;
  readonly onClose: () => void;
}

/** All KOLs of a BD to another owner: how many is known before it is asked for. */
export function MoveKolsDialog({ bd, onClose }: MoveKolsDialogProps) {
  const write = useWrite();
  const kols = useKols(bd.id);
  const { data: bds = [] } = useBds();
  const [owner, setOwner] = useState("");
  const [isDisabling, setDisabling] = useState(false);
  const [reason, setReason] = useState("");
  const [isAsking, setAsking] = useState(false);
  const count = kols.data?.length ?? 0;
  const subKols = kols.data?.filter(({ parent_broker }) => parent_broker !== null).length ?? 0;
  const to = nameOfBd(bds, owner);
  const canDisable = bd.status === "active";

  if (isAsking) {
    const disable = isDisabling && canDisable;
    return (
      <ConfirmAction
        title={`Move the KOLs of ${bd.display_name}`}
        changes={[
          { what: `Owner of ${counted(count, "KOL")}`, before: bd.display_name, after: to },
          ...(disable ? [{ what: `Account ${bd.username}`, before: "active", after: "disabled" }] : []),
        ]}
        actionLabel={`Move ${counted(count, "KOL")} to ${to}${disable ? ` and disable ${bd.username}` : ""}`}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        onConfirm={() =>
          write(
            () =>
              staffApi.brokerAdmin.reassignKols(bd.id, {
                new_owner: owner,
                disable_bd: disable,
                ...reasonOf(reason),
              }),
            (reply) => `${counted(reply.moved_kol_count, "KOL")} belong to ${to} now.`,
          )
        }
      />
    );
  }
  return (
    <FormDialog
      title={`Move the KOLs of ${bd.display_name}`}
      submitLabel="Review the move"
      isReady={owner !== "" && kols.data !== undefined}
      onClose={onClose}
      onSubmit={() => setAsking(true)}
    >
      <Async query={kols} skeleton={<Skeleton rows={1} rowHeight={40} />}>
        {() => (
          <p className="rounded-md bg-raised px-3 py-2 text-sm">
            {counted(count, "KOL")} would move, {counted(subKols, "sub-KOL")} among them. Rates, codes and customers
            stay as they are.
          </p>
        )}
      </Async>
      <OwnerSelect label="New owner" bds={bds} except={bd.id} value={owner} onChange={setOwner} />
      {canDisable && <Checkbox label={`Also disable ${bd.username}`} isChecked={isDisabling} onChange={setDisabling} />}
      <ReasonField value={reason} onChange={setReason} />
    </FormDialog>
  );
}
