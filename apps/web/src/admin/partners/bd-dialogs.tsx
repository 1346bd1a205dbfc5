import type { BdAccount } from "@bourse/api/client";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { hasProblems, problemsIn, useDraft } from "../../kit/draft.ts";
import { TextField } from "../../kit/field.tsx";
import { staffApi } from "../../session/session.ts";
import { FormDialog } from "../frame/form-dialog.tsx";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { problemOfBdName, problemOfPassword, problemOfUsername } from "./bd-input.ts";
import { useKols } from "./queries.ts";

export function NewBdDialog({ onClose }: { readonly onClose: () => void }) {
  const write = useWrite();
  const { draft, problems, field } = useDraft(
    { username: "", name: "", password: "" },
    ({ username, name, password }) =>
      problemsIn({
        username: problemOfUsername(username),
        name: name !== "" && problemOfBdName(name),
        password: problemOfPassword(password),
      }),
  );
  const { username, name, password } = draft;
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
      description="The BD can sign in to the BD desk at once and sees only its own KOLs. Hand the password over in person."
      submitLabel={username === "" ? "Create BD" : `Create BD ${username}`}
      isReady={!hasProblems(problems)}
      onClose={onClose}
      onSubmit={create}
    >
      <TextField label="Username" autoComplete="off" {...field("username")} />
      <TextField label="Name" hint="Optional. As KOLs and staff see it." {...field("name")} />
      <TextField
        label="First password"
        hint="8 to 256 characters."
        type="password"
        autoComplete="new-password"
        {...field("password")}
      />
    </FormDialog>
  );
}

interface BdDialogProps {
  readonly bd: BdAccount;
  readonly onClose: () => void;
}

export function RenameBdDialog({ bd, onClose }: BdDialogProps) {
  const write = useWrite();
  const { draft, problems, field } = useDraft({ name: bd.display_name }, ({ name }) =>
    problemsIn({ name: problemOfBdName(name) }),
  );
  const name = draft.name.trim();
  const rename = async () => {
    await write(
      () => staffApi.brokerAdmin.changeBd(bd.id, { display_name: name }),
      () => `${bd.username} is called ${name} now.`,
    );
    onClose();
  };
  return (
    <FormDialog
      title={`Rename ${bd.display_name}`}
      submitLabel="Save name"
      isReady={!hasProblems(problems) && name !== bd.display_name}
      onClose={onClose}
      onSubmit={rename}
    >
      <TextField label="Name" {...field("name")} />
    </FormDialog>
  );
}

/** Disabling ends the BD's sign-in, not its KOLs. */
export function BdStatusDialog({ bd, onClose }: BdDialogProps) {
  const write = useWrite();
  const { data: kols } = useKols(bd.id);
  const isDisabling = bd.status === "active";
  const next = isDisabling ? "disabled" : "active";
  const verb = isDisabling ? "Disable" : "Enable";
  const owned = kols === undefined ? "its KOLs" : counted(kols.length, "KOL");
  const isLeavingKols = isDisabling && kols !== undefined && kols.length > 0;
  return (
    <ConfirmAction
      title={`${verb} ${bd.display_name}`}
      changes={[
        { what: "Status", before: bd.status, after: next },
        {
          what: "Sign-in",
          before: isDisabling ? "allowed" : "refused",
          after: isDisabling ? "refused, sessions end" : "allowed",
        },
        { what: "KOLs", after: `${owned} stay and keep working` },
      ]}
      warning={
        isLeavingKols &&
        `No BD will own ${owned}. To move them in the same step, close this and choose "Move all KOLs".`
      }
      actionLabel={`${verb} ${bd.username}`}
      onClose={onClose}
      onConfirm={() =>
        write(
          () => staffApi.brokerAdmin.changeBd(bd.id, { status: next }),
          () => `${bd.display_name} is ${next}.`,
        )
      }
    />
  );
}
