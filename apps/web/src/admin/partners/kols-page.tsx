import type { AdminKol, BdAccount, Tier } from "@bourse/api/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Button, IconButton } from "../../kit/button.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Menu, MenuItem } from "../../kit/menu.tsx";
import { Percent } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState } from "../../kit/states.tsx";
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
    ["KOL", (kol) => <span className="font-medium">{nameOfKol(kol)}</span>],
    ["Wallet", (kol) => <Hash value={kol.wallet_address} of="wallet" />, "secondary"],
    ["Tier", (kol) => <TierCell kol={kol} tiers={tiers} />],
    ["Rate", (kol) => <Percent fraction={kol.rebate_rate} />, "number"],
    ["Owner", (kol) => nameOfBd(bds, kol.bd_owner_id), "secondary"],
    ["Invitees", (kol) => kol.invitee_count, "number", "secondary"],
    ["Status", (kol) => <Badge tone={kol.status === "active" ? "accent" : "warn"}>{kol.status}</Badge>],
    ["Actions", (kol) => <KolActions kol={kol} onTask={onTask} />, "number", "untitled"],
  ];
}

interface FilterProps {
  readonly bds: readonly BdAccount[];
  readonly bd: string;
  readonly find: string;
  readonly onChange: (next: { readonly bd: string; readonly find: string }) => void;
}

function Filter({ bds, bd, find, onChange }: FilterProps) {
  const owners = [
    { value: "", label: `All owners (newest ${NEWEST_KOLS})` },
    { value: COMPANY, label: "The company (no BD)" },
    ...bds.map(({ id, display_name, username }) => ({ value: id, label: `${display_name} (${username})` })),
  ];
  return (
    <div className="grid gap-3 px-4 pt-3 pb-2 sm:grid-cols-2 lg:max-w-2xl">
      <SelectField label="Owner" options={owners} value={bd} onChange={(next) => onChange({ bd: next, find })} />
      <TextField
        label="Find"
        type="search"
        placeholder="Name, wallet or id"
        value={find}
        onChange={(text) => onChange({ bd, find: text })}
      />
    </div>
  );
}

/** Key opinion leaders: who invites, at which rate, owned by whom. */
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
    <Page title="KOLs" lead="Who invites traders, at which rate, and who owns them." actions={create}>
      <Panel isFlush className="overflow-hidden">
        <Filter bds={bds} bd={bd} find={find} onChange={filterBy} />
        <Async query={kols} rows={8} rowHeight={40}>
          {(rows) => (
            <Table
              label="KOLs"
              rows={findKols(rows, find)}
              keyOf={(kol) => kol.broker_id}
              columns={columnsOf(bds, tiers, setTask)}
              empty={
                <EmptyState title={rows.length === 0 ? "There is no KOL here yet" : "Nothing matches"}>
                  {rows.length === 0
                    ? "A BD's code makes a KOL, or create one for a known wallet."
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
