import { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import type { Person } from "../ground/person.ts";
import type { ProgramGround } from "../programs.ts";
import type { Program } from "./program.ts";

const DAY_ms = 86_400_000;
const SILVER_e6 = 250_000n;
const GOLD_e6 = 300_000n;
const SUB_e6 = 220_000n;
const CUSTOMER_e6 = 100_000n;
const SHARE_e6 = 200_000n;

interface Batch {
  readonly id: string;
  readonly status: string;
}

const BATCHES = "/api/v1/broker/admin/rebate/payout-batches";

export const dayOf = (time_ms: number) => new Date(time_ms).toISOString().slice(0, 10);

/** A KOL, its sub-KOL and a customer of each: settled every day and paid in batches. */
export class Partners implements Program {
  readonly #ground: ProgramGround;
  readonly #dice: Dice;
  #kolId = "";

  constructor(ground: ProgramGround) {
    this.#ground = ground;
    this.#dice = new Dice(`${ground.seed} partners`);
  }

  async prepare(): Promise<void> {
    const { admin, cast } = this.#ground;
    const kol = { wallet_address: cast.of("kol").address, level: 3 };
    const { broker_id } = await admin.post<{ broker_id: string }>("/api/v1/broker/admin/kol", kol);
    this.#kolId = broker_id;
    await this.#invite(cast.of("kol"), cast.of("sub"), {
      code_type: "sub_kol",
      share_ratio: "0.2",
      sub_kol_rebate_rate: "0.22",
    });
    const direct = { code_type: "direct", share_ratio: "0.1", customer_rebate_ratio: "0.1" };
    await this.#invite(cast.of("kol"), cast.of("kolCustomer"), direct);
    await this.#invite(cast.of("sub"), cast.of("subCustomer"), direct);
    this.#noteTerms(GOLD_e6);
  }

  async act(): Promise<void> {
    const { admin, notes, client } = this.#ground;
    const kind = this.#dice.pick<"calculate" | "batch" | "pay" | "read">([
      [3, "calculate"],
      [3, "batch"],
      [4, "pay"],
      [2, "read"],
    ]);
    notes.count(`partners: ${kind}`);
    if (kind === "calculate") {
      const period = dayOf(client.now_ms);
      await admin.send("POST", "/api/v1/broker/admin/rebate/calculate", { period });
    } else if (kind === "batch") {
      await admin.send("POST", BATCHES, {});
    } else if (kind === "pay") {
      const open = (await this.#batches()).find(({ status }) => status === "open");
      if (open !== undefined) await admin.send("POST", `${BATCHES}/${open.id}/pay`, {});
    } else {
      await this.#ground.cast.of("kol").get("/api/v1/broker/rebate-records");
    }
  }

  /** Nothing to do: batches are found by listing them. */
  async resolve(): Promise<void> {}

  /** Pays everything that is owed for closed days; then changes the KOL's rate. */
  async endDay(day: number): Promise<void> {
    const { admin, notes, client, world } = this.#ground;
    const period = dayOf(client.now_ms - DAY_ms);
    if (!notes.settledDays.has(period)) notes.settledDays.set(period, await this.#statusOf(period));
    await admin.post("/api/v1/broker/admin/rebate/calculate", { period });
    await admin.send("POST", BATCHES, {});
    for (const { id, status } of await this.#batches()) {
      if (status === "open") await admin.send("POST", `${BATCHES}/${id}/pay`, {});
    }
    // Events that the clock has triggered come before: a fill at the same moment would belong to either rate.
    world.pass(1_000);
    const rate_e6 = day % 2 === 1 ? SILVER_e6 : GOLD_e6;
    const rebate_rate = rate_e6 === SILVER_e6 ? "0.25" : "0.3";
    const changed = await admin.send("PUT", `/api/v1/broker/admin/kol/${this.#kolId}`, { rebate_rate });
    if (changed.status !== 200) throw new Error(`the KOL's rate: ${JSON.stringify(changed)}`);
    this.#noteTerms(rate_e6);
  }

  async isBusy(): Promise<boolean> {
    return (await this.#batches()).some(({ status }) => status === "paying");
  }

  async #statusOf(period: string): Promise<string> {
    const reply = await this.#ground.admin.ask<{ status: string }>(`/api/v1/broker/settlements/${period}/root`);
    return reply.status === 200 ? reply.body.status : String(reply.status);
  }

  async #batches(): Promise<Batch[]> {
    const { batches } = await this.#ground.admin.get<{ batches: Batch[] }>(`${BATCHES}?per_page=100`);
    for (const { id, status } of batches) this.#ground.notes.batches.set(id, { id, status });
    return batches;
  }

  async #invite(inviter: Person, invitee: Person, terms: object): Promise<void> {
    const made = await inviter.ask<{ code: string }>("POST", "/api/v1/broker/invite-code", terms);
    const bound = await invitee.ask("POST", "/api/v1/broker/bind", { code: made.body.code });
    if (bound.status !== 200) throw new Error(`${invitee.name} could not be bound: ${JSON.stringify([made, bound])}`);
  }

  /** BRK-10, BRK-12: records the terms from now on. */
  #noteTerms(kol_e6: bigint): void {
    const { cast, notes, client } = this.#ground;
    const [kol, sub] = [cast.of("kol"), cast.of("sub")];
    const from_ms = client.now_ms;
    const cap_e6 = SUB_e6 < kol_e6 ? SUB_e6 : kol_e6;
    const common = { from_ms, share_e6: 0n, parent: undefined };
    notes.terms.push(
      { ...common, downline: kol, owner: kol, nominal_e6: kol_e6, customer_e6: kol_e6 },
      { ...common, downline: sub, owner: kol, nominal_e6: kol_e6, customer_e6: cap_e6 },
      { ...common, downline: cast.of("kolCustomer"), owner: kol, nominal_e6: kol_e6, customer_e6: CUSTOMER_e6 },
      {
        downline: cast.of("subCustomer"),
        owner: sub,
        nominal_e6: cap_e6,
        customer_e6: CUSTOMER_e6,
        share_e6: SHARE_e6,
        parent: kol,
        from_ms,
      },
    );
  }
}
