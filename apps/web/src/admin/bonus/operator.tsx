import { TextField } from "../../kit/field.tsx";
import { createKeptStore, useStore } from "../../lib/store.ts";
import { useSession } from "../../session/session.ts";

const MAX_CHARS = 100;
const kept = createKeptStore("bourse.bonus.operator", (value) => (typeof value === "string" ? value : ""));

/** Who is recorded as the operator: what was typed last in this browser, else the username. */
export function useOperator(): string {
  const given = useStore(kept).trim();
  const name = useSession("staff")?.name ?? "";
  return given === "" ? name : given;
}

export function OperatorField() {
  const given = useStore(kept);
  const name = useSession("staff")?.name ?? "";
  return (
    <TextField
      label="Operator"
      hint="A wallet or a name, kept with the record. Empty: your username."
      maxLength={MAX_CHARS}
      placeholder={name}
      value={given}
      onChange={kept.set}
    />
  );
}
