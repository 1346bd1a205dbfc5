import { useStore } from "../lib/store.ts";
import { PublicFeed } from "./public-feed.ts";
import { type FlowState, type SocketLike, Transport } from "./transport.ts";

const reportFault = (error: Error) => globalThis.reportError(error);

/** The path of the platform's own protocol, on the host that has served the page. */
function openSocket(): SocketLike {
  const { protocol, host } = globalThis.location;
  return new WebSocket(`${protocol === "https:" ? "wss:" : "ws:"}//${host}/ws`) as SocketLike;
}

export const transport = new Transport({ openSocket, onFault: reportFault });
export const publicFeed = new PublicFeed(transport);

globalThis.addEventListener?.("online", () => transport.wake());
globalThis.addEventListener?.("pageshow", () => transport.wake());
globalThis.document?.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") transport.wake();
});

/** How market data flows: connecting, live, or stale since a moment of this browser's clock. */
export const useStreamState = (): FlowState => useStore(transport.state);
