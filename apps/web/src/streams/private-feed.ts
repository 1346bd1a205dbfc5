import { useStore } from "../lib/store.ts";
import { api, freshToken, sessions } from "../session/session.ts";
import { transport } from "./page-stream.ts";
import { PrivateFollower, type PrivateState } from "./private-follower.ts";

export type { PrivateListener, PrivateState } from "./private-follower.ts";
export type { PrivateMessage } from "./private-messages.ts";

const EVENTS_PER_PAGE = 500;

/** Everything that happens to the account of the wallet that is signed in. */
export const privateFeed = new PrivateFollower({
  transport,
  address: () => sessions.wallet.get()?.name,
  token: (refused) => freshToken("wallet", refused),
  missedAfter: (after) => api.account.events({ after, limit: EVENTS_PER_PAGE }),
});
sessions.wallet.subscribe(() => privateFeed.sessionChanged());

/** Signed out, connecting, live, or stale since a moment of this browser's clock. */
export const usePrivateState = (): PrivateState => useStore(privateFeed.state);
