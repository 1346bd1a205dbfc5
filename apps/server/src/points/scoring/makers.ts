import type { PointsMakers, PointsMakersRequest } from "@bourse/api";
import { sql } from "kysely";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { Actor } from "../callers.ts";
import { refusals } from "../refusals.ts";
import { type PointsDb, pointsDb } from "../tables.ts";
import { readAddress, readLabel, readReason } from "./inputs.ts";

export interface MakersOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
}

const MAX_LABEL_chars = 64;

async function read(db: PointsDb): Promise<PointsMakers> {
  const rows = await db.selectFrom("points_maker").selectAll().orderBy("address").execute();
  const wallets = rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
  return { wallets };
}

/** Labels by wallet. */
function readWallets({ wallets }: PointsMakersRequest): ReadonlyMap<string, string | null> {
  const labels = new Map<string, string | null>();
  for (const [place, { address: text, label }] of wallets.entries()) {
    const address = readAddress(text);
    if (labels.has(address)) throw refusals.invalidField("wallets", `name ${address} twice`);
    const name = `wallets.${place}.label`;
    labels.set(address, label === undefined || label === null ? null : readLabel(name, label, MAX_LABEL_chars));
  }
  return labels;
}

/** PTS-3, PTS-5: the list of market makers. A change applies to fills that are written after it. */
export class Makers {
  readonly #options: MakersOptions;

  constructor(options: MakersOptions) {
    this.#options = options;
  }

  read(): Promise<PointsMakers> {
    return read(pointsDb(this.#options.database));
  }

  async replace(request: PointsMakersRequest, actor: Actor): Promise<PointsMakers> {
    const { database, clock, audit } = this.#options;
    const labels = readWallets(request);
    const reason = readReason(request.reason);
    const addresses = [...labels.keys()];
    return await pointsDb(database)
      .transaction()
      .execute(async (tx) => {
        // Serialised: two lists must not be mixed.
        await lockInTransaction(tx, "points-makers");
        const before = await read(tx);
        await sql`delete from points_maker where address <> all(${addresses}::text[])`.execute(tx);
        await sql`
          insert into points_maker (address, label, created_at)
          select wallet.*, ${new Date(clock.now())}::timestamptz
          from unnest(${addresses}::text[], ${[...labels.values()]}::text[]) as wallet
          on conflict (address) do update set label = excluded.label`.execute(tx);
        const after = await read(tx);
        await audit.append(tx, { ...actor, action: "points.makers.replace", target: "makers", before, after, reason });
        return after;
      });
  }
}
