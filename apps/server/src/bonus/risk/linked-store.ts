import type { RequestKey } from "../requests.ts";
import type { BonusTx } from "../tables.ts";
import type { LinkedPlan } from "./linked-plan.ts";

export const LINKED_ENDPOINT = "freeze-linked";

/** Stores the progress of a request that is not answered yet. */
export async function keepPlan(
  tx: BonusTx,
  { endpoint, request_id }: RequestKey,
  { target_address, wallets }: LinkedPlan,
): Promise<void> {
  await tx
    .updateTable("bonus_request")
    .set({ response: JSON.stringify({ target_address, wallets }) })
    .where("endpoint", "=", endpoint)
    .where("request_id", "=", request_id)
    .where("status", "is", null)
    .execute();
}
