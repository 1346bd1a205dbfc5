import type { WithdrawalList, WithdrawReply } from "@bourse/api";
import { parseUnits } from "viem";
import type { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import { isUnknown } from "../ground/client.ts";
import type { Person } from "../ground/person.ts";
import type { World } from "../ground/world.ts";
import type { Notes, WithdrawalNote } from "../notes.ts";

/** Deposits and withdrawals. */
export class Cashier {
  readonly #world: World;
  readonly #notes: Notes;
  readonly #dice: Dice;
  #requests = 0;

  constructor(world: World, notes: Notes, dice: Dice) {
    this.#world = world;
    this.#notes = notes;
    this.#dice = dice;
  }

  async deposit(person: Person, amount: bigint): Promise<void> {
    this.#notes.count("deposit");
    const hash = await this.#world.node.deposit(person.wallet, amount);
    this.#notes.deposits.push({ person, amount, hash });
  }

  async withdraw(person: Person): Promise<void> {
    this.#notes.count("withdrawal");
    this.#requests += 1;
    const amount = BigInt(this.#dice.whole(1, 300_000_000));
    const requestId = `withdrawal-${this.#requests}`;
    const note: WithdrawalNote = { person, requestId, amount, knowledge: "unknown", id: undefined };
    this.#notes.withdrawals.set(requestId, note);
    try {
      await this.#request(note);
    } catch (error) {
      if (!isUnknown(error)) throw error;
    }
  }

  /** VLT-1: a repeated request returns the outcome of the first. */
  async resolve(): Promise<void> {
    for (const note of this.#notes.withdrawals.values()) {
      if (note.knowledge !== "unknown") continue;
      const { items: withdrawals } = await note.person.get<WithdrawalList>("/withdraw/list?limit=500");
      const found = withdrawals.find(({ request_id }) => request_id === note.requestId);
      if (found === undefined) note.knowledge = "never";
      else await this.#request(note);
    }
  }

  /** Whether some are not finished. */
  async isBusy(people: readonly Person[]): Promise<boolean> {
    const asking = new Set([...this.#notes.withdrawals.values()].map(({ person }) => person));
    for (const person of people) {
      if (!asking.has(person)) continue;
      const { items: withdrawals } = await person.get<WithdrawalList>("/withdraw/list?limit=500");
      if (withdrawals.some(({ status }) => status === "requested" || status === "sent")) return true;
    }
    return false;
  }

  async #request(note: WithdrawalNote): Promise<void> {
    const request = { amount: (Number(note.amount) / 1e6).toFixed(6), request_id: note.requestId };
    const { status, body } = await note.person.ask<WithdrawReply>("POST", "/withdraw/request", request, true);
    if (status === 200) {
      if (parseUnits(body.amount, 6) !== note.amount) throw new Error(`another amount was withdrawn: ${body.amount}`);
      note.knowledge = "acknowledged";
      note.id = body.id;
    } else {
      note.knowledge = "refused";
    }
  }
}
