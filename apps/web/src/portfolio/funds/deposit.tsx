import { useEffect, useState } from "react";
import { useIsDevelopment } from "../../app/config.ts";
import { openChain, usePollSeconds, useWalletBalance } from "../../chain/access.ts";
import { createFlow, type Flow } from "../../chain/flow.ts";
import { StepList } from "../../chain/steps.tsx";
import { readTyped, sayUnits, tokensOf } from "../../chain/tokens.ts";
import { Button } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Panel } from "../../kit/panel.tsx";
import { useTask } from "../../kit/task.tsx";
import { toast, toastError } from "../../kit/toast.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useStore } from "../../lib/store.ts";
import { api } from "../../session/session.ts";
import { refreshPortfolio } from "../queries.ts";
import { depositSteps } from "./deposit-steps.ts";

const NEWEST = 20;

const readDeposits = async (signal: AbortSignal) =>
  (await api.account.deposits({ order: "desc", limit: NEWEST }, { signal })).items;

/** From the wallet into the account, in visible steps. */
export function Deposit({ address }: { readonly address: string }) {
  const [flow, setFlow] = useState<Flow>();
  const poll_seconds = usePollSeconds();
  const begin = (units: bigint) => {
    const next = createFlow(depositSteps({ openChain, deposits: readDeposits, poll_seconds }, units));
    setFlow(next);
    next.start();
  };
  const close = () => {
    flow?.clear();
    setFlow(undefined);
    void refreshPortfolio();
  };
  return (
    <Panel title="Deposit" actions={<Faucet address={address} />}>
      {flow === undefined ? <AmountForm address={address} onGo={begin} /> : <Running flow={flow} onClose={close} />}
    </Panel>
  );
}

function AmountForm({ address, onGo }: { readonly address: string; readonly onGo: (units: bigint) => void }) {
  const [text, setText] = useState("");
  const balance = useWalletBalance(address);
  const wallet = balance.data === undefined ? undefined : BigInt(balance.data);
  const typed = readTyped(text);
  const isTooMuch = typed.kind === "amount" && wallet !== undefined && typed.units > wallet;
  const problem =
    typed.kind === "wrong"
      ? typed.problem
      : isTooMuch
        ? `Your wallet holds ${sayUnits(wallet)}. Lower the amount.`
        : undefined;
  const submit = () => typed.kind === "amount" && !isTooMuch && onGo(typed.units);
  const inWallet = balance.isError
    ? "The chain does not answer, so what your wallet holds is not known."
    : `In your wallet: ${wallet === undefined ? "…" : sayUnits(wallet)}`;
  return (
    <Form onSubmit={submit}>
      <TextField
        label="Deposit amount in USDT"
        hint={inWallet}
        error={problem}
        kind="decimal"
        value={text}
        onChange={setText}
        placeholder="0.00"
        end={
          <Button
            size="small"
            look="quiet"
            disabled={wallet === undefined || wallet === 0n}
            onClick={() => setText(tokensOf(wallet ?? 0n))}
          >
            Max
          </Button>
        }
      />
      <Button look="primary" size="large" type="submit" disabled={typed.kind !== "amount" || isTooMuch}>
        {typed.kind === "amount" ? `Deposit ${sayUnits(typed.units)}` : "Deposit"}
      </Button>
      <p className="text-xs text-muted">
        Your wallet pays into the Vault contract; the account is credited when the chain has it. The exchange takes no
        fee.
      </p>
    </Form>
  );
}

const HINTS: Readonly<Record<string, string>> = {
  approve: "Your wallet allows the Vault to take exactly this amount.",
  deposit: "Your wallet pays into the Vault.",
  credit: "Waiting for the exchange to see it on chain.",
};

function Running({ flow, onClose }: { readonly flow: Flow; readonly onClose: () => void }) {
  const { phase } = useStore(flow.state);
  useEffect(() => {
    if (phase === "done") void refreshPortfolio();
  }, [phase]);
  return (
    <div className="flex flex-col gap-4">
      <StepList label="Steps of the deposit" flow={flow} hint={(step) => HINTS[step]} />
      {phase === "done" && (
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      )}
      {phase === "failed" && (
        <Button look="quiet" onClick={onClose}>
          Leave it
        </Button>
      )}
    </div>
  );
}

/** Development only: test money for wallet and account. */
function Faucet({ address }: { readonly address: string }) {
  const isDevelopment = useIsDevelopment();
  const { isBusy, run } = useTask(toastError);
  if (!isDevelopment) return null;
  const ask = () =>
    run(async () => {
      const { amount } = await api.dev.faucet({ address });
      toast(
        "accent",
        "Test money received",
        `${formatMoney(amount)} USDT for your wallet and as much for your account.`,
      );
      await refreshPortfolio();
    });
  return (
    <Button isBusy={isBusy} onClick={() => void ask()} title="Development: 10,000 test USDT for wallet and account">
      Get test USDT
    </Button>
  );
}
