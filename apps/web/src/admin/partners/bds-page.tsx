import type { AdminKol, BdAccount } from "@bourse/api/client";
import { Link } from "@tanstack/react-router";
import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { counted } from "../frame/words.ts";
import { BdStatusDialog, NewBdDialog, RenameBdDialog } from "./bd-dialogs.tsx";
import { MoveKolsDialog } from "./move-kols-dialog.tsx";
import { NEWEST_KOLS, useBds, useKols } from "./queries.ts";

type Task = { readonly kind: "create" } | { readonly kind: "rename" | "status" | "move"; readonly bd: BdAccount };

function KolCount({ bd, kols }: { readonly bd: BdAccount; readonly kols: readonly AdminKol[] | undefined }) {
  // The newest alone are no count of all.
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
    <Page title="BDs" lead="Business developers bring in KOLs and look after them." actions={create}>
      <Panel isFlush className="overflow-hidden">
        <Async
          query={bds}
          skeleton={<Skeleton rows={5} rowHeight={40} />}
          isEmpty={(rows) => rows.length === 0}
          empty={
            <EmptyState title="There is no BD yet">
              A BD signs in to the BD desk, hands out codes that make KOLs, and sees what they bring in.
            </EmptyState>
          }
        >
          {(rows) => (
            <Table
              label="BDs"
              rows={rows}
              keyOf={(bd) => bd.id}
              columns={[
                { key: "name", title: "Name", cell: (bd) => <span className="font-medium">{bd.display_name}</span> },
                { key: "username", title: "Signs in as", isSecondary: true, cell: (bd) => bd.username },
                {
                  key: "status",
                  title: "Status",
                  cell: (bd) => <Badge tone={bd.status === "active" ? "accent" : "neutral"}>{bd.status}</Badge>,
                },
                { key: "kols", title: "KOLs", cell: (bd) => <KolCount bd={bd} kols={kols} /> },
                { key: "id", title: "Id", isSecondary: true, cell: (bd) => <Hash value={bd.id} of="BD id" /> },
                {
                  key: "actions",
                  title: <span className="sr-only">Actions</span>,
                  isNumber: true,
                  cell: (bd) => <BdActions bd={bd} onTask={setTask} />,
                },
              ]}
            />
          )}
        </Async>
      </Panel>
      <Tasks task={task} onClose={() => setTask(undefined)} />
    </Page>
  );
}
