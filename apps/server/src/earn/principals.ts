import type { Tx } from "../kernel/database/database.ts";
import type { HeldPrincipal } from "../points/options.ts";

/** PTS-3: the positions that stood at that moment. */
export async function principalsAt(_tx: Tx, _at_ms: number): Promise<readonly HeldPrincipal[]> {
  return [];
}
