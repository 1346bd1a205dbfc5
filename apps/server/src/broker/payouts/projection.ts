import type { ProjectedBatch } from "../../exchange/projector/projector.ts";
import type { Tx } from "../../kernel/database/database.ts";

/** BRK-14: stores what the engine said to payouts from the fee account: a program of the projector. */
export async function projectPayouts(_tx: Tx, _batch: ProjectedBatch): Promise<void> {}
