import { createKeptStore } from "../../lib/store.ts";

/** Transactions of the deposits made in this browser, by the number of the transfer that they became. */
type Hashes = Readonly<Record<string, string>>;

const KEPT = 200;

function readHashes(kept: unknown): Hashes {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter(([, hash]) => typeof hash === "string"));
}

/** The interface tells that a deposit was credited, but not by which transaction. */
export const depositHashes = createKeptStore<Hashes>("bourse.deposits", readHashes);

export function noteDepositHash(transferId: string, hash: string | undefined): void {
  if (hash === undefined) return;
  depositHashes.update((known) => Object.fromEntries([...Object.entries(known), [transferId, hash]].slice(-KEPT)));
}
