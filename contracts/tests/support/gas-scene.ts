import { stringToHex } from "viem";
import { SETTLE_TIME, START, subscriptionArgs, termsWith } from "./earn-scenes.ts";
import { ONE_USDT, type World, wallets } from "./world.ts";

export interface GasLine {
  readonly call: string;
  readonly gas: bigint;
}

type Sent = Parameters<World["mined"]>[0];
const idOf = (text: string) => stringToHex(text, { size: 32 });

/** Calls every function once, in a valid order, and reports the gas of each. */
class GasScene {
  readonly lines: GasLine[] = [];
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  async earn(): Promise<void> {
    const { earn, chain, by } = this.#world;
    const amount = 1_000n * ONE_USDT;
    const subscribe = async (name: "alice" | "bob", productId: bigint) =>
      earn.write.subscribe(await subscriptionArgs(this.#world, name, productId, { amount }), by(name));
    await this.#add("Earn.createProduct", earn.write.createProduct([termsWith()], by("operator")));
    await this.#world.mined(earn.write.createProduct([termsWith()], by("operator")));
    const changed = termsWith({ annualRateBps: 900 });
    await this.#add("Earn.updateProduct", earn.write.updateProduct([2n, changed], by("operator")));
    await chain.moveTo(START);
    await this.#add("Earn.subscribe, a product's first", subscribe("alice", 1n));
    await this.#add("Earn.subscribe, another user's", subscribe("bob", 1n));
    await this.#add("Earn.subscribe, a top-up", subscribe("alice", 1n));
    await this.#world.mined(subscribe("alice", 2n));
    await this.#add("Earn.fund", earn.write.fund([1n, 30n * ONE_USDT], by("operator")));
    await this.#world.mined(earn.write.fund([2n, ONE_USDT], by("operator")));
    await this.#add("Earn.cancel", earn.write.cancel([2n], by("operator")));
    await this.#add("Earn.emergencyClaim", earn.write.emergencyClaim([2n], by("alice")));
    await chain.moveTo(SETTLE_TIME);
    await this.#add("Earn.settle", earn.write.settle([1n], by("operator")));
    await this.#add("Earn.claim", earn.write.claim([1n], by("alice")));
    const to = wallets.operator.address;
    await this.#add("Earn.withdrawExcess", earn.write.withdrawExcess([2n, to], by("operator")));
    await this.#add("Earn.pause", earn.write.pause(by("pauser")));
    await this.#add("Earn.unpause", earn.write.unpause(by("pauser")));
  }

  async referral(): Promise<void> {
    const { referral, by } = this.#world;
    const code = idOf("ALICE10");
    await this.#add("ReferralRebate.registerCode", referral.write.registerCode([code], by("alice")));
    await this.#add("ReferralRebate.useCode", referral.write.useCode([code], by("bob")));
    const { address } = wallets.alice;
    await this.#add("ReferralRebate.setTier", referral.write.setTier([address, 3], by("operator")));
    await this.#add("ReferralRebate.setTierTerms", referral.write.setTierTerms([3, 2_600, 4_000], by("admin")));
    const one = [idOf("batch 1"), [address], [ONE_USDT]] as const;
    await this.#add("ReferralRebate.syncRebates, 1 user", referral.write.syncRebates(one, by("operator")));
    const users = Array.from({ length: 200 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, "a")}` as const);
    const many = [idOf("batch 2"), users, users.map(() => ONE_USDT)] as const;
    await this.#add("ReferralRebate.syncRebates, 200 users", referral.write.syncRebates(many, by("operator")));
    await this.#add("ReferralRebate.claim", referral.write.claim(by("alice")));
    await this.#add("ReferralRebate.pause", referral.write.pause(by("pauser")));
    await this.#add("ReferralRebate.unpause", referral.write.unpause(by("pauser")));
  }

  async vault(): Promise<void> {
    const { vault, by } = this.#world;
    const { address } = wallets.alice;
    await this.#add("Vault.deposit, the first", vault.write.deposit([1_000n * ONE_USDT], by("alice")));
    await this.#add("Vault.deposit", vault.write.deposit([1_000n * ONE_USDT], by("bob")));
    await this.#add("Vault.depositFor", vault.write.depositFor([address, ONE_USDT], by("carol")));
    await this.#add("Vault.contribute", vault.write.contribute([idOf("insurance"), ONE_USDT], by("operator")));
    await this.#add("Vault.setOutflowLimit", vault.write.setOutflowLimit([500n * ONE_USDT], by("admin")));
    await this.#world.mined(vault.write.withdraw([idOf("1"), address, ONE_USDT], by("operator")));
    await this.#world.chain.moveTo(this.#world.chain.now() + 60);
    await this.#add("Vault.withdraw", vault.write.withdraw([idOf("2"), address, ONE_USDT], by("operator")));
    await this.#add("Vault.payout", vault.write.payout([idOf("1"), address, ONE_USDT], by("operator")));
    await this.#add("Vault.setDepositsPaused", vault.write.setDepositsPaused([true], by("pauser")));
    await this.#add("Vault.setPaymentsPaused", vault.write.setPaymentsPaused([true], by("pauser")));
  }

  async token(): Promise<void> {
    const { usdt, by } = this.#world;
    const { address } = wallets.pauser;
    await this.#add("TestUSDT.mint", usdt.write.mint([address, ONE_USDT], by("minter")));
    await this.#add("TestUSDT.approve", usdt.write.approve([address, ONE_USDT], by("alice")));
    await this.#add("TestUSDT.transfer", usdt.write.transfer([address, ONE_USDT], by("alice")));
  }

  async #add(call: string, sent: Sent): Promise<void> {
    const { gasUsed } = await this.#world.mined(sent);
    this.lines.push({ call, gas: gasUsed });
  }
}

export async function measureGas(world: World): Promise<readonly GasLine[]> {
  const scene = new GasScene(world);
  await scene.earn();
  await scene.referral();
  await scene.vault();
  await scene.token();
  return scene.lines;
}

const grouped = (gas: bigint): string => gas.toString().replaceAll(/\B(?=(\d{3})+$)/g, ",");

/** As in the README. */
export const gasTable = (lines: readonly GasLine[]): string =>
  ["| Call | Gas |", "|---|---:|", ...lines.map(({ call, gas }) => `| ${call} | ${grouped(gas)} |`)].join("\n");
