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

/** A code somebody came with. It is kept, because a sign-in may lead to another app and back to a page loaded anew. */
export interface Invitation {
  readonly code: string;
  /** Seen by somebody who was not signed in: whoever signs in then, joins. A wallet that was there before is asked first. */
  readonly joinsOnSignIn: boolean;
  /** What the exchange said, so that nothing is asked twice. */
  readonly answer?: Answer | undefined;
}

const LONGEST_CODE = 32;

/** Codes are read ignoring case; spaces come along when they are copied. */
export const cleanCode = (text: string): string => text.replace(/\s+/g, "").slice(0, LONGEST_CODE).toUpperCase();

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

/** Another code than the one that is kept takes its place; the same one keeps its answer. */
export function receiveInvitation(text: string, isSignedIn: boolean): void {
  const code = cleanCode(text);
  invitation.update((kept) => {
    const known = kept?.code === code ? kept : { code, joinsOnSignIn: false };
    return known.joinsOnSignIn || isSignedIn ? known : { ...known, joinsOnSignIn: true };
  });
}

const under = new Map<string, Promise<Answer>>();

/** Asks once for each wallet and code, however often it is called while the question is under way. */
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
      // Silence, a server in trouble or too many requests are no answer: worth asking again.
      if (!(error instanceof RequestRefused) || error.status >= 500 || error.status === 429) throw error;
      return { wallet, refused: refusalOf(error) };
    },
  );
  invitation.update((kept) => (kept?.code === code ? { ...kept, answer } : kept));
  return answer;
}

const GONE: Readonly<Record<string, string>> = {
  used: "It was made for one person, and somebody has used it.",
  expired: "Its time is over.",
  disabled: "Whoever made it has switched it off.",
};

/** BRK-1: every way in which an invitation can fail, and what to do then. */
export function refusalOf(error: RequestRefused): Refusal {
  const { code } = error;
  switch (code) {
    case "CODE_NOT_FOUND":
      return {
        code,
        title: "There is no such code.",
        advice: "Look for a letter that was lost on the way, or ask for the link again.",
      };
    case "CODE_EXPIRED":
      return {
        code,
        title: "This code is not open any more.",
        advice: `${GONE[String(error.details?.["status"])] ?? "Whoever made it takes nobody in just now."} Ask for a new one.`,
      };
    case "SELF_REFERRAL":
      return {
        code,
        title: "This is your own code, or one of somebody you invited.",
        advice: "Share the link with somebody else; nobody can invite themselves.",
      };
    case "ALREADY_BOUND":
      return {
        code,
        title: "This wallet has been invited before, or is a partner itself.",
        advice: "A wallet is bound once and for ever. What it has keeps working.",
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
