import type { PreparedSubscription, ProductDetail } from "@bourse/api";
import { earnAbi } from "@bourse/contracts";
import type { Hex } from "viem";
import { Dice } from "../../../apps/server/src/chain/testing/dice.ts";
import type { Person } from "../ground/person.ts";
import type { ProgramGround } from "../programs.ts";
import type { Program } from "./program.ts";

const DAY_ms = 86_400_000;

/** The savers: a product that can be subscribed to on the first day, ends on the second and is claimed then. */
export class Savers implements Program {
  readonly #ground: ProgramGround;
  readonly #dice: Dice;
  readonly #claimed = new Set<string>();
  #product: ProductDetail | undefined;
  #isFunded = false;

  constructor(ground: ProgramGround) {
    this.#ground = ground;
    this.#dice = new Dice(`${ground.seed} savers`);
  }

  async prepare(): Promise<void> {
    const { admin, client } = this.#ground;
    const request = {
      name: "USDT for a day",
      annual_rate_bps: 1_200,
      duration_seconds: 86_400,
      total_quota: "1000000000000",
      min_amount: "1000000",
      max_amount_per_user: "100000000000",
      subscribe_start_time: new Date(client.now_ms).toISOString(),
      subscribe_end_time: new Date(client.now_ms + DAY_ms / 2).toISOString(),
    };
    this.#product = await admin.post<ProductDetail>("/api/v1/earn/admin/products", request);
  }

  async act(): Promise<void> {
    const { cast, notes } = this.#ground;
    const person = cast.of(this.#dice.chance(0.5) ? "saver1" : "saver2");
    const amount = this.#dice.whole(1_000_000, 500_000_000);
    const product = await this.#read();
    if (product.status === "subscribing") {
      notes.count("savers: subscribe");
      await this.#subscribe(person, product, amount);
    } else if (product.status === "settled") {
      notes.count("savers: claim");
      await this.#claim(person, product);
    } else {
      notes.count("savers: look");
      await person.get("/earn/subscriptions");
    }
  }

  async resolve(): Promise<void> {}

  /** Pays the interest in after the first day. */
  async endDay(): Promise<void> {
    const product = await this.#read();
    if (this.#isFunded || product.status !== "active") return;
    const funded = await this.#ground.admin.send("POST", `/api/v1/earn/admin/products/${product.id}/fund`, {
      amount: "1000000000",
    });
    if (funded.status !== 200) throw new Error(`the product could not be funded: ${JSON.stringify(funded)}`);
    this.#isFunded = true;
  }

  async isBusy(): Promise<boolean> {
    return this.#product !== undefined && (await this.#read()).status === "created";
  }

  async #read(): Promise<ProductDetail> {
    if (this.#product === undefined) throw new Error("there is no product yet");
    return await this.#ground.client.get<ProductDetail>(`/earn/products/${this.#product.id}`);
  }

  async #subscribe(person: Person, product: ProductDetail, amount: number): Promise<void> {
    const { world, notes } = this.#ground;
    const wanted = { product_id: product.id, amount: (amount / 1e6).toFixed(6) };
    const { status, body } = await person.ask<PreparedSubscription>("POST", "/earn/subscribe/prepare", wanted);
    if (status !== 200) return;
    const args = [
      BigInt(body.chain_product_id),
      BigInt(body.amount),
      BigInt(body.deadline),
      body.signature as Hex,
    ] as const;
    const call = { address: world.node.contracts.earn, abi: earnAbi, functionName: "subscribe", args } as const;
    const hash = await world.node.send(person.wallet, (signer) => signer.writeContract(call));
    const { status: outcome } = await world.node.reader.getTransactionReceipt({ hash });
    if (outcome !== "success") return;
    const [chainProductId, paid] = args;
    notes.subscriptions.push({ person, productId: product.id, chainProductId, amount: paid, hash });
  }

  async #claim(person: Person, product: ProductDetail): Promise<void> {
    const { world, notes } = this.#ground;
    const key = `${person.name} ${product.id}`;
    if (this.#claimed.has(key) || !notes.subscriptions.some((note) => note.person === person)) return;
    // Before the first await: another turn would claim it a second time.
    this.#claimed.add(key);
    const args = [BigInt(product.chain_product_id)] as const;
    const call = { address: world.node.contracts.earn, abi: earnAbi, functionName: "claim", args } as const;
    await world.node.send(person.wallet, (signer) => signer.writeContract(call));
  }
}
