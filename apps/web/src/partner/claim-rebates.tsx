import { useState } from "react";
import { queryClient } from "../app/query-client.ts";
import { openChain, useWaitingRebates, waitingRebatesKey } from "../chain/access.ts";
import { createFlow, type Flow, type Step } from "../chain/flow.ts";
import { StepList } from "../chain/steps.tsx";
import { sayUnits, tokensOf } from "../chain/tokens.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { Money } from "../kit/number.tsx";
import { Panel } from "../kit/panel.tsx";
import { Async } from "../kit/states.tsx";

const claimStep: Step = {
  id: "claim",
  label: "Claim on chain",
  run: async (tools) => {
    const hands = await openChain();
    await hands.claimRebates(tools);
    return { note: "The tokens are in your wallet" };
  },
};

/** Payouts by the chain are credited in the referral contract; only the wallet itself can claim them. */
export function ClaimRebates({ wallet }: { readonly wallet: string }) {
  const waiting = useWaitingRebates(wallet);
  const [claim, setClaim] = useState<{ readonly flow: Flow; readonly amount: string }>();
  const begin = (units: string) => {
    const flow = createFlow([claimStep]);
    setClaim({ flow, amount: sayUnits(units) });
    flow.start();
  };
  const close = () => {
    claim?.flow.clear();
    setClaim(undefined);
    void queryClient.invalidateQueries({ queryKey: waitingRebatesKey });
  };
  return (
    <Panel title="Waiting in the referral contract">
      <Async query={waiting} rows={2} rowHeight={40}>
        {(units) => (
          <div className="flex flex-col gap-2">
            <p className="text-xl font-semibold">
              <Money value={tokensOf(units)} />
            </p>
            <p className="text-xs text-muted">
              Payouts by the chain are credited to you there. Claiming sends them to your wallet; only you can claim
              them.
            </p>
            <Button look="primary" disabled={units === "0"} onClick={() => begin(units)}>
              {units === "0" ? "Nothing to claim" : `Claim ${sayUnits(units)}`}
            </Button>
          </div>
        )}
      </Async>
      <Dialog title={`To your wallet: ${claim?.amount ?? ""}`} isOpen={claim !== undefined} onClose={close}>
        {claim !== undefined && (
          <StepList label="Steps of the claim" flow={claim.flow} hint={() => "Your wallet calls the contract."} />
        )}
      </Dialog>
    </Panel>
  );
}
