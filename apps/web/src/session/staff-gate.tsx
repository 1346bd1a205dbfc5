import { type ReactNode, useState } from "react";
import { useIsDevelopment } from "../app/config.ts";
import { Button } from "../kit/button.tsx";
import { TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Notice, Panel } from "../kit/panel.tsx";
import { useTask } from "../kit/task.tsx";
import { useRead } from "../lib/use-read.ts";
import { wordsOf } from "../lib/words.ts";
import { api, useSession } from "./session.ts";
import { staffSignIn } from "./sign-in.ts";

const TITLES = { admin: "Operator console", bd: "BD desk" };

/** Shows the staff sign-in until a staff member of the right role is signed in. */
export function StaffGate({ audience, children }: { readonly audience: "admin" | "bd"; readonly children: ReactNode }) {
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
  const { data: personas } = useRead(["dev", "personas"], () => api.dev.personas(), { enabled: isDevelopment });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const { isBusy, refusal, run } = useTask();
  const enter = (name: string, secret: string) => run(() => staffSignIn(name, secret));
  return (
    <Form className="mt-2 flex flex-col gap-3" onSubmit={() => enter(username, password)}>
      <TextField label="Username" autoComplete="username" value={username} onChange={setUsername} />
      <TextField
        label="Password"
        error={refusal === undefined ? undefined : wordsOf(refusal).title}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
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
    </Form>
  );
}
