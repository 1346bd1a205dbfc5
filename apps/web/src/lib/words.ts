import { RequestRefused, ServerUnreachable } from "@bourse/api/client";

export interface Words {
  /** What happened. */
  readonly title: string;
  /** What to do. */
  readonly advice?: string;
  /** The interface's code, shown small. */
  readonly code?: string;
}

/** What to do about a refusal. The server's text says what happened. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHORIZED: "Sign in again.",
  WITHDRAWALS_PAUSED: "Withdrawals are paused. Your balance is unchanged; try later.",
  SLIPPAGE_EXCEEDED: "Lower the size, or allow more slippage.",
  MARGIN_INSUFFICIENT: "Lower the size, raise the leverage, or deposit.",
  TOO_MANY_ORDERS: "Wait some seconds, then try again.",
  WITHDRAWABLE_INSUFFICIENT: "Lower the amount, or close positions and orders that need the margin.",
  INVALID_ADDRESS: "Check every letter, including capitals: they are a checksum.",
  EARN_PREPARE_PAUSED: "Subscriptions are paused. Nothing was taken; try later.",
  TOO_MANY_API_KEYS: "Revoke a key that is no longer needed.",
  already_has_bonus: "A wallet gets one bonus per campaign.",
  account_in_debt: "Deposit what is missing, then redeem the code: it stays unused until then.",
  code_not_redeemable: "Check what you typed. It may also be used, expired, or outside of the campaign.",
  too_many_wrong_codes: "Wait an hour, then try again.",
  grants_stopped: "Grants are stopped for now; try later. Your code stays valid.",
  pool_cap_exceeded: "The bonus pool is used up. Try later: returned bonuses can be granted again.",
  SUBSCRIPTION_CLOSED: "Choose a product that is open.",
  QUOTA_EXCEEDED: "Lower the amount to what is left.",
  INVALID_STATE: "Its status has changed. Look at it again.",
  CHAIN_UNAVAILABLE: "Try again when the chain answers.",
  OUTCOME_UNKNOWN: "Look at it again in a moment before you try anything else.",
  bonus_locked: "Freeze it, and recall it once its positions are closed.",
  campaign_over: "Make a batch in the running campaign.",
  campaign_exists: "Give the new campaign a name of its own.",
  "-2010": "Move the price away from the other side, or drop post-only.",
  "-2019": "Lower the size, raise the leverage, or deposit.",
  "-2021": "Choose a trigger on the other side of the current price.",
  "-4164": "Raise the size: an order must be worth at least the market's minimum.",
  "-1008": "The exchange is very busy. Orders that close positions still pass; try again in a moment.",
};

const HTTP_TITLES: Readonly<Record<number, string>> = {
  401: "You are signed out.",
  403: "This sign-in is not allowed to do that.",
  404: "This does not exist.",
  408: "The exchange took too long to answer.",
  429: "Too many requests.",
  503: "The exchange cannot take this now.",
};

const sentence = (text: string): string => {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
};

function wordsOfRefusal({ status, code, exchangeCode, reason, body, retryAfter_s }: RequestRefused): Words {
  const isBare = typeof body !== "object" || body === null;
  const codes = [...new Set([...(exchangeCode === undefined ? [] : [String(exchangeCode)]), code])];
  const wait = retryAfter_s === undefined ? undefined : `Try again in ${retryAfter_s} s.`;
  const advice = codes.map((part) => ADVICE[part]).find((text) => text !== undefined) ?? wait;
  return {
    title: sentence(isBare ? (HTTP_TITLES[status] ?? `The exchange answered with ${status}`) : reason),
    ...(advice === undefined ? {} : { advice }),
    code: codes.join(" "),
  };
}

/** Any failure, as what happened and what to do. */
export function wordsOf(error: unknown): Words {
  if (error instanceof RequestRefused) return wordsOfRefusal(error);
  if (error instanceof ServerUnreachable) {
    return {
      title: "The exchange does not answer.",
      advice: "Check your connection; this page continues automatically.",
    };
  }
  return { title: sentence(error instanceof Error ? error.message : String(error)) };
}
