import type { GenerateCodesReply, GrantBatchReply } from "@bourse/api";
import { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import { isUnknown, type Reply } from "../ground/client.ts";
import type { Person } from "../ground/person.ts";
import { BONUS_KEY } from "../ground/world.ts";
import type { BonusNote, RedemptionNote } from "../notes.ts";
import type { ProgramGround } from "../programs.ts";
import type { Program } from "./program.ts";

const OPERATOR = `0x${"11".repeat(20)}`;
const HOLDERS = ["bonus1", "bonus2", "bonus3"] as const;
const CODES = 12;

type Body = Record<string, unknown>;

/** Bonus campaigns: grants, codes, freezing, recalls. A bonus lasts a day, so that some expire. */
export class Campaign implements Program {
  readonly #ground: ProgramGround;
  readonly #dice: Dice;
  #codes: string[] = [];
  #requests = 0;
  #campaigns = 1;
  #batch = "";

  constructor(ground: ProgramGround) {
    this.#ground = ground;
    this.#dice = new Dice(`${ground.seed} campaign`);
  }

  async prepare(): Promise<void> {
    await this.#begin();
    const batch = await this.#ask("grant-batch", this.#grantOf(["nobody"]));
    if (batch === undefined) throw new Error("nobody knows what became of the first batch");
    this.#batch = (batch.body as unknown as GrantBatchReply).grant_batch_id;
    await this.#moreCodes();
  }

  async act(): Promise<void> {
    const { notes, cast } = this.#ground;
    const person = cast.of(HOLDERS[this.#dice.whole(0, HOLDERS.length - 1)]!);
    const target = { target_address: person.address, reason: "a drill" };
    const kind = this.#dice.pick<"grant" | "redeem" | "recall" | "freeze" | "unfreeze" | "look">([
      [4, "grant"],
      [4, "redeem"],
      [2, "recall"],
      [1, "freeze"],
      [2, "unfreeze"],
      [3, "look"],
    ]);
    notes.count(`campaign: ${kind}`);
    if (kind === "grant") await this.#ask("grant-batch", this.#grantOf([person.address]));
    else if (kind === "redeem") await this.#redeem(person);
    else if (kind === "look") await person.get("/api/v1/bonus/me");
    else await this.#ask(kind, target);
  }

  /** BON-4: a repeated request returns the outcome of the first. Only its wallet redeems a code. */
  async resolve(): Promise<void> {
    for (const note of this.#ground.notes.bonus) {
      if (note.answer === undefined && !note.isRefused) await this.#send(note);
    }
    for (const note of this.#ground.notes.redemptions) {
      if (note.knowledge === "unknown") await this.#offer(note);
    }
  }

  /** Starts another campaign, so that every wallet may get a bonus again. */
  async endDay(): Promise<void> {
    await this.#begin();
    if (this.#codes.length < CODES / 2) await this.#moreCodes();
  }

  async isBusy(): Promise<boolean> {
    const headers = { "x-bonus-admin-key": BONUS_KEY };
    const url = "/api/v1/bonus/admin/reconcile-report";
    const report = await this.#ground.client.get<{ in_flight_count: number }>(url, undefined, headers);
    return report.in_flight_count > 0;
  }

  async #begin(): Promise<void> {
    this.#campaigns += 1;
    const { client } = this.#ground;
    const payload = {
      new: true,
      name: `campaign ${this.#campaigns}`,
      validity_days: 1,
      redemption_closes_at: new Date(client.now_ms + 30 * 86_400_000).toISOString(),
    };
    const headers = { "x-bonus-admin-key": BONUS_KEY };
    await client.done({ method: "PUT", url: "/api/v1/bonus/admin/campaign", payload, headers });
  }

  async #moreCodes(): Promise<void> {
    const body = { grant_batch_id: this.#batch, amount: "100", count: CODES, ttl_days: 30 };
    const reply = await this.#ask("generate-codes", body);
    if (reply?.status === 200) this.#codes.push(...(reply.body as unknown as GenerateCodesReply).codes);
  }

  #grantOf(recipients: readonly string[]): Body {
    return {
      batch_name: "a batch",
      grant_tier: "COMMUNITY",
      per_address_amount: "200",
      max_leverage: 10,
      recipients,
    };
  }

  async #ask(endpoint: string, body: Body): Promise<Reply<Body> | undefined> {
    this.#requests += 1;
    const named = { ...body, operator_addr: OPERATOR, request_id: `request-${this.#requests}` };
    const note: BonusNote = { endpoint, body: named, answer: undefined, isRefused: false };
    this.#ground.notes.bonus.push(note);
    try {
      return await this.#send(note);
    } catch (error) {
      if (!isUnknown(error)) throw error;
      return undefined;
    }
  }

  async #send(note: BonusNote): Promise<Reply<Body>> {
    const reply = await this.#ground.client.send<Body>({
      method: "POST",
      url: `/api/v1/bonus/admin/${note.endpoint}`,
      payload: note.body,
      headers: { "x-bonus-admin-key": BONUS_KEY },
      isNamed: true,
    });
    if (reply.status === 200) note.answer = reply.body;
    else note.isRefused = true;
    return reply;
  }

  async #redeem(person: Person): Promise<void> {
    const code = this.#codes.pop();
    if (code === undefined) return;
    const note: RedemptionNote = { person, code, knowledge: "unknown" };
    this.#ground.notes.redemptions.push(note);
    try {
      await this.#offer(note);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  async #offer(note: RedemptionNote): Promise<void> {
    const { status } = await note.person.ask("POST", "/api/v1/bonus/redeem", { code: note.code });
    note.knowledge = status === 200 ? "acknowledged" : "refused";
  }
}
