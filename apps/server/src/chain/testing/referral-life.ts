import { referralRebateAbi } from "@bourse/contracts";
import { type Abi, encodeFunctionData, type Hex, type PrivateKeyAccount, stringToHex } from "viem";
import { deployer } from "./chains.ts";
import type { Dice } from "./dice.ts";
import type { ForkingChain } from "./forking-chain.ts";

export const REFERRAL_CODES: readonly Hex[] = ["A", "B", "C", "D", "E"].map((text) => stringToHex(text, { size: 32 }));
export const REFERRAL_TIERS = [0, 1, 2, 3, 4] as const;

/** Random codes, tiers and rebates. The deployer is operator and admin; the results of calls are ignored. */
export class ReferralLife {
  readonly #dice: Dice;
  readonly #world: ForkingChain;

  constructor(dice: Dice, world: ForkingChain) {
    this.#dice = dice;
    this.#world = world;
  }

  async step(): Promise<void> {
    const { wallets } = this.#world;
    const [trader, other] = [this.#one(wallets), this.#one(wallets)];
    await this.#dice.pick<() => Promise<void>>([
      [2, () => this.#send(trader, "registerCode", [this.#one(REFERRAL_CODES)])],
      [4, () => this.#send(trader, "useCode", [this.#one(REFERRAL_CODES)])],
      [2, () => this.#send(deployer, "setTier", [trader.address, this.#one(REFERRAL_TIERS)])],
      [2, () => this.#send(deployer, "setTierTerms", [this.#one(REFERRAL_TIERS), this.#bps(), this.#bps()])],
      [
        3,
        () =>
          this.#send(deployer, "syncRebates", [
            this.#batchId(),
            [trader.address, other.address],
            [this.#amount(), this.#amount()],
          ]),
      ],
      [2, () => this.#send(trader, "claim", [])],
    ])();
  }

  #one<T>(choices: readonly T[]): T {
    return choices[this.#dice.whole(0, choices.length - 1)]!;
  }

  #bps(): number {
    return this.#one([0, 333, 2_500, 10_000]);
  }

  #amount(): bigint {
    return BigInt(this.#dice.whole(1, 1_000));
  }

  #batchId(): Hex {
    return `0x${this.#dice.random.bytes(32).toString("hex")}`;
  }

  #send(account: PrivateKeyAccount, functionName: string, args: readonly unknown[]): Promise<void> {
    const data = encodeFunctionData({ abi: referralRebateAbi as Abi, functionName, args });
    return this.#world.send(account, this.#world.contracts.referral, data);
  }
}
