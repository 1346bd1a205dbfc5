import { type BindReply, RequestRefused } from "@bourse/api/client";
import { createKeptStore } from "../lib/store.ts";
import { wordsOf } from "../lib/words.ts";

export interface Refusal {
  readonly title: string;
  readonly advice: string;
  readonly code?: string | undefined;
}

export type Answer =
  | { readonly wallet: string; readonly bound: BindReply }
  | { readonly wallet: string; readonly refused: Refusal };

/** The code of a link that was followed. It is kept, because a sign-in may leave the page and load it again. */
export interface Invitation {
  readonly code: string;
  /** The link was followed before signing in: the wallet then joins on sign-in. A wallet that was signed in is asked. */
  readonly joinsOnSignIn: boolean;
  /** The reply of the exchange, so that it is asked only once. */
  readonly answer?: Answer | undefined;
}

const MAX_CODE = 32;

/** Codes are read ignoring case; spaces come along when they are copied. */
export const cleanCode = (text: string): string => text.replace(/\s+/g, "").slice(0, MAX_CODE).toUpperCase();

function readInvitation(kept: unknown): Invitation | undefined {
  const { code, joinsOnSignIn, answer } = (kept ?? {}) as Partial<Record<keyof Invitation, unknown>>;
  if (typeof code !== "string" || typeof joinsOnSignIn !== "boolean") return undefined;
  return { code, joinsOnSignIn, ...(isAnswer(answer) ? { answer } : {}) };
}

function isAnswer(kept: unknown): kept is Answer {
  const { wallet, bound, refused } = (kept ?? {}) as Record<string, unknown>;
  return typeof wallet === "string" && (typeof bound === "object" || typeof refused === "object");
}

export const invitation = createKeptStore("bourse.invitation", readInvitation);

/** A different code replaces the kept one; the same code keeps its reply. */
export function receiveInvitation(text: string, isSignedIn: boolean): void {
  const code = cleanCode(text);
  invitation.update((kept) => {
    const known = kept?.code === code ? kept : { code, joinsOnSignIn: false };
    return known.joinsOnSignIn || isSignedIn ? known : { ...known, joinsOnSignIn: true };
  });
}

const under = new Map<string, Promise<Answer>>();

/** Asks once for each wallet and code, however often it is called before the reply. */
export function acceptInvitation(
  wallet: string,
  code: string,
  bind: (code: string) => Promise<BindReply>,
): Promise<Answer> {
  const key = `${wallet} ${code}`;
  const asked = under.get(key) ?? ask(wallet, code, bind).finally(() => under.delete(key));
  under.set(key, asked);
  return asked;
}

async function ask(wallet: string, code: string, bind: (code: string) => Promise<BindReply>): Promise<Answer> {
  const answer = await bind(code).then(
    (bound): Answer => ({ wallet, bound }),
    (error: unknown): Answer => {
      // No reply, a server error or too many requests are worth asking again.
      if (!(error instanceof RequestRefused) || error.status >= 500 || error.status === 429) throw error;
      return { wallet, refused: refusalOf(error) };
    },
  );
  invitation.update((kept) => (kept?.code === code ? { ...kept, answer } : kept));
  return answer;
}

const GONE: Readonly<Record<string, string>> = {
  used: "It could be used once and has been used.",
  expired: "It has expired.",
  disabled: "Its owner has switched it off.",
};

/** BRK-1: every reason for which an invitation can fail, and what to do. */
export function refusalOf(error: RequestRefused): Refusal {
  const { code } = error;
  switch (code) {
    case "CODE_NOT_FOUND":
      return {
        code,
        title: "There is no such code.",
        advice: "Check the code for a missing letter, or ask for the link again.",
      };
    case "CODE_EXPIRED":
      return {
        code,
        title: "This code is no longer open.",
        advice: `${GONE[String(error.details?.["status"])] ?? "Its owner accepts no new wallets now."} Ask for a new one.`,
      };
    case "SELF_REFERRAL":
      return {
        code,
        title: "This is your own code, or the code of a wallet you invited.",
        advice: "Share the link with others; a wallet cannot invite itself.",
      };
    case "ALREADY_BOUND":
      return {
        code,
        title: "This wallet has been invited before, or is a partner itself.",
        advice: "A wallet can join only once. Its present rebates continue.",
      };
    case "BIND_WINDOW_CLOSED":
      return {
        code,
        title: "It is too late for this wallet to join by a code.",
        advice:
          "Codes are for wallets that have not traded yet, or signed in for the first time less than 14 days ago.",
      };
    default: {
      const words = wordsOf(error);
      return { code: words.code, title: words.title, advice: words.advice ?? "Try again, or ask for another link." };
    }
  }
}
