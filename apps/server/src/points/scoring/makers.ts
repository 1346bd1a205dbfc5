import type { PointsMakers, PointsMakersRequest } from "@bourse/api";
import { sql } from "kysely";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import { lockInTransaction } from "../../kernel/database/locks.ts";
import type { EngineRequests } from "../../kernel/engine-requests/engine-requests.ts";
import { unlessLate } from "../../kernel/late.ts";
import type { Actor } from "../callers.ts";
import { MAKERS, MAKERS_LOCK } from "../noted.ts";
import { refusals } from "../refusals.ts";
import { type PointsDb, type PointsTx, pointsDb } from "../tables.ts";
import { readAddress, readLabel, readReason } from "./inputs.ts";

export interface MakersOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly audit: AuditLog;
  readonly engineRequests: Pick<EngineRequests, "note" | "isNoting" | "answer">;
}

const MAX_LABEL_chars = 64;

async function read(db: PointsDb): Promise<PointsMakers> {
  const rows = await db
    .selectFrom("points_maker")
    .select(["address", "label", "created_at"])
    .where("is_listed", "=", true)
    .orderBy("address")
    .execute();
  const wallets = rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
  return { wallets };
}

/** The wallets on the list. */
export async function listedMakers(database: Pick<Database, "db">): Promise<ReadonlySet<string>> {
  const { wallets } = await read(pointsDb(database));
  return new Set(wallets.map(({ address }) => address));
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

/**
 * PTS-3, PTS-5: the list of market makers. A change applies to fills after its notes in the log: the projection puts wallets in and
 * out of force there (`settings.ts`).
 */
export class Makers {
  readonly #options: MakersOptions;

  constructor(options: MakersOptions) {
    this.#options = options;
  }

  read(): Promise<PointsMakers> {
    return read(pointsDb(this.#options.database));
  }

  /** Returns when the engine has the change. */
  async replace(request: PointsMakersRequest, actor: Actor): Promise<PointsMakers> {
    const { database, audit, engineRequests } = this.#options;
    const labels = readWallets(request);
    const reason = readReason(request.reason);
    const { after, ref } = await pointsDb(database)
      .transaction()
      .execute(async (tx) => {
        // Serialised: two lists must not be mixed.
        await lockInTransaction(tx, MAKERS_LOCK);
        const before = await read(tx);
        await this.#write(tx, labels);
        const after = await read(tx);
        const ref = await this.#note(tx, before, after);
        await audit.append(tx, { ...actor, action: "points.makers.replace", target: "makers", before, after, reason });
        return { after, ref };
      });
    // The change is committed: it stands even if the engine's answer is late.
    if (ref !== undefined) await unlessLate(engineRequests.answer(ref));
    return after;
  }

  async #write(tx: PointsTx, labels: ReadonlyMap<string, string | null>): Promise<void> {
    const { clock, engineRequests } = this.#options;
    const addresses = [...labels.keys()];
    const isAtOnce = !engineRequests.isNoting;
    await sql`
      insert into points_maker (address, label, created_at, is_in_force)
      select wallet.*, ${new Date(clock.now())}::timestamptz, ${isAtOnce}::boolean
      from unnest(${addresses}::text[], ${[...labels.values()]}::text[]) as wallet
      on conflict (address) do update set label = excluded.label, is_listed = true,
        created_at = case when points_maker.is_listed then points_maker.created_at else excluded.created_at end`.execute(
      tx,
    );
    const isLeft = sql`is_listed and address <> all(${addresses}::text[])`;
    if (isAtOnce) await sql`delete from points_maker where ${isLeft}`.execute(tx);
    else await sql`update points_maker set is_listed = false where ${isLeft}`.execute(tx);
  }

  async #note(tx: PointsTx, before: PointsMakers, after: PointsMakers): Promise<string | undefined> {
    const { engineRequests } = this.#options;
    const labelsOf = ({ wallets }: PointsMakers) => new Map(wallets.map(({ address, label }) => [address, label]));
    const [was, is] = [labelsOf(before), labelsOf(after)];
    const gone = before.wallets.filter(({ address }) => !is.has(address)).map(({ address }) => ({ address }));
    const changed = after.wallets.filter(({ address, label }) => was.get(address) !== label);
    const removed = await engineRequests.note(tx, MAKERS, gone, true);
    return (await engineRequests.note(tx, MAKERS, changed)) ?? removed;
  }
}
