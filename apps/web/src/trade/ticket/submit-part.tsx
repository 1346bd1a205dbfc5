import { Button } from "../../kit/button.tsx";
import { openConnect } from "../../session/connect.ts";
import { actionLabel } from "./action-words.ts";
import type { TicketView } from "./use-ticket.ts";

/** Says what it does; while it cannot, why. It stays reachable, so that Enter and a press show what is missing. */
export function SubmitPart({ view }: { readonly view: TicketView }) {
  const { draft, resolved, market, problems, shownProblems, ground, submitState } = view;
  if (!ground.isSignedIn) {
    return (
      <Button look="primary" size="large" onClick={openConnect}>
        Sign in to trade
      </Button>
    );
  }
  const isBusy = submitState.kind === "busy" || submitState.kind === "in_doubt";
  const [reason] = Object.values(problems);
  const isReady = reason === undefined;
  return (
    <div className="flex flex-col gap-1">
      <Button
        type="submit"
        look={draft.side === "BUY" ? "buy" : "sell"}
        size="large"
        isBusy={isBusy}
        aria-disabled={!isReady}
        aria-describedby="ticket-reason"
        className="min-w-0 aria-disabled:opacity-55"
      >
        <span className="truncate">{actionLabel(draft, resolved, market, isReady)}</span>
      </Button>
      <p id="ticket-reason" role="status" className="min-h-4 text-xs text-faint">
        {submitState.kind === "in_doubt"
          ? "The reply was lost. Looking for the order; it is not sent again."
          : reason !== undefined && !Object.values(shownProblems).includes(reason)
            ? reason
            : ""}
      </p>
    </div>
  );
}
