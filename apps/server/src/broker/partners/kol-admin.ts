import type { AdminKol, KolChangeRequest, KolTierReply, KolTierRequest, NewKolRequest } from "@bourse/api";
import { sql } from "kysely";
import { parseAddress } from "../../kernel/address.ts";
import { randomUuid } from "../../kernel/random.ts";
import type { Actor } from "../callers.ts";
import { readName, readOwner, readReason, readUuid } from "../inputs.ts";
import { noteBrokers } from "../noted.ts";
import type { BrokerOptions } from "../options.ts";
import { ratioText, readRatio } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { type BrokerTx, brokerDb } from "../tables.ts";
import { lockActiveBd } from "./bd-admin.ts";
import type { PartnerOpenings } from "./openings.ts";
import { type BrokerRow, insertBroker, listKols, lockBroker, standingOf } from "./store.ts";
import type { Terms } from "./terms.ts";
import { findTier, isLevelOpen } from "./tiers.ts";

export interface KolAdminOptions
  extends Pick<BrokerOptions, "database" | "clock" | "random" | "audit" | "identity" | "directory" | "engineRequests"> {
  readonly terms: Terms;
  readonly openings: PartnerOpenings;
}

const MAX_NICKNAME_chars = 40;
/** Interface 8: over all KOLs. */
const MAX_LISTED = 200;

const readNickname = (nickname: string | null) =>
  nickname === null ? null : readName("nickname", nickname, MAX_NICKNAME_chars);

function readNewKol({ wallet_address, level, bd_id, nickname, reason }: NewKolRequest) {
  const wallet = parseAddress(wallet_address);
  if (wallet === undefined) throw refusals.invalidField("wallet_address", "must be an Ethereum address");
  return {
    wallet,
    level,
    bd_owner_id: bd_id === undefined || bd_id === null ? null : readOwner("bd_id", bd_id),
    nickname: readNickname(nickname ?? null),
    reason: readReason(reason),
  };
}

type KolChange = Partial<Pick<BrokerRow, "level" | "rate_e6" | "status" | "nickname">>;

/** The fields of a KOL that the audit log records with a change. */
const noted = ({ level, rate_e6, status, nickname }: Pick<BrokerRow, "level" | "rate_e6" | "status" | "nickname">) => ({
  nickname,
  level,
  rebate_rate: ratioText(rate_e6),
  status,
});

/** The administration of KOLs. A change of a KOL's terms is answered after the engine has the new version (BRK-8). */
export class KolAdmin {
  readonly #options: KolAdminOptions;

  constructor(options: KolAdminOptions) {
    this.#options = options;
  }

  async list(bdId: string | undefined): Promise<AdminKol[]> {
    const db = brokerDb(this.#options.database);
    if (bdId === undefined) return await listKols(db, sql`true`, MAX_LISTED);
    const owner = readOwner("bd_id", bdId);
    const isOwned = owner === null ? sql`broker.bd_owner_id is null` : sql`broker.bd_owner_id = ${owner}`;
    return await listKols(db, isOwned, null);
  }

  /** BRK-3: makes a KOL at its tier's rate, without an invite code. */
  async create(request: NewKolRequest, actor: Actor): Promise<AdminKol> {
    const { database, clock, random, audit, identity, directory, terms, openings } = this.#options;
    const { wallet, level, bd_owner_id, nickname, reason } = readNewKol(request);
    const id = randomUuid(random);
    const db = brokerDb(database);
    const ref = await db.transaction().execute(async (tx) => {
      const account = (await directory.numbersOf(tx, [wallet])).get(wallet);
      await terms.lock(tx);
      const tier = await findTier(tx, level);
      if (tier === undefined) throw refusals.tierNotFound(level);
      if (bd_owner_id !== null) await lockActiveBd(identity.bds, tx, bd_owner_id);
      const standing = await standingOf(tx, wallet);
      if (standing.isBroker) throw refusals.alreadyABroker();
      if (standing.isBound) throw refusals.alreadyBound();
      const made = { id, wallet_address: wallet, nickname, bd_owner_id, level, rate_e6: tier.rate_e6 };
      await insertBroker(tx, { ...made, parent_broker_id: null, created_at: new Date(clock.now()) });
      const told = account === undefined ? undefined : await openings.opened(tx, [{ account, address: wallet }]);
      const after = { wallet_address: wallet, bd_owner_id, ...noted({ ...made, status: "active" }) };
      await audit.append(tx, { ...actor, action: "broker.kol.create", target: id, after, reason });
      return told;
    });
    await directory.load();
    await terms.told(ref);
    const [kol] = await listKols(db, sql`broker.id = ${id}`, 1);
    return kol!;
  }

  async change(idText: string, request: KolChangeRequest, actor: Actor) {
    const id = readUuid("id", idText);
    const { level, rebate_rate, status, nickname } = request;
    const change: KolChange = {
      ...(level === undefined ? {} : { level }),
      ...(rebate_rate === undefined ? {} : { rate_e6: readRatio("rebate_rate", rebate_rate) }),
      ...(status === undefined ? {} : { status }),
      ...(nickname === undefined ? {} : { nickname: readNickname(nickname) }),
    };
    const updated = Object.keys(change).length > 0;
    const reason = readReason(request.reason);
    await this.#inTurn(async (tx) => {
      const kol = await lockBroker(tx, id);
      if (!updated) return undefined;
      const isFixed = change.level !== undefined || change.rate_e6 !== undefined;
      if (kol.parent_broker_id !== null && isFixed) throw refusals.subKolImmutable();
      if (change.level && !(await isLevelOpen(tx, change.level))) throw refusals.tierNotFound(change.level);
      return await this.#write(tx, kol, change, { ...actor, action: "broker.kol.update", reason });
    });
    return { broker_id: id, updated };
  }

  async setTier(idText: string, request: KolTierRequest, actor: Actor): Promise<KolTierReply> {
    const id = readUuid("id", idText);
    const { tier_level } = request;
    const reason = readReason(request.reason);
    let tier: Awaited<ReturnType<typeof findTier>>;
    await this.#inTurn(async (tx) => {
      const kol = await lockBroker(tx, id);
      tier = await findTier(tx, tier_level);
      if (kol.parent_broker_id !== null) throw refusals.subKolImmutable("the tier of a sub-KOL cannot be set");
      if (tier === undefined) throw refusals.tierNotFound(tier_level);
      const change = { level: tier_level, rate_e6: tier.rate_e6 };
      return await this.#write(tx, kol, change, { ...actor, action: "broker.kol.tier", reason });
    });
    const { rate_e6, label } = tier!;
    return { broker_id: id, tier_level, rebate_rate: ratioText(rate_e6), label };
  }

  /** Runs one change at a time. The change may return the reference of a command that the engine must apply before the reply. */
  async #inTurn(change: (tx: BrokerTx) => Promise<string | undefined>): Promise<void> {
    const { database, terms } = this.#options;
    const ref = await brokerDb(database)
      .transaction()
      .execute(async (tx) => {
        await terms.lock(tx);
        return await change(tx);
      });
    await terms.told(ref);
  }

  async #write(
    tx: BrokerTx,
    kol: BrokerRow,
    change: KolChange,
    entry: Actor & { readonly action: string; readonly reason: string | undefined },
  ): Promise<string | undefined> {
    const { audit, terms, engineRequests } = this.#options;
    const changed = { ...kol, ...change };
    await tx.updateTable("broker").set(change).where("id", "=", kol.id).execute();
    await noteBrokers(engineRequests, tx, sql`one.id = ${kol.id}`);
    // Level and nickname are not part of the terms.
    const isRaised = changed.rate_e6 !== kol.rate_e6 || changed.status !== kol.status;
    const cause = changed.rate_e6 !== kol.rate_e6 ? "rate" : "status";
    const raised = isRaised ? await terms.raise(tx, kol.id, cause) : undefined;
    await audit.append(tx, { ...entry, target: kol.id, before: noted(kol), after: noted(changed) });
    return raised?.ref;
  }
}
