import type { PreparedSubscription, ProductDetail } from "@bourse/api/client";
import { useEffect, useState } from "react";
import { openChain, usePollSeconds, useWalletBalance } from "../chain/access.ts";
import { createFlow, type Flow } from "../chain/flow.ts";
import { StepList } from "../chain/steps.tsx";
import { sayUnits, tokensOf } from "../chain/tokens.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { TextField } from "../kit/field.tsx";
import { Form } from "../kit/form.tsx";
import { Fact, Facts } from "../kit/panel.tsx";
import { Countdown, Time } from "../kit/time.tsx";
import { serverNow } from "../lib/server-time.ts";
import { useStore } from "../lib/store.ts";
import { api, useSession } from "../session/session.ts";
import { amountProblemOf, type CheckedAmount, checkAmount, heldIn, roomFor } from "./amount-check.ts";
import { addedInterest, sayDuration } from "./interest.ts";
import { readPositions, refreshEarn, usePositions } from "./queries.ts";
import { subscribeSteps } from "./subscribe-steps.ts";

interface SubscribeDialogProps {
  readonly product: ProductDetail;
  readonly onClose: () => void;
}

/** From an amount to a position, in visible steps. */
export function SubscribeDialog({ product, onClose }: SubscribeDialogProps) {
  const [flow, setFlow] = useState<Flow>();
  const [voucher, setVoucher] = useState<PreparedSubscription>();
  const [typed, setTyped] = useState("");
  const [refused, setRefused] = useState<string>();
  const positions = usePositions();
  const poll_seconds = usePollSeconds();
  const held = heldIn(positions.data, product.id);

  const begin = (tokens: string) => {
    setRefused(undefined);
    const world = {
      prepare: (id: string, amount: string) => api.earn.prepare(id, amount),
      openChain,
      positions: readPositions,
      now: serverNow,
      poll_seconds,
      onVoucher: setVoucher,
    };
    const next = createFlow(subscribeSteps(world, { product, tokens, held }));
    setFlow(next);
    next.start();
  };
  const backToForm = (problem?: string) => {
    flow?.clear();
    setFlow(undefined);
    setVoucher(undefined);
    setRefused(problem);
  };
  const close = () => {
    flow?.clear();
    void refreshEarn();
    onClose();
  };
  return (
    <Dialog
      title={`Subscribe to ${product.name}`}
      description={`${product.annual_rate} % a year for ${sayDuration(product.duration_seconds)}, paid with the principal at the end.`}
      onClose={close}
    >
      {flow === undefined ? (
        <AmountForm
          product={product}
          held={held}
          typed={typed}
          onTyped={(text) => {
            setTyped(text);
            setRefused(undefined);
          }}
          refused={refused}
          onGo={begin}
        />
      ) : (
        <Running flow={flow} voucher={voucher} onRefused={backToForm} onBack={() => backToForm()} onClose={close} />
      )}
    </Dialog>
  );
}

interface AmountFormProps {
  readonly product: ProductDetail;
  readonly held: bigint;
  readonly typed: string;
  readonly onTyped: (text: string) => void;
  readonly refused: string | undefined;
  readonly onGo: (tokens: string) => void;
}

function AmountForm({ product, held, typed, onTyped, refused, onGo }: AmountFormProps) {
  const session = useSession("wallet");
  const balance = useWalletBalance(session?.name ?? "");
  const wallet = balance.data === undefined ? undefined : BigInt(balance.data);
  const checked = checkAmount(typed, product, { held, wallet });
  const problem = refused ?? (checked.kind === "wrong" ? checked.problem : undefined);
  const room = roomFor(product, { held, wallet });
  return (
    <Form onSubmit={() => checked.kind === "good" && onGo(checked.tokens)}>
      <TextField
        label="Amount in USDT"
        error={problem}
        hint={`In your wallet: ${wallet === undefined ? "…" : sayUnits(wallet)}. ${held === 0n ? "" : `In the product already: ${sayUnits(held)}.`}`}
        kind="decimal"
        value={typed}
        onChange={onTyped}
        placeholder={tokensOf(product.min_amount)}
        end={
          <Button size="small" look="quiet" disabled={room === 0n} onClick={() => onTyped(tokensOf(room))}>
            Max
          </Button>
        }
      />
      <Expected product={product} held={held} checked={checked} />
      <Button look="primary" size="large" type="submit" disabled={checked.kind !== "good"}>
        {checked.kind === "good" ? `Subscribe ${sayUnits(checked.units)}` : "Subscribe"}
      </Button>
    </Form>
  );
}

interface ExpectedProps {
  readonly product: ProductDetail;
  readonly held: bigint;
  readonly checked: CheckedAmount;
}

/** The exact result, before anything is signed. */
function Expected({ product, held, checked }: ExpectedProps) {
  const added = checked.kind === "good" ? checked.units : undefined;
  const interest = added === undefined ? undefined : addedInterest(held, added, product);
  return (
    <Facts className="rounded-md bg-raised p-3">
      <Fact name="Interest" value={interest === undefined ? "–" : sayUnits(interest)} />
      <Fact
        name="You get back"
        value={interest === undefined || added === undefined ? "–" : sayUnits(added + interest)}
      />
      <Fact name="Interest runs from" value={<Time at={product.subscribe_end_time} />} />
      <Fact name="Paid out from" value={<Time at={product.settle_time} />} />
    </Facts>
  );
}

const HINTS: Readonly<Record<string, string>> = {
  prepare: "The exchange checks the amount and signs a voucher.",
  approve: "Your wallet allows the contract to take exactly this amount.",
  subscribe: "Your wallet sends the voucher to the contract, which takes the amount.",
  confirm: "Waiting for the exchange to see it on chain.",
};

interface RunningProps {
  readonly flow: Flow;
  readonly voucher: PreparedSubscription | undefined;
  readonly onRefused: (problem: string) => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

function Running({ flow, voucher, onRefused, onBack, onClose }: RunningProps) {
  const { phase, at, error } = useStore(flow.state);
  const problem = phase === "failed" ? amountProblemOf(error) : undefined;
  useEffect(() => {
    if (problem !== undefined) onRefused(problem);
  });
  useEffect(() => {
    if (phase === "done") void refreshEarn();
  }, [phase]);
  const isUnsent = phase === "failed" && at <= 1;
  return (
    <div className="flex flex-col gap-4">
      <StepList label="Steps of the subscription" flow={flow} hint={(step) => HINTS[step]} />
      {voucher !== undefined && phase !== "done" && (
        <p className="text-xs text-muted">
          The voucher is good for <Countdown until={voucher.deadline * 1000} done="no longer; a new one is requested" />
          . Its amount is kept free for you for two minutes, and longer once you have approved it.
        </p>
      )}
      {isUnsent && (
        <Button look="quiet" onClick={onBack}>
          Change the amount
        </Button>
      )}
      {phase === "done" && (
        <Button look="primary" size="large" onClick={onClose}>
          Show my positions
        </Button>
      )}
    </div>
  );
}
