import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useIsDevelopment } from "../app/config.ts";
import { Button } from "../kit/button.tsx";
import { Field, TextInput } from "../kit/field.tsx";
import { Notice, Panel } from "../kit/panel.tsx";
import { wordsOf } from "../lib/words.ts";
import { api, useSession } from "./session.ts";
import { staffSignIn } from "./sign-in.ts";

interface StaffGateProps {
  readonly audience: "admin" | "bd";
  readonly children: ReactNode;
}

const TITLES = { admin: "Operator console", bd: "BD desk" };

/** The sign-in of staff, in front of their pages. */
export function StaffGate({ audience, children }: StaffGateProps) {
  const session = useSession("staff");
  if (session?.role === audience) return children;
  return (
    <div className="mx-auto mt-12 w-full max-w-sm px-4">
      <Panel title={TITLES[audience]}>
        {session !== undefined && (
          <Notice>
            {session.name} is signed in as {session.role}; this page is for {audience === "admin" ? "admins" : "BDs"}.
          </Notice>
        )}
        <StaffForm audience={audience} />
      </Panel>
    </div>
  );
}

function StaffForm({ audience }: { readonly audience: "admin" | "bd" }) {
  const isDevelopment = useIsDevelopment();
  const { data: personas } = useQuery({
    queryKey: ["dev", "personas"],
    queryFn: () => api.dev.personas(),
    enabled: isDevelopment,
  });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const enter = async (name: string, secret: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await staffSignIn(name, secret);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter(username, password);
  };
  return (
    <form className="mt-2 flex flex-col gap-3" onSubmit={submit}>
      <Field label="Username">
        {(ids) => (
          <TextInput
            {...ids}
            autoComplete="username"
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password" error={failure === undefined ? undefined : wordsOf(failure).title}>
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Button look="primary" type="submit" isBusy={isBusy} disabled={username === "" || password === ""}>
        Sign in
      </Button>
      {personas?.staff
        .filter((persona) => persona.role === audience)
        .map((persona) => (
          <Button
            key={persona.username}
            disabled={isBusy}
            onClick={() => void enter(persona.username, persona.password)}
          >
            Development: sign in as {persona.username}
          </Button>
        ))}
    </form>
  );
}
