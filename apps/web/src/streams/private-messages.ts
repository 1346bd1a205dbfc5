import type { AccountEvent, PrivateChannel, StreamSnapshot } from "@bourse/api/client";

/** The messages of the private feed, in this order after every connect. */
export type PrivateMessage =
  /** Something has happened to the account: told once, in order, also what happened while the page was cut off. */
  | { readonly kind: "event"; readonly event: AccountEvent; readonly isMissed: boolean }
  /** The state of one channel as it is now: takes the place of whatever was known of it. */
  | { readonly kind: "snapshot"; readonly snapshot: StreamSnapshot<PrivateChannel> }
  /**
   * From here on the flow is whole: what was read by other ways before may be out of date. `hasGap`: not everything that
   * happened meanwhile could be told.
   */
  | { readonly kind: "caught-up"; readonly hasGap: boolean };

/**
 * What was missed, the snapshots, and what arrived meanwhile, by number: a snapshot stands behind all events that are in
 * it, so that applying the lot from first to last ends in the present. Updates of a channel that its snapshot already has
 * are told only where they were missed: they are news, but not the latest state.
 */
export function inOrder(
  snapshots: readonly StreamSnapshot<PrivateChannel>[],
  missed: readonly AccountEvent[],
  aside: readonly AccountEvent[],
): PrivateMessage[] {
  const seqOfSnapshot = new Map(snapshots.map(({ channel, seq }) => [channel, seq]));
  const missedSeqs = new Set(missed.map(({ seq }) => seq));
  const later = aside.filter(({ seq, channel }) => !missedSeqs.has(seq) && seq > (seqOfSnapshot.get(channel) ?? -1));
  const steps: { readonly seq: number; readonly rank: 0 | 1; readonly message: PrivateMessage }[] = [
    ...missed.map((event) => ({ seq: event.seq, rank: 0, message: { kind: "event", event, isMissed: true } }) as const),
    ...later.map((event) => ({ seq: event.seq, rank: 0, message: { kind: "event", event, isMissed: false } }) as const),
    ...snapshots.map((snapshot) => ({ seq: snapshot.seq, rank: 1, message: { kind: "snapshot", snapshot } }) as const),
  ];
  return steps.sort((a, b) => a.seq - b.seq || a.rank - b.rank).map(({ message }) => message);
}
