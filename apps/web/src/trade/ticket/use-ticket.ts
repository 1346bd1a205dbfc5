import { RequestRefused } from "@bourse/api/client";
import { useEffect, useMemo, useState } from "react";
import type { Market } from "../market/market-data.ts";
import { problemsOf } from "./checks.ts";
import { type Draft, type DraftField, isConditional, KINDS, type Problems } from "./draft.ts";
import { type ChangeDraft, useDraft } from "./draft-store.ts";
import { type Estimate, estimateOf } from "./estimate.ts";
import { type TicketGround, useTicketGround } from "./ground.ts";
import { type Preview, usePreview } from "./preview.ts";
import { type Refused, refusedOrder } from "./refusals.ts";
import { buildOrder } from "./request.ts";
import { type Resolved, resolve } from "./resolve.ts";
import { type SubmitState, useSubmit } from "./use-submit.ts";

export interface TicketView {
  readonly market: Market;
  readonly ground: TicketGround;
  readonly draft: Draft;
  readonly change: ChangeDraft;
  readonly resolved: Resolved;
  /** All that keep the order from being sent. */
  readonly problems: Problems;
  /** Those to show: of what was typed already, or of everything after an attempt. */
  readonly shownProblems: Problems;
  readonly preview: Preview;
  /** What the exchange has refused or would refuse the draft for. */
  readonly refused: Refused | undefined;
  readonly estimate: Estimate | undefined;
  readonly submitState: SubmitState;
  readonly submit: () => Promise<void>;
}

const BAD_REQUEST = 400;

const isEmptyField = (draft: Draft, field: DraftField): boolean => {
  if (field === "price" || field === "stopPrice") return draft[field].trim() === "";
  return field === "size" && draft.size.by !== "percent" && draft.size.text.trim() === "";
};

/** Errors of empty fields are shown only after an attempt. */
const problemsToShow = (problems: Problems, draft: Draft, wasAttempted: boolean): Problems =>
  wasAttempted
    ? problems
    : (Object.fromEntries(
        Object.entries(problems).filter(([field]) => !isEmptyField(draft, field as DraftField)),
      ) as Problems);

/** Fills in a first limit price, once per market. */
function useFirstPrice(symbol: string, draft: Draft, change: ChangeDraft, price: string | undefined): void {
  const [filled, setFilled] = useState("");
  useEffect(() => {
    if (filled === symbol || price === undefined) return;
    setFilled(symbol);
    if (draft.price === "") change({ price });
  }, [symbol, filled, price, draft.price, change]);
}

function useResolved(draft: Draft, market: Market | undefined, ground: TicketGround) {
  const { prices, room } = ground;
  const closable = ground.closable(draft.side);
  return useMemo(() => {
    if (market === undefined) return undefined;
    const resolved = resolve(draft, { market, prices, room, closable });
    return { resolved, problems: problemsOf(draft, { market, prices, resolved }) };
  }, [draft, market, prices, room, closable]);
}

/** The whole ticket of a market; undefined until the market is known. */
export function useTicket(symbol: string): TicketView | undefined {
  const [draft, change] = useDraft(symbol);
  const ground = useTicketGround(symbol);
  const { market, prices, isSignedIn } = ground;
  const { state: submitState, submit } = useSubmit();
  const [attempted, setAttempted] = useState<Draft>();
  const found = useResolved(draft, market, ground);
  useFirstPrice(symbol, draft, change, prices.last ?? prices.mark);

  const isReady = found !== undefined && Object.keys(found.problems).length === 0;
  const sent = isReady && market !== undefined ? buildOrder(draft, market, found.resolved, "") : undefined;
  const asked = sent?.path === "account" && isSignedIn && !isConditional(draft.kind) ? sent.request : undefined;
  const preview = usePreview(asked && withoutName(asked));
  if (market === undefined || found === undefined) return undefined;
  const { resolved, problems } = found;

  const refused =
    submitState.kind === "refused" && submitState.draft === draft
      ? submitState.refused
      : // Silence or haste of the page is no judgement of the order.
        preview.error instanceof RequestRefused && preview.error.status === BAD_REQUEST
        ? refusedOrder(preview.error, draft, prices, "Would be rejected")
        : undefined;
  const shownProblems = problemsToShow(problems, draft, attempted === draft);
  return {
    market,
    ground,
    draft,
    change,
    resolved,
    problems,
    shownProblems: refused === undefined ? shownProblems : { [refused.field]: wordsIn(refused), ...shownProblems },
    preview,
    refused,
    estimate: estimateOf(resolved.notional, ground.leverage, ground.takerRate),
    submitState,
    submit: async () => {
      setAttempted(draft);
      if (!isReady) return;
      const isDone = await submit(draft, market, prices, resolved);
      if (isDone) change((now) => (now === draft ? sentDraft(now) : now));
    },
  };
}

const wordsIn = ({ title, advice }: Refused) => (advice === undefined ? title : `${title} ${advice}`);

/** The name is given when the order is really sent. */
function withoutName<T extends { readonly client_order_id?: string }>(request: T): Omit<T, "client_order_id"> {
  const { client_order_id: _, ...rest } = request;
  return rest;
}

/** After an order is sent, its size must not be sent again by a second Enter; everything else stays for the next one. */
function sentDraft(draft: Draft): Draft {
  const size = { by: draft.sizeUnit, text: "" } as const;
  const triggers = {
    takeProfit: { ...draft.takeProfit, text: "" },
    stopLoss: { ...draft.stopLoss, text: "" },
  };
  return { ...draft, size, ...(KINDS[draft.kind].trigger === "none" ? triggers : {}) };
}
