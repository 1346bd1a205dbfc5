import type { ApiKey } from "@bourse/api/client";
import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Badge, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { toast } from "../../kit/toast.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { msOf } from "../../lib/time.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio, useApiKeys } from "../queries.ts";
import { NewKeyDialog } from "./new-key.tsx";

function Expiry({ at }: { readonly at: string | null }) {
  if (at === null) return <span className="text-muted">Until revoked</span>;
  if (msOf(at) <= serverNow()) return <Badge tone="warn">Expired</Badge>;
  return <Time at={at} />;
}

function columnsOf(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    [
      "Label",
      ({ label, public_key }) => (
        <span className="flex items-center gap-1 font-medium">
          {label} {public_key !== undefined && <Badge tone="neutral">Ed25519</Badge>}
        </span>
      ),
    ],
    ["Key", ({ api_key }) => <Hash value={api_key} of="API key" />],
    [
      "May",
      ({ permissions }) => (
        <span className="flex gap-1">
          {permissions.map((permission) => (
            <Badge key={permission} tone={permission === "WITHDRAW" ? "warn" : "neutral"}>
              {permission}
            </Badge>
          ))}
        </span>
      ),
    ],
    [
      "From",
      ({ ip_whitelist }) => (
        <span className="block max-w-56 truncate" title={ip_whitelist.join(", ")}>
          {ip_whitelist.length === 0 ? "anywhere" : ip_whitelist.join(", ")}
        </span>
      ),
      "secondary",
    ],
    ["Made", ({ created_at }) => <Time at={created_at} />, "secondary"],
    ["Expires", ({ expires_at }) => <Expiry at={expires_at} />, "secondary"],
    [
      "Revoke",
      (key) => (
        <Button size="small" aria-label={`Revoke ${key.label}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
      "untitled",
    ],
  ];
}

/** API keys, with which programs act for the wallet. */
export function ApiKeys() {
  const query = useApiKeys();
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey>();
  return (
    <Panel
      title="API keys"
      isFlush
      actions={
        <Button look="primary" onClick={() => setMaking(true)}>
          <Plus size={14} /> New key
        </Button>
      }
    >
      <p className="px-4 pb-2 text-xs text-muted">
        For bots and scripts: requests are signed with the key's secret or with your own Ed25519 key. See the{" "}
        <a href="/docs/" className="text-accent underline">
          API reference
        </a>
        . At most 30 keys.
      </p>
      <QueryTable
        query={query}
        rowsOf={(keys) => keys}
        label="API keys"
        keyOf={({ api_key }) => api_key}
        columns={columnsOf(setLeaving)}
        loadingRows={4}
        empty={
          <EmptyState title="You have no API keys" action={<Button onClick={() => setMaking(true)}>Make one</Button>}>
            A key lets a program read, trade or withdraw in your name, as far as you allow it.
          </EmptyState>
        }
      />
      {isMaking && <NewKeyDialog onClose={() => setMaking(false)} />}
      {leaving !== undefined && (
        <ConfirmAction
          title={`Revoke the key ${leaving.label}`}
          changes={[
            { what: "Key", before: `${leaving.api_key.slice(0, 8)}…`, after: "refused from now on" },
            { what: "It could", after: leaving.permissions.join(", ") },
          ]}
          warning="Programs that use it stop working at once. Orders that it has placed stay."
          actionLabel={`Revoke ${leaving.label}`}
          onClose={() => setLeaving(undefined)}
          onConfirm={async () => {
            await api.account.revokeApiKey(leaving.api_key);
            toast("accent", "Key revoked", leaving.label);
            await refreshPortfolio();
          }}
        />
      )}
    </Panel>
  );
}
