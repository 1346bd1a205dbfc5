import type { AdminKol, BdAccount, Tier } from "@bourse/api/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { Field, Select, TextInput } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Percent } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { shortHash } from "../../lib/format.ts";
import { findKols } from "./kol-change.ts";
import { EditKolDialog, FreezeKolDialog } from "./kol-dialogs.tsx";
import { MoveKolDialog, NewKolDialog, TierDialog } from "./kol-place-dialogs.tsx";
import { COMPANY, NEWEST_KOLS, nameOfBd, nameOfKol, useBds, useKols, useTiers } from "./queries.ts";

type Task =
  | { readonly kind: "create" }
  | { readonly kind: "edit" | "tier" | "freeze" | "move"; readonly kol: AdminKol };

function KolActions({ kol, onTask }: { readonly kol: AdminKol; readonly onTask: (task: Task) => void }) {
  const isSub = kol.parent_broker !== null;
  return (
    <Menu trigger={<IconButton label={`Actions for ${nameOfKol(kol)}`} icon={<MoreHorizontal size={16} />} />}>
      {!isSub && <MenuItem onSelect={() => onTask({ kind: "tier", kol })}>Set tier</MenuItem>}
      <MenuItem onSelect={() => onTask({ kind: "edit", kol })}>{isSub ? "Rename" : "Edit name, level, rate"}</MenuItem>
      {!isSub && <MenuItem onSelect={() => onTask({ kind: "move", kol })}>Move to another BD</MenuItem>}
      <MenuItem onSelect={() => onTask({ kind: "freeze", kol })}>
        {kol.status === "active" ? "Freeze" : "Unfreeze"}
      </MenuItem>
    </Menu>
  );
}

function Tasks({ task, onClose }: { readonly task: Task | undefined; readonly onClose: () => void }) {
  if (task === undefined) return null;
  if (task.kind === "create") return <NewKolDialog onClose={onClose} />;
  if (task.kind === "tier") return <TierDialog kol={task.kol} onClose={onClose} />;
  if (task.kind === "edit") return <EditKolDialog kol={task.kol} onClose={onClose} />;
  if (task.kind === "move") return <MoveKolDialog kol={task.kol} onClose={onClose} />;
  return <FreezeKolDialog kol={task.kol} onClose={onClose} />;
}

function TierCell({ kol, tiers }: { readonly kol: AdminKol; readonly tiers: readonly Tier[] }) {
  if (kol.parent_broker !== null) {
    return (
      <span className="text-muted" title={kol.parent_broker}>
        Sub-KOL <span className="font-mono text-xs max-md:hidden">of {shortHash(kol.parent_broker)}</span>
      </span>
    );
  }
  const label = tiers.find(({ level }) => level === kol.level)?.label;
  return (
    <span>
      {label ?? "Level"} <span className="text-faint">L{kol.level}</span>
    </span>
  );
}

function columnsOf(
  bds: readonly BdAccount[],
  tiers: readonly Tier[],
  onTask: (task: Task) => void,
): readonly Column<AdminKol>[] {
  return [
    {
      key: "name",
      title: "KOL",
      cell: (kol) => <span className="font-medium">{nameOfKol(kol)}</span>,
    },
    {
      key: "wallet",
      title: "Wallet",
      isSecondary: true,
      cell: (kol) => <Hash value={kol.wallet_address} of="wallet" />,
    },
    { key: "tier", title: "Tier", cell: (kol) => <TierCell kol={kol} tiers={tiers} /> },
    { key: "rate", title: "Rate", isNumber: true, cell: (kol) => <Percent fraction={kol.rebate_rate} /> },
    { key: "owner", title: "Owner", isSecondary: true, cell: (kol) => nameOfBd(bds, kol.bd_owner_id) },
    { key: "invitees", title: "Invitees", isNumber: true, isSecondary: true, cell: (kol) => kol.invitee_count },
    {
      key: "status",
      title: "Status",
      cell: (kol) => <Badge tone={kol.status === "active" ? "accent" : "warn"}>{kol.status}</Badge>,
    },
    {
      key: "actions",
      title: <span className="sr-only">Actions</span>,
      isNumber: true,
      cell: (kol) => <KolActions kol={kol} onTask={onTask} />,
    },
  ];
}

interface FilterProps {
  readonly bds: readonly BdAccount[];
  readonly bd: string;
  readonly find: string;
  readonly onChange: (next: { readonly bd: string; readonly find: string }) => void;
}

function Filter({ bds, bd, find, onChange }: FilterProps) {
  return (
    <div className="grid gap-3 px-4 pt-3 pb-2 sm:grid-cols-2 lg:max-w-2xl">
      <Field label="Owner">
        {(ids) => (
          <Select {...ids} value={bd} onChange={(event) => onChange({ bd: event.target.value, find })}>
            <option value="">Everyone (newest {NEWEST_KOLS})</option>
            <option value={COMPANY}>The company (no BD)</option>
            {bds.map(({ id, display_name, username }) => (
              <option key={id} value={id}>
                {display_name} ({username})
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Find">
        {(ids) => (
          <TextInput
            {...ids}
            type="search"
            placeholder="Name, wallet or id"
            value={find}
            onChange={(event) => onChange({ bd, find: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** Key opinion leaders: who invites, at which terms, looked after by whom. */
export function KolsPage() {
  const { bd = "", find = "" } = useSearch({ from: "/admin/kols" });
  const navigate = useNavigate({ from: "/admin/kols" });
  const kols = useKols(bd === "" ? undefined : bd);
  const { data: bds = [] } = useBds();
  const { data: tiers = [] } = useTiers();
  const [task, setTask] = useState<Task>();
  const filterBy = (next: { readonly bd: string; readonly find: string }) =>
    void navigate({
      replace: true,
      search: { ...(next.bd === "" ? {} : { bd: next.bd }), ...(next.find === "" ? {} : { find: next.find }) },
    });
  const create = (
    <Button look="primary" onClick={() => setTask({ kind: "create" })}>
      <Plus size={15} aria-hidden="true" /> New KOL
    </Button>
  );
  return (
    <Page title="KOLs" lead="Who invites traders, at which rate, and who looks after them." actions={create}>
      <Panel isFlush className="overflow-hidden">
        <Filter bds={bds} bd={bd} find={find} onChange={filterBy} />
        <Async query={kols} skeleton={<Skeleton rows={8} rowHeight={40} />}>
          {(rows) => (
            <Table
              label="KOLs"
              rows={findKols(rows, find)}
              keyOf={(kol) => kol.broker_id}
              columns={columnsOf(bds, tiers, setTask)}
              empty={
                <EmptyState title={rows.length === 0 ? "There is no KOL here yet" : "Nothing matches"}>
                  {rows.length === 0
                    ? "A BD's code makes one, or create one for a wallet that is known."
                    : `None of the ${rows.length} loaded has “${find}” in its name, wallet or id.`}
                </EmptyState>
              }
            />
          )}
        </Async>
      </Panel>
      <Tasks task={task} onClose={() => setTask(undefined)} />
    </Page>
  );
}
