import { Link, useSearch } from "@tanstack/react-router";
import { Check } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Button } from "../kit/button.tsx";
import { Notice, Panel } from "../kit/panel.tsx";
import { EmptyState } from "../kit/states.tsx";
import { useTask } from "../kit/task.tsx";
import { shortHash } from "../lib/format.ts";
import { useStore } from "../lib/store.ts";
import { openConnect } from "../session/connect.ts";
import { api, useSession } from "../session/session.ts";
import { acceptInvitation, cleanCode, type Invitation, invitation, receiveInvitation } from "./invitation.ts";
import { Joined, Refused } from "./join-outcome.tsx";
import { usePartnerRenewal } from "./queries.ts";

/** The page of a partner's link: states what will happen, and joins once the visitor is signed in. */
export function JoinPage() {
  const { ref } = useSearch({ from: "/join" });
  const isSignedIn = useSession("wallet") !== undefined;
  const kept = useStore(invitation);
  const code = ref === undefined ? kept?.code : cleanCode(ref);
  useEffect(() => {
    if (code !== undefined && code !== "") receiveInvitation(code, isSignedIn);
  }, [code, isSignedIn]);
  return (
    <div className="mx-auto flex w-full max-w-xl flex-col gap-4 px-4 py-8">
      <div>
        <h1 className="text-xl font-semibold">You are invited to Bourse</h1>
        <p className="text-sm text-muted">Perpetual futures, with a part of your fees coming back to you.</p>
      </div>
      {code === undefined || code === "" ? (
        <Panel>
          <EmptyState title="This link has lost its code" action={<TradeLink />}>
            Ask for the link again, or type the code on the partners page after signing in.
          </EmptyState>
        </Panel>
      ) : kept?.code === code ? (
        <Panel>
          <Welcome invite={kept} />
        </Panel>
      ) : null}
    </div>
  );
}

const TradeLink = () => (
  <Link
    to="/trade"
    className="inline-flex h-10 items-center rounded-md bg-accent-solid px-4 text-base font-medium text-on-accent"
  >
    Start trading
  </Link>
);

function Welcome({ invite }: { readonly invite: Invitation }) {
  const wallet = useSession("wallet")?.name;
  const { isBusy, words, join } = useJoining(invite, wallet);
  const answer = invite.answer?.wallet === wallet ? invite.answer : undefined;
  return (
    <div className="flex flex-col gap-5 pt-2">
      <p className="flex flex-wrap items-baseline gap-2">
        <span className="text-sm text-muted">Code</span>
        <span className="font-mono text-2xl font-semibold">{invite.code}</span>
      </p>
      {answer === undefined ? (
        <>
          <Steps />
          {words !== undefined && <Notice>Not joined yet: {words}</Notice>}
          <Action wallet={wallet} isBusy={isBusy} onJoin={join} />
        </>
      ) : "bound" in answer ? (
        <Joined bound={answer.bound} />
      ) : (
        <Refused refusal={answer.refused} onRetry={join} isBusy={isBusy} />
      )}
    </div>
  );
}

/** Joins automatically where the visitor was told so before signing in. Asks the exchange once, however often it renders. */
function useJoining(invite: Invitation, wallet: string | undefined) {
  const { isBusy, words, run } = useTask();
  const renew = usePartnerRenewal();
  const join = () => {
    if (wallet === undefined) return;
    void run(async () => {
      await acceptInvitation(wallet, invite.code, api.broker.bind);
      await renew();
    });
  };
  const isDue = wallet !== undefined && invite.joinsOnSignIn && invite.answer?.wallet !== wallet;
  // biome-ignore lint/correctness/useExhaustiveDependencies: due once for a wallet and a code, not for each new function
  useEffect(() => {
    if (isDue) join();
  }, [isDue, wallet, invite.code]);
  return { isBusy, words, join };
}

const STEPS: readonly { readonly title: string; readonly text: string }[] = [
  { title: "Sign in with your wallet", text: "It signs a message. Nothing is paid, nothing is approved." },
  {
    title: "Your wallet joins by this code",
    text: "Once, for good. The code sets which part of your fees you get back, or makes you a partner.",
  },
  {
    title: "Trade",
    text: "What comes back is settled every day after midnight, UTC. Each amount shows its fills, its formula and its proof.",
  },
];

function Steps() {
  return (
    <ol className="flex flex-col gap-3">
      {STEPS.map(({ title, text }, step) => (
        <li key={title} className="flex gap-3">
          <span
            aria-hidden="true"
            className="num flex size-6 shrink-0 items-center justify-center rounded-full bg-raised text-xs font-semibold"
          >
            {step + 1}
          </span>
          <span>
            <span className="font-medium">{title}</span>
            <span className="block text-sm text-muted">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

interface ActionProps {
  readonly wallet: string | undefined;
  readonly isBusy: boolean;
  readonly onJoin: () => void;
}

function Action({ wallet, isBusy, onJoin }: ActionProps): ReactNode {
  if (wallet === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" size="large" onClick={openConnect}>
          Sign in and join
        </Button>
        <span className="text-xs text-faint">The code is remembered if your wallet app leaves this page.</span>
      </div>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button look="primary" size="large" isBusy={isBusy} onClick={onJoin}>
        Join with {shortHash(wallet)}
      </Button>
      <span className="flex items-center gap-1.5 text-sm text-muted">
        <Check size={14} aria-hidden="true" /> Signed in
      </span>
    </div>
  );
}
