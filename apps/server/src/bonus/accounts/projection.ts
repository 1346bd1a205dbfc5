import type { ProjectedBatch } from "../../exchange/projector/projector.ts";
import type { Tx } from "../../kernel/database/database.ts";

/** Follows what becomes of bonuses in the engine: a program of the projector. */
export async function projectBonus(_tx: Tx, _batch: ProjectedBatch): Promise<void> {}
