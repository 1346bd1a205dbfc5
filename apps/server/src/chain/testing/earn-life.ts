import { EARN_STATUSES, type EarnTerms, earnAbi } from "@bourse/contracts";
import { type Abi, type ContractFunctionReturnType, encodeFunctionData, type Hex, type PrivateKeyAccount } from "viem";
import { earnDb } from "../../earn/tables.ts";
import { columnsOf } from "../../earn/term-columns.ts";
import { settleTimeOf } from "../../earn/terms.ts";
import { createVoucherSigner, type VoucherSigner } from "../../earn/voucher-signer.ts";
import type { Database } from "../../kernel/database/database.ts";
import { randomUuid } from "../../kernel/random.ts";
import { DEPLOYER_KEY } from "../embedded/node.ts";
import { CHAIN_ID, deployer } from "./chains.ts";
import type { Dice } from "./dice.ts";
import type { ForkingChain } from "./forking-chain.ts";

const MINUTE_s = 60;
const MAX_PRODUCTS = 5;
const MAX_STEP_s = 12 * MINUTE_s;
const VOUCHER_LIFE_s = 30 * MINUTE_s;

type Product = ContractFunctionReturnType<typeof earnAbi, "view", "product">;
type Act = () => Promise<void>;

/**
 * Random products and subscribers. The deployer is operator and signer. Calls may be refused by the contract: they are mined too,
 * and emit no event.
 */
export class EarnLife {
  readonly #dice: Dice;
  readonly #world: ForkingChain;
  readonly #database: Pick<Database, "db">;
  readonly #signer: VoucherSigner;

  constructor(dice: Dice, world: ForkingChain, database: Pick<Database, "db">) {
    this.#dice = dice;
    this.#world = world;
    this.#database = database;
    this.#signer = createVoucherSigner({ chainId: CHAIN_ID, earn: world.contracts.earn, key: DEPLOYER_KEY });
  }

  /** An action that usually suits a product's state. */
  async step(): Promise<void> {
    const { client, contracts } = this.#world;
    const earn = { address: contracts.earn, abi: earnAbi } as const;
    const count = Number(await client.readContract({ ...earn, functionName: "productCount" }));
    if (count === 0 || (count < MAX_PRODUCTS && this.#dice.chance(0.15))) return await this.#create();
    const id = BigInt(this.#dice.whole(1, count));
    const product = await client.readContract({ ...earn, functionName: "product", args: [id] });
    await this.#dice.pick<Act>(this.#actsOn(id, product))();
  }

  passTime(): void {
    this.#world.clock.advance(this.#dice.whole(1, MAX_STEP_s) * 1_000);
  }

  get #now_s(): number {
    return Math.floor(this.#world.clock.now() / 1_000);
  }

  #actsOn(id: bigint, product: Product): (readonly [number, Act])[] {
    const status = EARN_STATUSES[product.status];
    const withdrawExcess = () => this.#operate("withdrawExcess", [id, deployer.address]);
    if (status === "settled") {
      return [
        [5, () => this.#collect("claim", id)],
        [1, withdrawExcess],
      ];
    }
    if (status === "cancelled") {
      return [
        [5, () => this.#collect("emergencyClaim", id)],
        [1, withdrawExcess],
      ];
    }
    const cancel = () => this.#operate("cancel", [id]);
    const fund = () => this.#operate("fund", [id, BigInt(this.#dice.whole(1, 50_000))]);
    const { terms } = product;
    if (this.#now_s < terms.subscribeStart) {
      return [
        [4, () => this.#operate("updateProduct", [id, this.#terms()])],
        [1, fund],
      ];
    }
    if (this.#now_s < terms.subscribeEnd) {
      return [
        [12, () => this.#subscribe(id)],
        [2, fund],
        [1, cancel],
      ];
    }
    const missing = product.interestOwed - product.funded;
    if (this.#now_s < settleTimeOf(terms) || missing <= 0n) {
      return [
        [2, fund],
        [8, () => this.#operate("settle", [id])],
        [1, cancel],
      ];
    }
    return [
      [6, () => this.#operate("fund", [id, missing])],
      [1, cancel],
    ];
  }

  #terms(): EarnTerms {
    const subscribeStart = this.#now_s + this.#dice.whole(-10, 6) * MINUTE_s;
    return {
      annualRateBps: this.#dice.whole(0, 100_000),
      durationSeconds: this.#dice.whole(5, 30) * MINUTE_s,
      totalQuota: 3_000_000_000n,
      minAmount: 1_000_000n,
      maxAmountPerUser: 2_000_000_000n,
      subscribeStart,
      subscribeEnd: subscribeStart + this.#dice.whole(15, 60) * MINUTE_s,
    };
  }

  #create(): Promise<void> {
    return this.#operate("createProduct", [this.#terms()]);
  }

  async #subscribe(productId: bigint): Promise<void> {
    const account = this.#trader();
    const amount = BigInt(this.#dice.whole(1_000_000, 700_000_000));
    const deadline = BigInt(this.#now_s + VOUCHER_LIFE_s);
    const { signature, digest } = this.#signer.sign({ user: account.address, productId, amount, deadline });
    await this.#reserve({ user: account, amount, deadline, digest });
    const args = [productId, amount, deadline, signature] as const;
    await this.#send(account, encodeFunctionData({ abi: earnAbi, functionName: "subscribe", args }));
  }

  /**
   * Stores a reservation as the platform does with each voucher. The platform keeps the last one per user and product, so each
   * voucher has its own product here.
   */
  async #reserve(made: { user: PrivateKeyAccount; amount: bigint; deadline: bigint; digest: Hex }): Promise<void> {
    const now = new Date(this.#world.clock.now());
    const id = randomUuid(this.#dice.random);
    const terms = columnsOf(this.#terms());
    const db = earnDb(this.#database);
    await db
      .insertInto("earn_product")
      .values({
        id,
        ...terms,
        name: "one voucher",
        description: null,
        status: "subscribing",
        request_id: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await db
      .insertInto("earn_reservation")
      .values({
        product_id: id,
        user_address: made.user.address.toLowerCase(),
        amount: made.amount,
        deadline_s: made.deadline,
        digest: made.digest,
        reserved_s: 0,
        is_used: false,
      })
      .execute();
  }

  #collect(functionName: "claim" | "emergencyClaim", id: bigint): Promise<void> {
    return this.#send(this.#trader(), encodeFunctionData({ abi: earnAbi, functionName, args: [id] }));
  }

  #operate(
    functionName: "createProduct" | "updateProduct" | "cancel" | "fund" | "settle" | "withdrawExcess",
    args: readonly unknown[],
  ) {
    return this.#send(deployer, encodeFunctionData({ abi: earnAbi as Abi, functionName, args }));
  }

  #send(account: PrivateKeyAccount, data: Hex): Promise<void> {
    return this.#world.send(account, this.#world.contracts.earn, data);
  }

  #trader(): PrivateKeyAccount {
    return this.#world.wallets[this.#dice.whole(0, this.#world.wallets.length - 1)]!;
  }
}
