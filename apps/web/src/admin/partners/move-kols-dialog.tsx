import type { BdAccount } from "@bourse/api/client";
import { useState } from "react";
import { Checkbox } from "../../kit/field.tsx";
import { Async } from "../../kit/states.tsx";
import { staffApi } from "../../session/session.ts";
import { ReviewDialog } from "../frame/review-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { OwnerSelect } from "./owner-select.tsx";
import { nameOfBd, useBds, useKols } from "./queries.ts";

/** Moves all KOLs of a BD to another owner, after stating how many they are. */
export function MoveKolsDialog({ bd, onClose }: { readonly bd: BdAccount; readonly onClose: () => void }) {
  const write = useWrite();
  const kols = useKols(bd.id);
  const { data: bds = [] } = useBds();
  const [owner, setOwner] = useState("");
  const [isDisabling, setDisabling] = useState(false);
  const count = kols.data?.length ?? 0;
  const subKols = kols.data?.filter(({ parent_broker }) => parent_broker !== null).length ?? 0;
  const to = nameOfBd(bds, owner);
  const canDisable = bd.status === "active";
  const disable_bd = isDisabling && canDisable;
  const review = {
    changes: [
      { what: `Owner of ${counted(count, "KOL")}`, before: bd.display_name, after: to },
      ...(disable_bd ? [{ what: `Sign-in of ${bd.username}`, before: "active", after: "disabled" }] : []),
    ],
    actionLabel: `Move ${counted(count, "KOL")} to ${to}${disable_bd ? ` and disable ${bd.username}` : ""}`,
  };
  return (
    <ReviewDialog
      title={`Move the KOLs of ${bd.display_name}`}
      review={owner === "" || kols.data === undefined ? undefined : review}
      asksReason
      onConfirm={(reason) =>
        write(
          () => staffApi.brokerAdmin.reassignKols(bd.id, { new_owner: owner, disable_bd, ...reason }),
          (reply) => `${counted(reply.moved_kol_count, "KOL")} belong to ${to} now.`,
        )
      }
      onClose={onClose}
    >
      <Async query={kols} rows={1} rowHeight={40}>
        {() => (
          <p className="rounded-md bg-raised px-3 py-2 text-sm">
            {counted(count, "KOL")} would move, {counted(subKols, "sub-KOL")} among them. Rates, codes and customers
            stay as they are.
          </p>
        )}
      </Async>
      <OwnerSelect label="New owner" bds={bds} except={bd.id} value={owner} onChange={setOwner} />
      {canDisable && <Checkbox label={`Also disable ${bd.username}`} isChecked={isDisabling} onChange={setDisabling} />}
    </ReviewDialog>
  );
}
