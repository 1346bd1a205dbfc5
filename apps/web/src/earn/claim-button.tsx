import type { EarnSubscription } from "@bourse/api/client";
import { useEffect, useState } from "react";
import { openChain, usePollSeconds } from "../chain/access.ts";
import { createFlow, type Flow } from "../chain/flow.ts";
import { StepList } from "../chain/steps.tsx";
import { sayUnits } from "../chain/tokens.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useStore } from "../lib/store.ts";
import { claimSteps } from "./claim-steps.ts";
import { readPositions, refreshEarn } from "./queries.ts";
import { collectable } from "./words.ts";

/** Takes a matured or cancelled position out of the contract. */
export function ClaimButton({ position }: { readonly position: EarnSubscription }) {
  const [flow, setFlow] = useState<Flow>();
  const [amount, setAmount] = useState("");
  const poll_seconds = usePollSeconds();
  const now = collectable(position);
  const begin = () => {
    if (now === undefined) return;
    const next = createFlow(claimSteps({ openChain, positions: readPositions, poll_seconds }, position, now.call));
    setAmount(sayUnits(now.units));
    setFlow(next);
    next.start();
  };
  const close = () => {
    flow?.clear();
    setFlow(undefined);
    void refreshEarn();
  };
  return (
    <>
      {now !== undefined && (
        <Button look="primary" size="small" onClick={begin}>
          {now.call === "claim" ? "Claim" : "Take back"} {sayUnits(now.units, 2)}
        </Button>
      )}
      <Dialog title={`To your wallet: ${amount}`} isOpen={flow !== undefined} onClose={close}>
        {flow !== undefined && <Claiming flow={flow} onClose={close} />}
      </Dialog>
    </>
  );
}

function Claiming({ flow, onClose }: { readonly flow: Flow; readonly onClose: () => void }) {
  const { phase } = useStore(flow.state);
  useEffect(() => {
    if (phase === "done") void refreshEarn();
  }, [phase]);
  return (
    <div className="flex flex-col gap-4">
      <StepList
        label="Steps of the claim"
        flow={flow}
        hint={(step) =>
          step === "collect" ? "Your wallet calls the contract." : "Waiting for the exchange to see it."
        }
      />
      {phase === "done" && (
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      )}
    </div>
  );
}
