import type { Finding } from "../../exchange/admin/invariants.ts";
import type { Database } from "../../kernel/database/database.ts";

/** INV-4. */
export function createRebateInvariant(_options: { readonly database: Database }): () => Promise<Finding> {
  return async () => ({ ok: null, detail: "not computed yet" });
}
