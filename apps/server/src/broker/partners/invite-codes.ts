import type {
  InviteCode,
  InviteCodeChangeRequest,
  NewBdCodeRequest,
  NewInviteCodeRequest,
  ReferralInfo,
} from "@bourse/api";
import type { Insertable } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import type { Actor } from "../callers.ts";
import { readCodeId, readNote, readRequiredRatio } from "../inputs.ts";
import type { BrokerOptions } from "../options.ts";
import { ratioText } from "../ratios.ts";
import { refusals } from "../refusals.ts";
import { type BrokerInviteCodeTable, type BrokerTx, brokerDb } from "../tables.ts";
import { type CodeOwner, randomCode, readCodes, statusAt } from "./invite-code.ts";
import { type ActiveBroker, activeBroker } from "./store.ts";
import { findTier } from "./tiers.ts";

export type InviteCodesOptions = Pick<BrokerOptions, "database" | "clock" | "random" | "audit">;

/** Interface 8; the same for BDs' codes. */
const LIFE_ms = 7 * DAY_ms;
/** There are about 10^12 codes: several collisions in a row mean that the source of randomness is broken. */
const MAX_TRIES = 20;

type Draft = Pick<
  Insertable<BrokerInviteCodeTable>,
  "code_type" | "broker_id" | "bd_id" | "share_ratio_e6" | "rate_e6" | "level" | "note"
>;

function readCodeType(value: unknown): "direct" | "sub_kol" {
  if (value === undefined || value === null) throw refusals.fieldRequired("code_type");
  if (value !== "direct" && value !== "sub_kol") throw refusals.invalidField("code_type", "must be direct or sub_kol");
  return value;
}

function assertWithin(name: string, ratio_e6: number, limit_e6: number): void {
  if (ratio_e6 > limit_e6) throw refusals.ratioExceedsRate(name, ratioText(limit_e6), ratioText(ratio_e6));
}

/** BRK-5: problems are reported in the order of the interface's table. */
function readDraft(broker: ActiveBroker, request: NewInviteCodeRequest): Draft {
  const code_type = readCodeType(request.code_type);
  const share_ratio_e6 = readRequiredRatio("share_ratio", request.share_ratio);
  const name = code_type === "direct" ? "customer_rebate_ratio" : "sub_kol_rebate_rate";
  const rate_e6 = readRequiredRatio(name, request[name]);
  if (code_type === "sub_kol" && broker.parent_broker_id !== null) throw refusals.subKolCannotCreateSubKol();
  assertWithin(name, rate_e6, Math.min(broker.rate_e6, broker.parent_rate_e6 ?? broker.rate_e6));
  const note = readNote(request.note);
  return { code_type, broker_id: broker.id, bd_id: null, share_ratio_e6, rate_e6, level: null, note };
}

/** Invite codes of brokers and BDs. */
export class InviteCodes {
  readonly #options: InviteCodesOptions;

  constructor(options: InviteCodesOptions) {
    this.#options = options;
  }

  async create(wallet: string, request: NewInviteCodeRequest): Promise<InviteCode> {
    const db = brokerDb(this.#options.database);
    const broker = await activeBroker(db, wallet);
    const draft = readDraft(broker, request);
    const { id } = await db.transaction().execute((tx) => this.#insert(tx, draft));
    return await this.#read({ broker_id: broker.id }, id);
  }

  /** BRK-3: for one KOL of that level, which will belong to the BD. */
  async createForBd(bd_id: string, { level, note }: NewBdCodeRequest, actor: Actor): Promise<InviteCode> {
    const { database, audit } = this.#options;
    const kept = readNote(note);
    const draft = { code_type: "bd" as const, broker_id: null, bd_id, share_ratio_e6: 0, rate_e6: null, level };
    const { id } = await brokerDb(database)
      .transaction()
      .execute(async (tx) => {
        if ((await findTier(tx, level)) === undefined) throw refusals.tierNotFound(level);
        const made = await this.#insert(tx, { ...draft, note: kept });
        const after = { code: made.code, level, note: kept };
        await audit.append(tx, { ...actor, action: "broker.code.create", target: String(made.id), after });
        return made;
      });
    return await this.#read({ bd_id }, id);
  }

  async list(wallet: string, codeType: "all" | "direct" | "sub_kol" = "all"): Promise<InviteCode[]> {
    const db = brokerDb(this.#options.database);
    const { id } = await activeBroker(db, wallet);
    return await readCodes(db, { broker_id: id }, this.#now_ms, codeType === "all" ? {} : { codeType });
  }

  async listForBd(bd_id: string): Promise<InviteCode[]> {
    return await readCodes(brokerDb(this.#options.database), { bd_id }, this.#now_ms);
  }

  async referralInfo(wallet: string): Promise<ReferralInfo> {
    const invite_codes = await this.list(wallet);
    const newest = invite_codes.find(({ status }) => status === "active");
    return { referral_code: newest?.code ?? "", invite_codes };
  }

  /** Disables or enables a code that is neither used nor expired, on behalf of its owner. Changes by staff are audited. */
  async change(
    owner: CodeOwner,
    idText: string,
    { status }: InviteCodeChangeRequest,
    actor?: Actor,
  ): Promise<InviteCode> {
    const id = readCodeId(idText);
    const { database, audit } = this.#options;
    await brokerDb(database)
      .transaction()
      .execute(async (tx) => {
        const code = await this.#lock(tx, owner, id);
        const before = statusAt(code, this.#now_ms);
        if (before === status) return;
        if (before === "used" || before === "expired") {
          throw refusals.invalidState(before, `the code is ${before}; it stays so`);
        }
        // A disabled code keeps its expiry: after that it cannot be enabled.
        if (statusAt({ ...code, status: "active" }, this.#now_ms) === "expired") {
          throw refusals.invalidState("expired", "the code is expired; it stays so");
        }
        await tx.updateTable("broker_invite_code").set({ status }).where("id", "=", id).execute();
        if (actor === undefined) return;
        const entry = {
          action: "broker.code.update",
          target: String(id),
          before: { status: before },
          after: { status },
        };
        await audit.append(tx, { ...actor, ...entry });
      });
    return await this.#read(owner, id);
  }

  /** The owner whose codes a wallet may change. */
  async ownerOf(wallet: string): Promise<CodeOwner> {
    return { broker_id: (await activeBroker(brokerDb(this.#options.database), wallet)).id };
  }

  /** BRK-2: marks expired codes. */
  async sweep(): Promise<number> {
    const { numUpdatedRows } = await brokerDb(this.#options.database)
      .updateTable("broker_invite_code")
      .set({ status: "expired" })
      .where("status", "=", "active")
      .where("expire_at", "<=", new Date(this.#now_ms))
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  get #now_ms(): number {
    return this.#options.clock.now();
  }

  async #insert(tx: BrokerTx, draft: Draft): Promise<{ id: number; code: string }> {
    const created_at = new Date(this.#now_ms);
    const expire_at = draft.code_type === "direct" ? null : new Date(this.#now_ms + LIFE_ms);
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const row = await tx
        .insertInto("broker_invite_code")
        .values({ ...draft, code: randomCode(this.#options.random), status: "active", created_at, expire_at })
        .onConflict((conflict) => conflict.column("code").doNothing())
        .returning(["id", "code"])
        .executeTakeFirst();
      if (row !== undefined) return row;
    }
    throw new Error(`${MAX_TRIES} invite codes in a row were taken already`);
  }

  async #lock(tx: BrokerTx, owner: CodeOwner, id: number) {
    const query = tx.selectFrom("broker_invite_code").select(["status", "expire_at"]).where("id", "=", id).forUpdate();
    const owned =
      "broker_id" in owner ? query.where("broker_id", "=", owner.broker_id) : query.where("bd_id", "=", owner.bd_id);
    const code = await owned.executeTakeFirst();
    // The reply is the same for another owner's code and for one that does not exist.
    if (code === undefined) throw refusals.notFound("invite code");
    return code;
  }

  async #read(owner: CodeOwner, id: number): Promise<InviteCode> {
    const [code] = await readCodes(brokerDb(this.#options.database), owner, this.#now_ms, { id });
    return code!;
  }
}
