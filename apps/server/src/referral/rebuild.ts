import { sql } from "kysely";
import type { RebuildPart } from "../rebuild/index.ts";

const REF = /^referral-discount:\d+:(\d+)$/;

/**
 * LOG-3: which discounts the engine was told, and how often. The chain is read again from its beginning, and a discount that is not
 * the last one told has to be told under a reference that was not used.
 */
export const referralPart: RebuildPart = {
  name: "discounts",
  tables: ["referral_discount"],

  async restore(tx, { requests, walletOf }) {
    const told = new Map<string, { discount_bps: number; version: number }>();
    for (const { ref, command } of requests) {
      const version = REF.exec(ref)?.[1];
      if (command.kind !== "set_discount" || version === undefined) continue;
      told.set(walletOf(command.account), { discount_bps: command.discount_bps, version: Number(version) });
    }
    if (told.size === 0) return 0;
    const rows = [...told.values()];
    const { numAffectedRows = 0n } = await sql`
      insert into referral_discount (trader, discount_bps, version)
      select * from unnest(${[...told.keys()]}::text[], ${rows.map(({ discount_bps }) => discount_bps)}::int[],
        ${rows.map(({ version }) => version)}::int[])
      on conflict (trader) do update set discount_bps = excluded.discount_bps, version = excluded.version
      where referral_discount.version < excluded.version`.execute(tx);
    return Number(numAffectedRows);
  },
};
