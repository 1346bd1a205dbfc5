import type { BdAccount } from "@bourse/api/client";
import { useState } from "react";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { problemOfBdName, problemOfPassword, problemOfUsername } from "./bd-input.ts";
import { useKols } from "./queries.ts";

interface NewBdDialogProps {
  readonly onClose: () => void;
}

export function NewBdDialog({ onClose }: NewBdDialogProps) {
  const write = useWrite();
  const [username, setUsername] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const isReady =
    problemOfUsername(username) === undefined &&
    problemOfPassword(password) === undefined &&
    (name === "" || problemOfBdName(name) === undefined);
  const create = async () => {
    const request = { username, initial_password: password, ...(name === "" ? {} : { display_name: name.trim() }) };
    await write(
      () => staffApi.brokerAdmin.createBd(request),
      (bd) => `${bd.display_name} can sign in as ${bd.username}.`,
    );
    onClose();
  };
  return (
    <FormDialog
      title="New BD"
      description="The account can sign in to the BD desk at once. Hand the password over in person; the BD sees only its own KOLs."
      submitLabel={username === "" ? "Create BD" : `Create BD ${username}`}
      isReady={isReady}
      onClose={onClose}
      onSubmit={create}
    >
      <Field label="Username" error={username === "" ? undefined : problemOfUsername(username)}>
        {(ids) => (
          <TextInput
            {...ids}
            autoComplete="off"
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Name"
        hint="Optional. As KOLs and operators see it."
        error={name === "" ? undefined : problemOfBdName(name)}
      >
        {(ids) => <TextInput {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field
        label="First password"
        hint="8 to 256 characters."
        error={password === "" ? undefined : problemOfPassword(password)}
      >
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

interface BdDialogProps {
  readonly bd: BdAccount;
  readonly onClose: () => void;
}

export function RenameBdDialog({ bd, onClose }: BdDialogProps) {
  const write = useWrite();
  const [name, setName] = useState(bd.display_name);
  const problem = problemOfBdName(name);
  const rename = async () => {
    await write(
      () => staffApi.brokerAdmin.changeBd(bd.id, { display_name: name.trim() }),
      () => `${bd.username} is called ${name.trim()} now.`,
    );
    onClose();
  };
  return (
    <FormDialog
      title={`Rename ${bd.display_name}`}
      submitLabel="Save name"
      isReady={problem === undefined && name.trim() !== bd.display_name}
      onClose={onClose}
      onSubmit={rename}
    >
      <Field label="Name" error={problem}>
        {(ids) => <TextInput {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
    </FormDialog>
  );
}

/** Disabling ends the BD's sign-in, not its KOLs: both are said before it happens. */
export function BdStatusDialog({ bd, onClose }: BdDialogProps) {
  const write = useWrite();
  const { data: kols } = useKols(bd.id);
  const isDisabling = bd.status === "active";
  const next = isDisabling ? "disabled" : "active";
  const owned = kols === undefined ? "its KOLs" : counted(kols.length, "KOL");
  return (
    <ConfirmAction
      title={isDisabling ? `Disable ${bd.display_name}` : `Enable ${bd.display_name}`}
      changes={[
        { what: "Account", before: bd.status, after: next },
        {
          what: "Sign-in",
          before: isDisabling ? "allowed" : "refused",
          after: isDisabling ? "refused, sessions end" : "allowed",
        },
        { what: "KOLs", after: kols === undefined ? "stay and keep working" : `${owned} stay and keep working` },
      ]}
      {...(isDisabling && kols !== undefined && kols.length > 0
        ? {
            warning: `Nobody looks after ${owned} then. To hand them over in the same step, close this and choose "Move all KOLs".`,
          }
        : {})}
      actionLabel={isDisabling ? `Disable ${bd.username}` : `Enable ${bd.username}`}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.changeBd(bd.id, { status: next }),
          () => `${bd.display_name} is ${next}.`,
        )
      }
    />
  );
}
