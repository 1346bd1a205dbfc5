import type { ProjectedBatch } from "../../exchange/projector/projector.ts";
import type { Tx } from "../../kernel/database/database.ts";

/** BRK-8: a program of the projector. */
export async function projectAccruals(_tx: Tx, _batch: ProjectedBatch): Promise<void> {}
