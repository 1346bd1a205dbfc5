import { useState } from "react";
import { useIsDevelopment } from "../app/config.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Skeleton } from "../kit/states.tsx";
import { toast } from "../kit/toast.tsx";
import { shortHash } from "../lib/format.ts";
import { useStore } from "../lib/store.ts";
import { useRead } from "../lib/use-read.ts";
import { wordsOf } from "../lib/words.ts";
import { connectDialog } from "./connect.ts";
import { api } from "./session.ts";
import { signInWith, startWithBurner } from "./sign-in.ts";
import { injectedWallets, type LocalKey } from "./wallets.ts";

/** Signs in with a wallet of the browser; on a development server also with a burner key or a persona of the demo. */
export function ConnectDialog() {
  const isOpen = useStore(connectDialog);
  const wallets = useStore(injectedWallets);
  const isDevelopment = useIsDevelopment();
  const [step, setStep] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const isBusy = step !== undefined;

  const attempt = async (first: string, work: () => Promise<unknown>) => {
    setFailure(undefined);
    setStep(first);
    try {
      await work();
      connectDialog.set(false);
      toast("accent", "Signed in");
    } catch (error) {
      setFailure(error);
    } finally {
      setStep(undefined);
    }
  };
  const words = failure === undefined ? undefined : wordsOf(failure);

  return (
    <Dialog
      title="Sign in"
      description="Your wallet signs a message. Nothing is paid, and there is no password."
      isOpen={isOpen}
      onClose={() => !isBusy && connectDialog.set(false)}
    >
      {isDevelopment && (
        <div className="flex flex-col gap-1.5">
          <Button
            look="primary"
            size="large"
            disabled={isBusy}
            onClick={() => void attempt("Making a key in this browser", () => startWithBurner(setStep))}
          >
            Try it with a burner wallet
          </Button>
          <p className="text-xs text-faint">
            A temporary key in this browser, with 10,000 test USDT on the exchange and 10,000 on the chain.
          </p>
        </div>
      )}
      <div className="flex flex-col gap-1.5">
        {wallets.map((wallet) => (
          <Button
            key={wallet.rdns}
            size="large"
            disabled={isBusy}
            onClick={() =>
              void attempt(`Waiting for ${wallet.name}`, () => signInWith({ kind: "injected", rdns: wallet.rdns }))
            }
          >
            <img src={wallet.icon} width={18} height={18} alt="" /> {wallet.name}
          </Button>
        ))}
        {wallets.length === 0 && (
          <p className="text-sm text-muted">No wallet was found. Install one that supports EIP-6963, then reload.</p>
        )}
      </div>
      {isDevelopment && (
        <Personas
          isBusy={isBusy}
          onChoose={(key) => void attempt(`Signing in as ${key.name}`, () => signInWith({ kind: "local", key }))}
        />
      )}
      <p role="status" className="min-h-5 text-sm text-muted">
        {step}
      </p>
      {words !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {words.title} {words.advice}
        </p>
      )}
    </Dialog>
  );
}

const ROLES: Readonly<Record<string, string>> = {
  kol: "KOL",
  sub_kol: "sub-KOL",
  customer: "customer",
  bonus: "bonus campaign",
};

function Personas({ isBusy, onChoose }: { readonly isBusy: boolean; readonly onChoose: (key: LocalKey) => void }) {
  const { data } = useRead(["dev", "personas"], () => api.dev.personas());
  if (data === undefined) return <Skeleton rows={1} rowHeight={32} />;
  if (data.wallets.length === 0) return null;
  return (
    <details className="rounded-md bg-raised px-3 py-2 text-sm">
      <summary>Sign in as a demo persona</summary>
      <ul className="mt-2 flex max-h-56 flex-col gap-0.5 overflow-y-auto">
        {data.wallets.map(({ name, role, address, private_key }) => (
          <li key={address}>
            <Button
              look="quiet"
              disabled={isBusy}
              className="w-full justify-between"
              onClick={() => onChoose({ name, private_key: private_key as `0x${string}` })}
            >
              <span>{name}</span>
              <span className="text-xs text-faint">
                {ROLES[role] ?? role} · {shortHash(address)}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
