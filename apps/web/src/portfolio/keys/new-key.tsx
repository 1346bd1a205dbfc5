import type { NewApiKey, Permission } from "@bourse/api/client";
import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Checkbox, Field, Select, TextInput } from "../../kit/field.tsx";
import { CopyButton } from "../../kit/hash.tsx";
import { Notice } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio } from "../queries.ts";
import {
  EMPTY_FORM,
  type KeyForm,
  LIFETIMES,
  type Lifetime,
  PERMISSIONS,
  problemsOf,
  requestOf,
} from "./key-request.ts";

interface NewKeyDialogProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
}

/** Asks what the key may do, then shows its secret once. */
export function NewKeyDialog({ isOpen, onOpenChange }: NewKeyDialogProps) {
  const [made, setMade] = useState<NewApiKey>();
  const openChanged = (next: boolean) => {
    if (!next) setMade(undefined);
    onOpenChange(next);
  };
  return (
    <Dialog
      title={made === undefined ? "New API key" : `The key ${made.label}`}
      isOpen={isOpen}
      onOpenChange={openChanged}
    >
      {made === undefined ? <KeyFields onMade={setMade} /> : <Secret made={made} onDone={() => openChanged(false)} />}
    </Dialog>
  );
}

function KeyFields({ onMade }: { readonly onMade: (made: NewApiKey) => void }) {
  const [form, setForm] = useState<KeyForm>(EMPTY_FORM);
  const [isTried, setTried] = useState(false);
  const task = useTask();
  const problems = problemsOf(form);
  const shown = isTried ? problems : {};
  const change = (part: Partial<KeyForm>) => setForm((now) => ({ ...now, ...part }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    await task.run(async () => {
      onMade(await api.account.createApiKey(requestOf(form, serverNow())));
      await refreshPortfolio();
    });
  };
  const isRisky = form.permissions.has("WITHDRAW") && form.places.trim() === "";
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
      <Field label="Label" error={shown.label}>
        {(ids) => (
          <TextInput
            {...ids}
            value={form.label}
            placeholder="market maker"
            onChange={(event) => change({ label: event.target.value })}
          />
        )}
      </Field>
      <PermissionChoice
        chosen={form.permissions}
        error={shown.permissions}
        onChange={(permissions) => change({ permissions })}
      />
      <Field
        label="Only from these addresses"
        hint="IP addresses or networks, by commas. Empty: from anywhere."
        error={problems.places}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={form.places}
            placeholder="203.0.113.7"
            onChange={(event) => change({ places: event.target.value })}
          />
        )}
      </Field>
      <Field label="Good for">
        {(ids) => (
          <Select
            {...ids}
            value={form.lifetime}
            onChange={(event) => change({ lifetime: event.target.value as Lifetime })}
          >
            {LIFETIMES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {isRisky && (
        <Notice>Whoever gets hold of this key can withdraw from anywhere. Name the addresses it is used from.</Notice>
      )}
      <RefusalLine error={task.refusal} />
      <Button look="primary" size="large" type="submit" isBusy={task.isBusy}>
        Make the key
      </Button>
    </form>
  );
}

interface PermissionChoiceProps {
  readonly chosen: ReadonlySet<Permission>;
  readonly error: string | undefined;
  readonly onChange: (chosen: ReadonlySet<Permission>) => void;
}

function PermissionChoice({ chosen, error, onChange }: PermissionChoiceProps) {
  const toggle = (permission: Permission, isChecked: boolean) => {
    const next = new Set(chosen);
    if (isChecked) next.add(permission);
    else next.delete(permission);
    onChange(next);
  };
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="pb-1 text-xs text-muted">It may</legend>
      {PERMISSIONS.map(({ value, label, more }) => (
        <Checkbox
          key={value}
          label={
            <>
              {label} <span className="text-xs text-faint">{more}</span>
            </>
          }
          isChecked={chosen.has(value)}
          onChange={(isChecked) => toggle(value, isChecked)}
        />
      ))}
      {error !== undefined && <span className="text-xs text-bad">{error}</span>}
    </fieldset>
  );
}

function Secret({ made, onDone }: { readonly made: NewApiKey; readonly onDone: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <Notice>The secret is shown this once. Keep it now: nobody can tell it again, not even the exchange.</Notice>
      <Shown label="API key" value={made.api_key} />
      <Shown label="Secret" value={made.api_secret} />
      <Button look="primary" size="large" onClick={onDone}>
        I have kept the secret
      </Button>
    </div>
  );
}

function Shown({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Field label={label}>
      {(ids) => (
        <span className="flex items-center gap-1">
          <TextInput
            {...ids}
            readOnly
            value={value}
            className="font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
        </span>
      )}
    </Field>
  );
}
