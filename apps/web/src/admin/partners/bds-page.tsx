import type { AdminKol, BdAccount } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import { counted } from "../frame/words.ts";
import { BdStatusDialog, NewBdDialog, RenameBdDialog } from "./bd-dialogs.tsx";
import { MoveKolsDialog } from "./move-kols-dialog.tsx";
import { NEWEST_KOLS, useBds, useKols } from "./queries.ts";

type Task = { readonly kind: "create" } | { readonly kind: "rename" | "status" | "move"; readonly bd: BdAccount };

function KolCount({ bd, kols }: { readonly bd: BdAccount; readonly kols: readonly AdminKol[] | undefined }) {
  // The newest KOLs are not a count of all.
  const isWhole = kols !== undefined && kols.length < NEWEST_KOLS;
  const count = kols?.filter(({ bd_owner_id }) => bd_owner_id === bd.id).length ?? 0;
  return (
    <Link to="/admin/kols" search={{ bd: bd.id }} className="text-accent underline-offset-2 hover:underline">
      {isWhole ? counted(count, "KOL") : "Show KOLs"}
    </Link>
  );
}

function BdActions({ bd, onTask }: { readonly bd: BdAccount; readonly onTask: (task: Task) => void }) {
  return (
    <Menu trigger={<IconButton label={`Actions for ${bd.username}`} icon={<MoreHorizontal size={16} />} />}>
      <MenuItem onSelect={() => onTask({ kind: "rename", bd })}>Rename</MenuItem>
      <MenuItem onSelect={() => onTask({ kind: "move", bd })}>Move all KOLs</MenuItem>
      <MenuItem onSelect={() => onTask({ kind: "status", bd })}>
        {bd.status === "active" ? "Disable" : "Enable"}
      </MenuItem>
    </Menu>
  );
}

function Tasks({ task, onClose }: { readonly task: Task | undefined; readonly onClose: () => void }) {
  if (task === undefined) return null;
  if (task.kind === "create") return <NewBdDialog onClose={onClose} />;
  if (task.kind === "rename") return <RenameBdDialog bd={task.bd} onClose={onClose} />;
  if (task.kind === "status") return <BdStatusDialog bd={task.bd} onClose={onClose} />;
  return <MoveKolsDialog bd={task.bd} onClose={onClose} />;
}

/** Business developers: accounts that own KOLs. */
export function BdsPage() {
  const bds = useBds();
  const { data: kols } = useKols();
  const [task, setTask] = useState<Task>();
  const create = (
    <Button look="primary" onClick={() => setTask({ kind: "create" })}>
      <Plus size={15} aria-hidden="true" /> New BD
    </Button>
  );
  return (
    <Page title="BDs" lead="Business developers recruit KOLs and own them." actions={create}>
      <Panel isFlush className="overflow-hidden">
        <QueryTable
          query={bds}
          rowsOf={(rows) => rows}
          label="BDs"
          keyOf={(bd) => bd.id}
          columns={[
            ["Name", (bd) => <span className="font-medium">{bd.display_name}</span>],
            ["Signs in as", (bd) => bd.username, "secondary"],
            ["Status", (bd) => <Badge tone={bd.status === "active" ? "accent" : "neutral"}>{bd.status}</Badge>],
            ["KOLs", (bd) => <KolCount bd={bd} kols={kols} />],
            ["Id", (bd) => <Hash value={bd.id} of="BD id" />, "secondary"],
            ["Actions", (bd) => <BdActions bd={bd} onTask={setTask} />, "number", "untitled"],
          ]}
          loadingRows={5}
          empty={
            <EmptyState title="There is no BD yet">
              A BD signs in to the BD desk, gives out codes that make KOLs, and sees their figures.
            </EmptyState>
          }
        />
      </Panel>
      <Tasks task={task} onClose={() => setTask(undefined)} />
    </Page>
  );
}
