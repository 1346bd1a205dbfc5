import type { AccountEvent, StreamSnapshot, UnifiedAccount } from "@bourse/api/client";
import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { PrivateMessage } from "../../streams/private-feed.ts";
import { withBalance, withPosition, withPositions } from "./margin.ts";
import { applyOrderEvent, type OwnOrders, ordersFromSnapshot } from "./orders-model.ts";
import { accountKeys } from "./queries.ts";

interface FollowerOptions {
  readonly queryClient: Pick<QueryClient, "setQueryData" | "cancelQueries" | "invalidateQueries">;
  readonly subscribe: (listener: (message: PrivateMessage) => void) => () => void;
  /** The wallet that is signed in. */
  readonly address: () => string | undefined;
  /** Called once for every event, for the toasts. */
  readonly onEvent: (event: AccountEvent) => void;
}

/** A burst of fills is answered by one reading, not by a hundred. */
const FIGURES_PAUSE_MS = 250;
const HISTORY_PAUSE_MS = 800;

/** Brings what the private feed tells into the data that all panels show. Runs while anybody shows them. */
export class AccountFollower {
  readonly #options: FollowerOptions;
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>();
  #holders = 0;
  #leave: (() => void) | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  hold(): () => void {
    this.#holders += 1;
    this.#leave ??= this.#options.subscribe((message) => this.#onMessage(message));
    return () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      this.#leave?.();
      this.#leave = undefined;
      for (const timer of this.#due.values()) clearTimeout(timer);
      this.#due.clear();
    };
  }

  #onMessage(message: PrivateMessage): void {
    const address = this.#options.address();
    if (address === undefined) return;
    if (message.kind === "snapshot") this.#onSnapshot(address, message.snapshot);
    else if (message.kind === "event") this.#onEvent(address, message.event);
    // What was read before may be outdated.
    else if (message.hasGap) void this.#options.queryClient.invalidateQueries({ queryKey: accountKeys.all(address) });
    else this.#readSoon(accountKeys.unified(address), FIGURES_PAUSE_MS);
  }

  #onSnapshot(address: string, snapshot: StreamSnapshot): void {
    if (snapshot.channel === "orders") this.#writeOrders(address, () => ordersFromSnapshot(snapshot.data));
    else if (snapshot.channel === "positions")
      this.#writeAccount(address, (known) => withPositions(known, snapshot.data));
    else if (snapshot.channel === "balances") this.#writeAccount(address, (known) => withBalance(known, snapshot.data));
  }

  #onEvent(address: string, event: AccountEvent): void {
    if (event.channel === "orders") {
      this.#writeOrders(address, (known) => known && applyOrderEvent(known, event.data));
      this.#readSoon(accountKeys.history(address), HISTORY_PAUSE_MS);
      // Margins follow from open orders too.
      this.#readSoon(accountKeys.unified(address), FIGURES_PAUSE_MS);
    } else if (event.channel === "positions") {
      this.#writeAccount(address, (known) => withPosition(known, event.data));
      this.#readSoon(accountKeys.unified(address), FIGURES_PAUSE_MS);
      this.#readSoon(accountKeys.settings(address), FIGURES_PAUSE_MS);
    } else if (event.channel === "balances") {
      this.#writeAccount(address, (known) => withBalance(known, event.data));
    } else if (event.channel === "bonus") {
      this.#readSoon(accountKeys.bonus(address), FIGURES_PAUSE_MS);
      this.#readSoon(accountKeys.unified(address), FIGURES_PAUSE_MS);
    } else {
      this.#readSoon(accountKeys.fees(address), FIGURES_PAUSE_MS);
    }
    this.#options.onEvent(event);
  }

  /** An answer that is still on its way is older than what the feed says. */
  #writeOrders(address: string, change: (known: OwnOrders | undefined) => OwnOrders | undefined): void {
    const queryKey = accountKeys.orders(address);
    void this.#options.queryClient.cancelQueries({ queryKey }, { silent: true });
    this.#options.queryClient.setQueryData<OwnOrders>(queryKey, change);
  }

  #writeAccount(address: string, change: (known: UnifiedAccount) => UnifiedAccount): void {
    const queryKey = accountKeys.unified(address);
    this.#options.queryClient.setQueryData<UnifiedAccount>(queryKey, (known) => known && change(known));
  }

  #readSoon(queryKey: QueryKey, pause_ms: number): void {
    const name = queryKey.join("/");
    if (this.#due.has(name)) return;
    const read = () => {
      this.#due.delete(name);
      void this.#options.queryClient.invalidateQueries({ queryKey });
    };
    this.#due.set(name, setTimeout(read, pause_ms));
  }
}
