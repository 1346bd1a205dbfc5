import { useRef, useState } from "react";
import { toast } from "../../kit/toast.tsx";
import { api } from "../../session/session.ts";
import { privateFeed } from "../../streams/private-feed.ts";
import { type Message, outcomeWords, placedWords } from "./action-words.ts";
import type { Draft } from "./draft.ts";
import type { MarketRules, Prices } from "./market-rules.ts";
import { newClientOrderId, place } from "./place.ts";
import { type Refused, refusedOrder } from "./refusals.ts";
import { buildOrder } from "./request.ts";
import type { Resolved } from "./resolve.ts";

const wait = (pause_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, pause_ms));

const say = (message: Message | undefined) => message && toast(message.tone, message.title, message.detail);

export type SubmitState =
  | { readonly kind: "idle" }
  | { readonly kind: "busy" }
  /** The reply was lost; the order is being looked for. */
  | { readonly kind: "in_doubt" }
  | { readonly kind: "refused"; readonly draft: Draft; readonly refused: Refused };

const IDLE: SubmitState = { kind: "idle" };

/** Sends a draft once; shows its outcome, or keeps the refusal. */
export function useSubmit() {
  const [state, setState] = useState<SubmitState>(IDLE);
  // Not the state: a second Enter can come before React has rendered the first.
  const isUnderWay = useRef(false);
  const submit = async (draft: Draft, market: MarketRules, prices: Prices, resolved: Resolved): Promise<boolean> => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setState({ kind: "busy" });
    try {
      const order = buildOrder(draft, market, resolved, newClientOrderId());
      const onDoubt = () => setState({ kind: "in_doubt" });
      const outcome = await place(order, { orders: api.orders, wait, onDoubt });
      setState(IDLE);
      const isFeedLive = privateFeed.state.get().kind === "live";
      say(outcome.kind === "placed" ? placedWords(outcome.order, isFeedLive) : outcomeWords(outcome));
      return outcome.kind === "placed" || outcome.kind === "waiting" || outcome.kind === "found";
    } catch (error) {
      setState({ kind: "refused", draft, refused: refusedOrder(error, draft, prices) });
      return false;
    } finally {
      isUnderWay.current = false;
    }
  };
  return { state, submit };
}
