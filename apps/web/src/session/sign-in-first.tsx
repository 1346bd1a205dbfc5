import type { ReactNode } from "react";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/states.tsx";
import { openConnect } from "./connect.ts";
import { type Session, useSession } from "./session.ts";

interface SignInFirstProps {
  /** Why to sign in here. */
  readonly reason: string;
  readonly children: (session: Session) => ReactNode;
}

/** What belongs to a wallet, or an invitation to sign in. */
export function SignInFirst({ reason, children }: SignInFirstProps) {
  const session = useSession("wallet");
  if (session !== undefined) return children(session);
  return (
    <EmptyState
      title="You are not signed in"
      action={
        <Button look="primary" onClick={openConnect}>
          Sign in
        </Button>
      }
    >
      {reason}
    </EmptyState>
  );
}
