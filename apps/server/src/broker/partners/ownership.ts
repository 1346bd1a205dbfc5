import type { BulkReassignReply, BulkReassignRequest, ReassignReply, ReassignRequest } from "@bourse/api";
import { sql } from "kysely";
import type { Actor } from "../callers.ts";
import { COMPANY, readOwner, readReason, readUuid } from "../inputs.ts";
import { noteBrokers } from "../noted.ts";
import type { BrokerOptions } from "../options.ts";
import { refusals } from "../refusals.ts";
import { type BrokerTx, brokerDb } from "../tables.ts";
import { lockActiveBd, lockBd } from "./bd-admin.ts";
import { lockBroker, setOwner } from "./store.ts";
import type { Terms } from "./terms.ts";

export interface OwnershipOptions extends Pick<BrokerOptions, "database" | "audit" | "identity" | "engineRequests"> {
  readonly terms: Pick<Terms, "lock">;
}

/** Assigns KOLs to BDs. Sub-KOLs follow their parent (BRK-15). */
export class Ownership {
  readonly #options: OwnershipOptions;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  async reassign(idText: string, request: ReassignRequest, actor: Actor): Promise<ReassignReply> {
    const { audit, engineRequests } = this.#options;
    const id = readUuid("id", idText);
    const owner = readOwner("new_owner", request.new_owner);
    const reason = readReason(request.reason);
    await this.#inTurn(async (tx) => {
      const kol = await lockBroker(tx, id);
      await this.#assertOwner(tx, owner);
      if (kol.parent_broker_id !== null) {
        throw refusals.subKolImmutable("a sub-KOL belongs to its parent's BD; reassign the parent");
      }
      await setOwner(tx, id, owner);
      await noteBrokers(engineRequests, tx, sql`one.id = ${id} or one.parent_broker_id = ${id}`);
      const change = { before: { bd_owner_id: kol.bd_owner_id }, after: { bd_owner_id: owner } };
      await audit.append(tx, { ...actor, action: "broker.kol.reassign", target: id, ...change, reason });
    });
    return { broker_id: id, new_bd_id: owner };
  }

  async reassignAll(idText: string, request: BulkReassignRequest, actor: Actor): Promise<BulkReassignReply> {
    const { audit, identity, engineRequests } = this.#options;
    const source = readUuid("id", idText);
    const owner = readOwner("new_owner", request.new_owner);
    const reason = readReason(request.reason);
    const bd_disabled = request.disable_bd === true;
    if (source === owner) throw refusals.invalidField("new_owner", "must be another than the BD whose KOLs are moved");
    const { moved, ended } = await this.#inTurn(async (tx) => {
      const bd = await lockBd(identity.bds, tx, source);
      await this.#assertOwner(tx, owner);
      const moved = await tx
        .updateTable("broker")
        .set({ bd_owner_id: owner })
        .where("bd_owner_id", "=", source)
        .returning("id")
        .execute();
      const ended = bd_disabled ? await identity.bds.change(tx, source, { status: "disabled" }) : [];
      const broker_ids = moved.map(({ id }) => id).sort();
      await noteBrokers(engineRequests, tx, sql`one.id = any(${broker_ids}::uuid[])`);
      const status = bd_disabled ? "disabled" : bd.status;
      const before = { bd_owner_id: source, status: bd.status };
      const after = { bd_owner_id: owner, status, broker_ids };
      await audit.append(tx, { ...actor, action: "broker.bd.reassign", target: source, before, after, reason });
      return { moved, ended };
    });
    await identity.bds.sessionsEnded(ended);
    return { moved_kol_count: moved.length, new_owner: owner ?? COMPANY, bd_disabled };
  }

  /** Serialised with binds: a sub-KOL that is being made gets the new owner of its parent. */
  async #inTurn<T>(move: (tx: BrokerTx) => Promise<T>): Promise<T> {
    const { database, terms } = this.#options;
    return await brokerDb(database)
      .transaction()
      .execute(async (tx) => {
        await terms.lock(tx);
        return await move(tx);
      });
  }

  async #assertOwner(tx: BrokerTx, owner: string | null): Promise<void> {
    if (owner !== null) await lockActiveBd(this.#options.identity.bds, tx, owner);
  }
}
