import type { Hex } from "viem";
import type { ChainEvent, ChainListener } from "../chain/index.ts";
import type { Clock } from "../kernel/clock.ts";
import { reopenActions } from "./action-store.ts";
import type { EarnEvent } from "./mirror.ts";
import { loadMirror, markVouchers, saveMirror } from "./mirror-store.ts";
import { factsOf, linkProduct, lockByChainIds, moveProduct } from "./product-store.ts";
import { statusOf } from "./rules.ts";
import { type EarnTx, earnTx } from "./tables.ts";

const MIRRORED: ReadonlySet<string> = new Set([
  "ProductCreated",
  "ProductUpdated",
  "ProductFunded",
  "ExcessWithdrawn",
  "ProductSettled",
  "ProductCancelled",
  "Subscribed",
  "Claimed",
  "EmergencyClaimed",
] satisfies EarnEvent["name"][]);

const earnEvents = (events: readonly ChainEvent[]): EarnEvent[] =>
  events.filter((event): event is EarnEvent => event.contract === "earn" && MIRRORED.has(event.name));

const digestsOf = (events: readonly EarnEvent[]): Hex[] =>
  events.flatMap((event) => (event.name === "Subscribed" ? [event.args.digest] : []));

/** Recomputes the states of products whose events were reverted. */
async function rewindProducts(tx: EarnTx, events: readonly EarnEvent[], now_ms: number): Promise<void> {
  const touched = events.flatMap((event) => ("productId" in event.args ? [event.args.productId] : []));
  const created = new Set(events.flatMap((event) => (event.name === "ProductCreated" ? [event.args.productId] : [])));
  for (const product of await lockByChainIds(tx, [...new Set(touched)])) {
    const to = statusOf(factsOf(product, Math.floor(now_ms / 1_000)));
    if (to !== product.status) {
      await moveProduct(tx, { id: product.id, from: product.status, to, now: new Date(now_ms) });
    }
    // Mined again, the product may get another number.
    if (created.has(product.chainProductId!)) await linkProduct(tx, product.id, undefined);
  }
}

/**
 * Applies the contract's events to the mirror tables. Product states are changed elsewhere, when their time has come; here they
 * change only when blocks are reverted.
 */
export function createEarnListener({ clock }: { readonly clock: Clock }): ChainListener {
  return {
    name: "earn",
    async apply(untyped, all) {
      const events = earnEvents(all);
      if (events.length === 0) return;
      const tx = earnTx(untyped);
      const mirror = await loadMirror(tx, events);
      for (const event of events) mirror.apply(event);
      await saveMirror(tx, mirror);
      await markVouchers(tx, digestsOf(events), true);
    },
    async undo(untyped, all) {
      const events = earnEvents(all);
      if (events.length === 0) return;
      const tx = earnTx(untyped);
      const mirror = await loadMirror(tx, events);
      for (const event of events) mirror.undo(event);
      await saveMirror(tx, mirror);
      await rewindProducts(tx, events, clock.now());
      await markVouchers(tx, digestsOf(events), false);
      await reopenActions(
        tx,
        [...new Set(events.map(({ transactionHash }) => transactionHash))],
        new Date(clock.now()),
      );
    },
  };
}
