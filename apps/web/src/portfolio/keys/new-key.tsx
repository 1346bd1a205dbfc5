import type { NewApiKey, Permission } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { hasProblems } from "../../kit/draft.ts";
import { Checkbox, Field, SelectField, TextField, TextInput } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { CopyButton } from "../../kit/hash.tsx";
import { Notice } from "../../kit/panel.tsx";
import { RefusalLine, useTask } from "../../kit/task.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio } from "../queries.ts";
import { EMPTY_FORM, type KeyForm, LIFETIMES, PERMISSIONS, problemsOf, requestOf } from "./key-request.ts";

/** Asks what the key may do, then shows the key, and its secret once. */
export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey>();
  return (
    <Dialog title={made === undefined ? "New API key" : `The key ${made.label}`} onClose={onClose}>
      {made === undefined ? <KeyFields onMade={setMade} /> : <Secret made={made} onDone={onClose} />}
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
  const submit = () => {
    setTried(true);
    if (hasProblems(problems)) return;
    void task.run(async () => {
      onMade(await api.account.createApiKey(requestOf(form, serverNow())));
      await refreshPortfolio();
    });
  };
  const isRisky = form.permissions.has("WITHDRAW") && form.places.trim() === "";
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Label"
        error={shown.label}
        value={form.label}
        placeholder="market maker"
        onChange={(text) => change({ label: text })}
      />
      <PermissionChoice
        chosen={form.permissions}
        error={shown.permissions}
        onChange={(permissions) => change({ permissions })}
      />
      <TextField
        label="Only from these IPs"
        hint="IPs or networks, separated by commas. Empty: from anywhere."
        error={problems.places}
        value={form.places}
        placeholder="203.0.113.7"
        onChange={(text) => change({ places: text })}
      />
      <SelectField
        label="Valid for"
        options={LIFETIMES}
        value={form.lifetime}
        onChange={(lifetime) => change({ lifetime })}
      />
      <TextField
        label="Ed25519 public key"
        hint="Optional. Paste it to sign with your own private key; then there is no secret."
        error={problems.publicKey}
        value={form.publicKey}
        placeholder="-----BEGIN PUBLIC KEY-----"
        inputClass="font-mono text-xs"
        onChange={(publicKey) => change({ publicKey })}
      />
      {isRisky && (
        <Notice>Anyone who obtains this key can withdraw from anywhere. Restrict it to the IPs it is used from.</Notice>
      )}
      <RefusalLine error={task.refusal} />
      <Button look="primary" size="large" type="submit" isBusy={task.isBusy}>
        Make the key
      </Button>
    </Form>
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
  if (made.public_key !== undefined) {
    return (
      <div className="flex flex-col gap-3">
        <Notice>Requests with this key are signed with your private key. There is no secret.</Notice>
        <Shown label="API key" value={made.api_key} />
        <Shown label="Public key" value={made.public_key} />
        <Button look="primary" size="large" onClick={onDone}>
          Done
        </Button>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Notice>The secret is shown only now. Save it: it cannot be shown again.</Notice>
      <Shown label="API key" value={made.api_key} />
      <Shown label="Secret" value={made.api_secret} />
      <Button look="primary" size="large" onClick={onDone}>
        I have saved the secret
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
