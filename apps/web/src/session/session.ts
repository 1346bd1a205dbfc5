import { type Client, createClient, type TokenReply } from "@bourse/api/client";
import { createKeptStore, type Store, useStore } from "../lib/store.ts";

/** Who is signed in on this browser: a wallet for traders and partners, staff for BDs and operators. Both can be at once. */
export type Audience = "wallet" | "staff";

export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly role: TokenReply["role"];
  /** A wallet's address, or the name of the staff member. */
  readonly name: string;
}

function readSession(kept: unknown): Session | undefined {
  const { access_token, refresh_token, role, name } = (kept ?? {}) as Partial<Record<keyof Session, unknown>>;
  const isWhole = [access_token, refresh_token, role, name].every((part) => typeof part === "string");
  return isWhole ? (kept as Session) : undefined;
}

const keyOf = (audience: Audience) => `bourse.session.${audience}`;

export const sessions: Readonly<Record<Audience, Store<Session | undefined>>> = {
  wallet: createKeptStore(keyOf("wallet"), readSession),
  staff: createKeptStore(keyOf("staff"), readSession),
};

// Another tab has signed in, refreshed or signed out.
globalThis.addEventListener?.("storage", (event: StorageEvent) => {
  for (const audience of ["wallet", "staff"] as const) {
    if (event.key !== keyOf(audience)) continue;
    sessions[audience].set(event.newValue === null ? undefined : readSession(JSON.parse(event.newValue)));
  }
});

export const useSession = (audience: Audience): Session | undefined => useStore(sessions[audience]);

export function keepSession(audience: Audience, reply: TokenReply, name: string): void {
  const { access_token, refresh_token, role } = reply;
  sessions[audience].set({ access_token, refresh_token, role, name });
}

/** SEC-3: a refresh token works once, and its second use ends the session. So only one tab may use it at a time. */
async function inTurn<T>(audience: Audience, work: () => Promise<T>): Promise<T> {
  return navigator.locks === undefined ? work() : navigator.locks.request(`bourse.refresh.${audience}`, work);
}

const UNAUTHORIZED = 401;

async function refresh(audience: Audience, stale: Session): Promise<Session | undefined> {
  return inTurn(audience, async () => {
    const kept = sessions[audience].get();
    if (kept === undefined || kept.access_token !== stale.access_token) return kept;
    const response = await fetch("/api/v1/auth/refresh", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ refresh_token: stale.refresh_token }),
    });
    if (response.ok) {
      keepSession(audience, (await response.json()) as TokenReply, stale.name);
    } else if (response.status < 500 && response.status !== 429) {
      // Refused for good: signed out. A busy or unreachable server does not end the session.
      sessions[audience].set(undefined);
    }
    return sessions[audience].get();
  });
}

/** Renews an expired token once, within the call that found it expired. */
function renewingFetch(audience: Audience): typeof globalThis.fetch {
  return async (input, init) => {
    const used = sessions[audience].get();
    const response = await fetch(input, init);
    if (response.status !== UNAUTHORIZED || used === undefined) return response;
    const renewed = await refresh(audience, used);
    if (renewed === undefined || renewed.access_token === used.access_token) return response;
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${renewed.access_token}`);
    return fetch(input, { ...init, headers });
  };
}

function clientOf(audience: Audience): Client {
  return createClient({
    baseUrl: "",
    accessToken: () => sessions[audience].get()?.access_token,
    fetch: renewingFetch(audience),
  });
}

/** As the wallet that is signed in, or as anyone. */
export const api: Client = clientOf("wallet");
/** As the BD or admin that is signed in. */
export const staffApi: Client = clientOf("staff");

/** A valid token for the stream, which is no request. */
export async function freshToken(audience: Audience, refused?: string): Promise<string | undefined> {
  const session = sessions[audience].get();
  if (session === undefined || session.access_token !== refused) return session?.access_token;
  return (await refresh(audience, session))?.access_token;
}
