import { Field, TextInput } from "../../kit/field.tsx";
import { createKeptStore, useStore } from "../../lib/store.ts";
import { useSession } from "../../session/session.ts";

const MOST_CHARS = 100;
const kept = createKeptStore("bourse.bonus.operator", (value) => (typeof value === "string" ? value : ""));

/** Who answers for what is done: what was given last in this browser, else the name one is signed in by. */
export function useOperator(): string {
  const given = useStore(kept).trim();
  const name = useSession("staff")?.name ?? "";
  return given === "" ? name : given;
}

export function OperatorField() {
  const given = useStore(kept);
  const name = useSession("staff")?.name ?? "";
  return (
    <Field label="Answers for it" hint="A wallet or a name; stands in the records. Empty: the one signed in.">
      {(ids) => (
        <TextInput
          {...ids}
          maxLength={MOST_CHARS}
          placeholder={name}
          value={given}
          onChange={(event) => kept.set(event.target.value)}
        />
      )}
    </Field>
  );
}
